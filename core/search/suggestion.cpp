#include "search/suggestion.h"

#include "search/pointbuilder.h"
#include "search/randomstream.h"
#include "search/sobol.h"
#include "search/tpe.h"
#include "search/triedpoints.h"
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
    explicit Suggester(const Request &request)
        : m_request(request), m_builder(request.spec, request.space), m_tried(request.history)
    {}

    tl::expected<Suggestion, NoPoint> suggest() const
    {
        std::optional<Suggestion> suggestion;
        if (m_request.method == Method::Tpe && finished() >= tpeStart)
            suggestion = suggestByTpe(m_request, m_builder, m_tried);
        else if (m_request.method == Method::Sobol)
            suggestion = nextInSequence(std::nullopt);
        else if (m_request.method == Method::Tpe)
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
        return static_cast<std::size_t>(std::ranges::count_if(m_request.history, [](const Observation &trial) {
            return trial.outcome == Outcome::Complete || trial.outcome == Outcome::Pruned;
        }));
    }

    std::optional<Suggestion> nextInSequence(const std::optional<Start> &start) const
    {
        const std::uint64_t seed = randomStream(m_request.spec.seed, 0, Purpose::Scrambling).next();
        const SobolSequence sequence(std::max<std::size_t>(1, m_request.space.dimensionCount()), seed);
        const auto first = static_cast<std::uint64_t>(m_request.number - 1);
        for (std::uint64_t index = first; index < first + mostVainDraws; ++index) {
            auto point = m_builder.fromUnits(sequence.point(index));
            if (!point || m_tried.contains(point->parameters))
                continue;
            const Method method = start ? Method::Tpe : Method::Sobol;
            const Why why = start ? Why(*start) : Why(NextInSequence{index});
            return Suggestion{std::move(point->parameters), method, versionOf(method), why};
        }
        return std::nullopt;
    }

    std::optional<Suggestion> randomDraw() const
    {
        sweep::SplitMix64 random = randomStream(m_request.spec.seed, m_request.number, Purpose::RandomDraw);
        std::vector<double> units(m_request.space.dimensionCount());
        for (int draw = 0; draw < mostVainDraws; ++draw) {
            std::ranges::generate(units, [&] { return random.nextUnit(); });
            auto point = m_builder.fromUnits(units);
            if (point && !m_tried.contains(point->parameters))
                return Suggestion{std::move(point->parameters), Method::Random, versionOf(Method::Random),
                                  DrawnAtRandom{}};
        }
        return std::nullopt;
    }

    /// Any untried point of a space that can be enumerated.
    tl::expected<Suggestion, NoPoint> leftOver() const
    {
        for (std::size_t i = 0; i < m_request.space.dimensionCount(); ++i) {
            if (m_request.space.values(i).isContinuous())
                return tl::unexpected(NoPoint{NoPoint::Cause::ConstraintsTight});
        }
        const sweep::Grid grid(m_request.space);
        const auto size = grid.count(mostEnumerated);
        const auto points = size && !size->isMore ? grid.points() : makeError(ErrorCode::Unsupported, "too large");
        if (!points)
            return tl::unexpected(NoPoint{NoPoint::Cause::ConstraintsTight});
        std::vector<sweep::ParameterSet> untried;
        for (const sweep::GridPoint &point : *points) {
            sweep::ParameterSet parameters;
            for (std::size_t i = 0; i < point.size(); ++i) {
                if (point[i] != sweep::switchedOff)
                    parameters.emplace_back(m_request.spec.space[i].name, m_request.space.values(i).at(point[i]));
            }
            if (!m_tried.contains(parameters))
                untried.push_back(std::move(parameters));
        }
        if (untried.empty())
            return tl::unexpected(NoPoint{NoPoint::Cause::Exhausted, points->size()});
        sweep::SplitMix64 random = randomStream(m_request.spec.seed, m_request.number, Purpose::Shuffle);
        return Suggestion{untried[random.nextBelow(untried.size())], Method::Random, versionOf(Method::Random),
                          LeftOver{untried.size()}};
    }

    const Request &m_request;
    PointBuilder m_builder;
    TriedPoints m_tried;
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

tl::expected<Suggestion, NoPoint> suggest(const Request &request)
{
    return Suggester(request).suggest();
}

}  // namespace sweepscope::search
