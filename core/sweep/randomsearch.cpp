#include "sweep/randomsearch.h"

#include "sweep/grid.h"
#include "sweep/splitmix.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_set>

namespace sweepscope::sweep {

namespace {

/// After this many draws in a row without a new point, hardly any new point is left.
constexpr int mostVainDraws = 10'000;
/// Trials that are really drawn to see whether the constraints leave enough.
constexpr std::uint64_t mostCheckedDraws = 10'000;
/// So that the draws do not follow the seeds of the trials, which come from the same generator.
constexpr std::uint64_t drawingStream = 0x53574545'5053434fULL;

bool hasContinuous(const SearchSpace &space)
{
    for (std::size_t i = 0; i < space.dimensionCount(); ++i) {
        if (space.values(i).isContinuous())
            return true;
    }
    return false;
}

/// Returns whether there are unlimited points, whatever the other parameters: no condition and no constraint applies.
bool surelyHasAny(const SearchSpace &space)
{
    if (!space.constraints().empty())
        return false;
    for (std::size_t i = 0; i < space.dimensionCount(); ++i) {
        if (space.values(i).isContinuous() && space.when(i) == nullptr)
            return true;
    }
    return false;
}

tl::unexpected<Error> tooFew(std::uint64_t wanted, std::uint64_t there)
{
    const std::string trials = std::to_string(wanted) + (wanted == 1 ? " trial" : " trials");
    if (there == 0)
        return makeError(ErrorCode::BadInput, "asks for " + trials + ", but no combination satisfies the constraints");
    return makeError(ErrorCode::BadInput, "asks for " + trials + ", but the space has only " + std::to_string(there)
                                              + (there == 1 ? " combination" : " different combinations")
                                              + ": use at most that many, or method = \"grid\"");
}

/// Draws points one by one and remembers which it had.
class Drawing {
public:
    Drawing(const SearchSpace &space, std::uint64_t seed)
        : m_space(space),
          m_random(SplitMix64::mix(seed ^ drawingStream)),
          m_slots(space.initialSlots()),
          m_drawn(space.dimensionCount())
    {}

    /// False: nothing new in mostVainDraws draws.
    bool next()
    {
        for (int i = 0; i < mostVainDraws; ++i) {
            draw();
            if (m_space.allowsAll(m_slots) && isNew())
                return true;
        }
        return false;
    }

    /// The last point, as parameters.
    ParameterSet parameters(const SweepSpec &spec) const
    {
        ParameterSet set;
        for (std::size_t i = 0; i < m_drawn.size(); ++i) {
            if (m_drawn[i].active)
                set.emplace_back(spec.space[i].name, m_space.values(i).isContinuous()
                                                         ? ParameterValue(m_drawn[i].real)
                                                         : m_space.values(i).at(m_drawn[i].index));
        }
        return set;
    }

    /// Notes a point that came another way. False: it was there already.
    bool take(const GridPoint &point)
    {
        for (std::size_t i = 0; i < point.size(); ++i)
            m_drawn[i] = {point[i] != switchedOff, point[i], 0};
        return isNew();
    }

    SplitMix64 &random() { return m_random; }

private:
    struct Drawn {
        bool active = false;
        std::uint64_t index = 0;
        double real = 0;
    };

    /// Every parameter takes its random number even when it is switched off: so a condition does not shift the others.
    void draw()
    {
        for (std::size_t i = 0; i < m_drawn.size(); ++i) {
            const DimensionValues &values = m_space.values(i);
            const bool isLog = values.kind() == DimensionKind::LogInteger;
            const double unit = values.isContinuous() ? m_random.nextUnit() : 0;
            const std::uint64_t index = values.isContinuous() ? 0
                                        : isLog               ? values.indexAt(m_random.nextUnit())
                                                              : m_random.nextBelow(values.size());
            m_drawn[i] = {m_space.isActive(i, m_slots), index, 0};
            if (!m_drawn[i].active) {
                m_space.switchOff(i, m_slots);
            } else if (values.isContinuous()) {
                m_drawn[i].real = values.sample(unit);
                m_slots[i] = m_drawn[i].real;
            } else {
                m_slots[i] = m_space.numberAt(i, index);
            }
        }
    }

    bool isNew()
    {
        std::string key(m_drawn.size() * sizeof(std::uint64_t), '\0');
        for (std::size_t i = 0; i < m_drawn.size(); ++i) {
            std::uint64_t bits = switchedOff;
            if (m_drawn[i].active && m_space.values(i).isContinuous())
                std::memcpy(&bits, &m_drawn[i].real, sizeof bits);
            else if (m_drawn[i].active)
                bits = m_drawn[i].index;
            std::memcpy(key.data() + i * sizeof bits, &bits, sizeof bits);
        }
        return m_seen.insert(std::move(key)).second;
    }

    const SearchSpace &m_space;
    SplitMix64 m_random;
    std::vector<double> m_slots;
    std::vector<Drawn> m_drawn;
    std::unordered_set<std::string> m_seen;
};

/// Takes what is left of a finite space, in shuffled order, until `wanted` is reached.
Expected<void> takeTheRest(const SweepSpec &spec, const SearchSpace &space, Drawing &drawing,
                           std::vector<ParameterSet> &sets)
{
    const auto notFound =
        makeError(ErrorCode::BadInput,
                  "only " + std::to_string(sets.size())
                      + " different combinations that satisfy the constraints were found: relax them, or use "
                        "fewer trials");
    if (hasContinuous(space))
        return notFound;
    const Grid grid(space);
    const auto size = grid.count(1'000'000);
    if (!size || size->isMore || size->count > 1'000'000)
        return notFound;
    std::vector<GridPoint> points = *grid.points();
    for (std::size_t left = points.size(); left > 0 && sets.size() < spec.trials; --left) {
        std::swap(points[left - 1], points[drawing.random().nextBelow(left)]);
        if (drawing.take(points[left - 1]))
            sets.push_back(drawing.parameters(spec));
    }
    if (sets.size() < spec.trials)
        return tooFew(spec.trials, points.size());
    return {};
}

}  // namespace

Expected<std::vector<ParameterSet>> drawRandomTrials(const SweepSpec &spec, const SearchSpace &space)
{
    Drawing drawing(space, spec.seed);
    std::vector<ParameterSet> sets;
    sets.reserve(spec.trials);
    while (sets.size() < spec.trials && drawing.next())
        sets.push_back(drawing.parameters(spec));
    if (sets.size() < spec.trials) {
        if (const auto rest = takeTheRest(spec, space, drawing, sets); !rest)
            return tl::unexpected(rest.error());
    }
    return sets;
}

Expected<void> checkRandomTrials(const SweepSpec &spec, const SearchSpace &space)
{
    if (surelyHasAny(space))
        return {};
    if (!hasContinuous(space)) {
        const auto size = Grid(space).count(spec.trials);
        if (size && !size->isMore && size->count < spec.trials)
            return tooFew(spec.trials, size->count);
        if (size)
            return {};
    }
    // A sample suffices: a space with a float range that yields this many points does not run out.
    SweepSpec sample = spec;
    sample.trials = std::min<std::uint64_t>(spec.trials, mostCheckedDraws);
    const auto drawn = drawRandomTrials(sample, space);
    if (!drawn)
        return tl::unexpected(drawn.error());
    return {};
}

}  // namespace sweepscope::sweep
