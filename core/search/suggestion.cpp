#include "search/suggestion.h"

#include "search/pointbuilder.h"
#include "search/randomstream.h"
#include "search/sobol.h"
#include "search/tpe.h"
#include "sweep/grid.h"

#include <algorithm>

namespace sweepscope::search {

namespace {

/// Draws, or points of the sequence, in a row that are tried or forbidden, before the rest of the space is looked at.
constexpr int mostVainDraws = 20'000;
/// A space of more points is not enumerated.
constexpr std::uint64_t mostEnumerated = 1'000'000;

class Suggester {
public:
    Suggester(const SearchHistory &history, Method method, int number)
        : m_history(history),
          m_method(method),
          m_number(number),
          m_builder(history.spec(), history.space(), history.axes())
    {}

    tl::expected<Suggestion, NoPoint> suggest() const
    {
        std::optional<Suggestion> suggestion;
        if (m_method == Method::Tpe && finished() >= tpeStart)
            suggestion = suggestByTpe(m_history, m_number, m_builder);
        else if (m_method == Method::Sobol)
            suggestion = nextInSequence(std::nullopt);
        else if (m_method == Method::Tpe)
            suggestion = nextInSequence(Start{finished(), tpeStart});
        if (!suggestion)
            suggestion = randomDraw();
        if (!suggestion)
            return leftOver();
        return *std::move(suggestion);
    }

private:
    std::size_t finished() const
    {
        return static_cast<std::size_t>(std::ranges::count_if(m_history.trials(), [](const Observation &trial) {
            return trial.outcome == Outcome::Complete || trial.outcome == Outcome::Pruned;
        }));
    }

    std::optional<Suggestion> nextInSequence(const std::optional<Start> &start) const
    {
        const std::uint64_t seed = randomStream(m_history.spec().seed, 0, Purpose::Scrambling).next();
        const SobolSequence sequence(std::max<std::size_t>(1, m_history.space().dimensionCount()), seed);
        const auto first = static_cast<std::uint64_t>(m_number - 1);
        for (std::uint64_t index = first; index < first + mostVainDraws; ++index) {
            auto point = m_builder.fromUnits(sequence.point(index));
            if (!point || m_history.contains(point->parameters))
                continue;
            const Method method = start ? Method::Tpe : Method::Sobol;
            const Why why = start ? Why(*start) : Why(NextInSequence{index});
            return Suggestion{std::move(point->parameters), method, versionOf(method), why};
        }
        return std::nullopt;
    }

    std::optional<Suggestion> randomDraw() const
    {
        sweep::SplitMix64 random = randomStream(m_history.spec().seed, m_number, Purpose::RandomDraw);
        std::vector<double> units(m_history.space().dimensionCount());
        for (int draw = 0; draw < mostVainDraws; ++draw) {
            std::ranges::generate(units, [&] { return random.nextUnit(); });
            auto point = m_builder.fromUnits(units);
            if (point && !m_history.contains(point->parameters))
                return Suggestion{std::move(point->parameters), Method::Random, versionOf(Method::Random),
                                  DrawnAtRandom{}};
        }
        return std::nullopt;
    }

    /// Any untried point of a space that can be enumerated.
    tl::expected<Suggestion, NoPoint> leftOver() const
    {
        for (std::size_t i = 0; i < m_history.space().dimensionCount(); ++i) {
            if (m_history.space().values(i).isContinuous())
                return tl::unexpected(NoPoint{NoPoint::Cause::ConstraintsTight});
        }
        const sweep::Grid grid(m_history.space());
        const auto size = grid.count(mostEnumerated);
        const auto points = size && !size->isMore ? grid.points() : makeError(ErrorCode::Unsupported, "too large");
        if (!points)
            return tl::unexpected(NoPoint{NoPoint::Cause::ConstraintsTight});
        std::vector<sweep::ParameterSet> untried;
        for (const sweep::GridPoint &point : *points) {
            sweep::ParameterSet parameters;
            for (std::size_t i = 0; i < point.size(); ++i) {
                if (point[i] != sweep::switchedOff)
                    parameters.emplace_back(m_history.spec().space[i].name, m_history.space().values(i).at(point[i]));
            }
            if (!m_history.contains(parameters))
                untried.push_back(std::move(parameters));
        }
        if (untried.empty())
            return tl::unexpected(NoPoint{NoPoint::Cause::Exhausted, points->size()});
        sweep::SplitMix64 random = randomStream(m_history.spec().seed, m_number, Purpose::Shuffle);
        return Suggestion{untried[random.nextBelow(untried.size())], Method::Random, versionOf(Method::Random),
                          LeftOver{untried.size()}};
    }

    const SearchHistory &m_history;
    Method m_method;
    int m_number;
    PointBuilder m_builder;
};

}  // namespace

int versionOf(Method method)
{
    switch (method) {
    case Method::Random:
    case Method::Sobol:
    case Method::Tpe:
        return 1;
    }
    return 0;
}

tl::expected<Suggestion, NoPoint> suggest(const SearchHistory &history, Method method, int number)
{
    return Suggester(history, method, number).suggest();
}

}  // namespace sweepscope::search
