#include "sweep/grid.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace sweepscope::sweep {

namespace {

constexpr std::uint64_t countLimit = std::numeric_limits<std::uint64_t>::max();
/// What counting may cost before it is given up, in values tried and values read by expressions: 50 ms in a release
/// build, because a form counts while a person types. A grid that a person means costs a few thousand, and one of a
/// million trials with a constraint over two parameters costs three million.
constexpr std::uint64_t mostWork = 8'000'000;

std::uint64_t productUpToMost(std::uint64_t a, std::uint64_t b)
{
    return a != 0 && b > countLimit / a ? countLimit : a * b;
}

std::uint64_t sumUpToMost(std::uint64_t a, std::uint64_t b)
{
    return b > countLimit - a ? countLimit : a + b;
}

/// Groups of connected dimensions: union by lowest index.
class Connections {
public:
    explicit Connections(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0U); }
    std::size_t root(std::size_t i) const
    {
        while (m_parent[i] != i)
            i = m_parent[i];
        return i;
    }
    void join(std::size_t a, std::size_t b)
    {
        const std::size_t rootOfA = root(a);
        const std::size_t rootOfB = root(b);
        m_parent[std::max(rootOfA, rootOfB)] = std::min(rootOfA, rootOfB);
    }

private:
    std::vector<std::size_t> m_parent;
};

/// The parameters among an expression's slots.
std::vector<std::size_t> parametersOf(const Expression &expression, std::size_t dimensionCount)
{
    std::vector<std::size_t> parameters;
    for (const int slot : expression.slots()) {
        if (static_cast<std::size_t>(slot) < dimensionCount)
            parameters.push_back(static_cast<std::size_t>(slot));
    }
    return parameters;
}

}  // namespace

/// Depth-first over one group.
class Grid::Walk {
public:
    Walk(const SearchSpace &space, const Group &group, std::uint64_t &workLeft)
        : m_space(space),
          m_group(group),
          m_workLeft(workLeft),
          m_slots(space.initialSlots()),
          m_point(space.dimensionCount(), switchedOff)
    {}

    /// Calls `found` for every allowed assignment of the walked parameters; it says whether to go on.
    void run(const std::function<bool()> &found)
    {
        m_found = &found;
        m_goOn = true;
        descend(0);
    }

    bool isActive(std::size_t dimension) const { return m_space.isActive(dimension, m_slots); }
    bool gaveUp() const { return m_workLeft == 0; }
    GridPoint &point() { return m_point; }

private:
    void descend(std::size_t place)
    {
        if (place == m_group.walked.size()) {
            m_goOn = (*m_found)();
            return;
        }
        const std::size_t dimension = m_group.walked[place];
        if (!m_space.isActive(dimension, m_slots)) {
            m_space.switchOff(dimension, m_slots);
            m_point[dimension] = switchedOff;
            goOnIfAllowed(place);
            return;
        }
        const std::uint64_t size = m_space.values(dimension).size();
        for (std::uint64_t i = 0; i < size && m_goOn; ++i) {
            m_slots[dimension] = m_space.numberAt(dimension, i);
            m_point[dimension] = i;
            goOnIfAllowed(place);
        }
    }

    void goOnIfAllowed(std::size_t place)
    {
        m_workLeft -= std::min(m_workLeft, m_group.workAfter[place]);
        if (m_workLeft == 0) {
            m_goOn = false;
            return;
        }
        for (const std::size_t constraint : m_group.constraintsAfter[place]) {
            if (!m_space.allows(constraint, m_slots))
                return;
        }
        descend(place + 1);
    }

    const SearchSpace &m_space;
    const Group &m_group;
    std::uint64_t &m_workLeft;
    std::vector<double> m_slots;
    GridPoint m_point;
    const std::function<bool()> *m_found = nullptr;
    bool m_goOn = true;
};

Grid::Grid(const SearchSpace &space) : m_space(space)
{
    const std::size_t count = space.dimensionCount();
    Connections connections(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (const Expression *when = space.when(i)) {
            for (const std::size_t parameter : parametersOf(*when, count))
                connections.join(i, parameter);
        }
    }
    for (const Expression &constraint : space.constraints()) {
        const auto parameters = parametersOf(constraint, count);
        for (const std::size_t parameter : parameters)
            connections.join(parameters.front(), parameter);
    }

    std::vector<std::size_t> groupOfRoot(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (connections.root(i) == i) {
            groupOfRoot[i] = m_groups.size();
            m_groups.emplace_back();
        }
        Group &group = m_groups[groupOfRoot[connections.root(i)]];
        (space.isRead(i) ? group.walked : group.unread).push_back(i);
    }
    for (Group &group : m_groups) {
        group.constraintsAfter.resize(group.walked.size());
        group.workAfter.resize(group.walked.size(), 1);
    }
    for (std::size_t i = 0; i < space.constraints().size(); ++i) {
        const auto parameters = parametersOf(space.constraints()[i], count);
        if (parameters.empty()) {
            m_possible = m_possible && space.allows(i, space.initialSlots());
            continue;
        }
        Group &group = m_groups[groupOfRoot[connections.root(parameters.front())]];
        const auto last = std::find(group.walked.begin(), group.walked.end(), parameters.back());
        const auto place = static_cast<std::size_t>(last - group.walked.begin());
        group.constraintsAfter[place].push_back(i);
        // A short constraint has about two instructions for each value that it reads.
        group.workAfter[place] += std::max(space.constraints()[i].slots().size(), space.constraints()[i].size() / 2);
    }
}

Expected<GridSize> Grid::count(std::uint64_t limit) const
{
    if (!m_possible)
        return GridSize{};
    std::uint64_t total = 1;
    bool isMore = false;
    bool gaveUp = false;
    bool foundNone = false;
    std::uint64_t workLeft = mostWork;
    for (const Group &group : m_groups) {
        std::uint64_t inGroup = 0;
        Walk walk(m_space, group, workLeft);
        walk.run([&] {
            std::uint64_t combinations = 1;
            for (const std::size_t dimension : group.unread) {
                if (walk.isActive(dimension))
                    combinations = productUpToMost(combinations, m_space.values(dimension).size());
            }
            inGroup = sumUpToMost(inGroup, combinations);
            return group.walked.empty() || inGroup <= limit;
        });
        if (inGroup == 0 && !walk.gaveUp())
            return GridSize{};
        isMore = isMore || (!group.walked.empty() && inGroup > limit);
        gaveUp = gaveUp || (walk.gaveUp() && inGroup <= limit);
        foundNone = foundNone || inGroup == 0;
        total = productUpToMost(total, std::max<std::uint64_t>(inGroup, 1));
    }
    if (gaveUp && (foundNone || total <= limit))
        return makeError(ErrorCode::BadInput,
                         "the conditions and constraints exclude too many combinations: the rest cannot be counted "
                         "in reasonable time: use fewer values for the parameters they name");
    return GridSize{total, isMore || gaveUp || total == countLimit};
}

Expected<std::vector<GridPoint>> Grid::points() const
{
    std::vector<GridPoint> all;
    if (!m_possible)
        return all;
    all.emplace_back(m_space.dimensionCount(), switchedOff);
    std::uint64_t workLeft = mostWork;
    for (const Group &group : m_groups) {
        std::vector<GridPoint> ofGroup;
        Walk walk(m_space, group, workLeft);
        walk.run([&] {
            std::vector<GridPoint> expanded{walk.point()};
            for (const std::size_t dimension : group.unread) {
                if (!walk.isActive(dimension))
                    continue;
                std::vector<GridPoint> wider;
                wider.reserve(expanded.size() * m_space.values(dimension).size());
                for (const GridPoint &point : expanded) {
                    for (std::uint64_t i = 0; i < m_space.values(dimension).size(); ++i) {
                        wider.push_back(point);
                        wider.back()[dimension] = i;
                    }
                }
                expanded = std::move(wider);
            }
            std::move(expanded.begin(), expanded.end(), std::back_inserter(ofGroup));
            return true;
        });
        std::vector<GridPoint> product;
        product.reserve(all.size() * ofGroup.size());
        for (const GridPoint &before : all) {
            for (const GridPoint &added : ofGroup) {
                product.push_back(before);
                for (const auto *members : {&group.walked, &group.unread}) {
                    for (const std::size_t dimension : *members)
                        product.back()[dimension] = added[dimension];
                }
            }
        }
        all = std::move(product);
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace sweepscope::sweep
