#include "search/suggestion.h"

#include "search/auto.h"
#include "search/cmaes.h"
#include "search/gp.h"
#include "search/nsga2.h"
#include "search/pbt.h"
#include "search/pointbuilder.h"
#include "search/randomstream.h"
#include "search/sobol.h"
#include "search/tpe.h"
#include "sweep/grid.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::search {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// Draws, or points of the sequence, in a row that are tried or forbidden, before the rest of the space is looked at.
constexpr int mostVainDraws = 20'000;
/// A space with more points is not enumerated.
constexpr std::uint64_t mostEnumerated = 1'000'000;

class Suggester {
public:
    Suggester(const SearchHistory &history, Method method, int number)
        : m_history(history),
          m_isInsteadOfCmaes(method == Method::Cmaes && !isForCmaes(history)),
          m_method(m_isInsteadOfCmaes ? Method::Tpe : method),
          m_number(number),
          m_builder(history.spec(), history.space(), history.axes())
    {}

    tl::expected<Suggestion, Fact> suggest() const
    {
        std::optional<Suggestion> suggestion;
        const bool beginsWithSobol = m_method == Method::Tpe || m_method == Method::Gp || m_method == Method::Nsga2;
        const std::size_t needed = resultsNeeded(m_history, m_method).value_or(0);
        if (m_method == Method::Grid)
            return nextOfGrid();
        if (m_method == Method::Pbt) {
            auto successor = suggestByPbt(m_history, m_number, m_builder);
            if (!successor)
                return tl::unexpected(std::move(successor.error()));
            suggestion = *std::move(successor);
        }
        if (m_method == Method::Sobol || (m_method == Method::Pbt && !suggestion))
            suggestion = nextInSequence(std::nullopt);
        else if (beginsWithSobol && results() < needed)
            suggestion = nextInSequence(Fact(Code::ChosenToStart)
                                            .with(Field::Count, static_cast<std::int64_t>(results()))
                                            .with(Field::Needed, static_cast<std::int64_t>(needed)));
        else if (ignoresOthers(needed))
            suggestion = nextInSequence(Code::ChosenToExplore);
        else if (m_method == Method::Tpe)
            suggestion = isLeftToChance() ? randomDraw() : suggestByTpe(m_history, m_number, m_builder);
        else if (m_method == Method::Gp)
            suggestion = suggestByGp(m_history, m_number, m_builder);
        else if (m_method == Method::Cmaes)
            suggestion = suggestByCmaes(m_history, m_number, m_builder);
        else if (m_method == Method::Nsga2)
            suggestion = suggestByNsga2(m_history, m_number, m_builder);
        if (!suggestion && m_method == Method::Gp && results() >= needed) {
            suggestion = suggestByTpe(m_history, m_number, m_builder);
            if (suggestion)
                suggestion->why = std::move(suggestion->why).dueTo(Code::GpUnsuited);
        }
        if (!suggestion)
            suggestion = randomDraw();
        if (!suggestion)
            return leftOver();
        if (m_isInsteadOfCmaes)
            suggestion->why = std::move(suggestion->why).dueTo(Code::CmaesUnsuited);
        return *std::move(suggestion);
    }

private:
    /// How many trials tell a model something.
    std::size_t results() const
    {
        const bool atRungs = m_method == Method::Tpe && inBrackets(m_history.spec());
        std::size_t results = 0;
        for (std::size_t place = 0; place < m_history.trials().size(); ++place) {
            const Observation &trial = m_history.trials()[place];
            const bool isKnown = atRungs ? std::ranges::any_of(
                                     trial.rungs, [](double value) { return std::isfinite(value); }, &RungResult::value)
                                         : isUsable(trial) || trial.outcome == Outcome::Infeasible;
            results += isKnown && m_history.coordinates(place) != nullptr ? 1 : 0;
        }
        return results;
    }

    /// With results of other sweeps, every fourth point until there are as many own ones as the model needs: the best points
    /// of the others may be elsewhere, and a model of them would never look here.
    bool ignoresOthers(std::size_t needed) const
    {
        if ((m_method != Method::Tpe && m_method != Method::Gp) || m_number % 4 != 0)
            return false;
        std::size_t own = 0;
        bool hasOthers = false;
        for (const Observation &trial : m_history.trials()) {
            hasOthers = hasOthers || !isOwn(trial);
            own += isOwn(trial) && isUsable(trial) ? 1 : 0;
        }
        return hasOthers && own < needed;
    }

    /// A third of the points in brackets, because values at early rungs may mislead the model (BOHB).
    bool isLeftToChance() const
    {
        return inBrackets(m_history.spec())
               && randomStream(m_history.spec().seed, m_number, Purpose::Chance).nextBelow(3) == 0;
    }

    /// Its reason is `start`, or else its place in the sequence.
    std::optional<Suggestion> nextInSequence(const std::optional<Fact> &start) const
    {
        const std::uint64_t seed = randomStream(m_history.spec().seed, 0, Purpose::Scrambling).next();
        const SobolSequence sequence(std::max<std::size_t>(1, m_history.space().dimensionCount()), seed);
        const auto first = static_cast<std::uint64_t>(m_number - 1);
        for (std::uint64_t index = first; index < first + mostVainDraws; ++index) {
            auto point = m_builder.fromUnits(sequence.point(index));
            if (!point || m_history.contains(point->parameters))
                continue;
            if (start)
                return Suggestion{std::move(point->parameters), m_method, *start};
            return Suggestion{std::move(point->parameters), Method::Sobol,
                              Fact(Code::ChosenInSequence).with(Field::Number, static_cast<std::int64_t>(index))};
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
                return Suggestion{std::move(point->parameters), Method::Random, Code::ChosenAtRandom};
        }
        return std::nullopt;
    }

    /// Any untried point of a space that can be enumerated.
    tl::expected<Suggestion, Fact> leftOver() const
    {
        for (std::size_t i = 0; i < m_history.space().dimensionCount(); ++i) {
            if (m_history.space().values(i).isContinuous())
                return tl::unexpected<Fact>(m_history.spec().constraints.empty() ? Code::PointsExhausted
                                                                                 : Code::ConstraintsTight);
        }
        const sweep::Grid grid(m_history.space());
        const auto size = grid.count(mostEnumerated);
        const bool isSmall = size && !size->isMore && size->count <= mostEnumerated;
        const auto points = isSmall ? grid.points() : makeError(ErrorCode::Unsupported, "too large");
        if (!points)
            return tl::unexpected<Fact>(Code::ConstraintsTight);
        std::vector<sweep::ParameterSet> untried;
        for (const sweep::GridPoint &point : *points) {
            sweep::ParameterSet parameters = parametersOf(point);
            if (!m_history.contains(parameters))
                untried.push_back(std::move(parameters));
        }
        if (untried.empty())
            return tl::unexpected(
                Fact(Code::PointsExhausted).with(Field::Count, static_cast<std::int64_t>(points->size())));
        sweep::SplitMix64 random = randomStream(m_history.spec().seed, m_number, Purpose::Shuffle);
        return Suggestion{untried[random.nextBelow(untried.size())], Method::Random,
                          Fact(Code::ChosenFromRest).with(Field::Count, static_cast<std::int64_t>(untried.size()))};
    }

    sweep::ParameterSet parametersOf(const sweep::GridPoint &point) const
    {
        sweep::ParameterSet parameters;
        for (std::size_t i = 0; i < point.size(); ++i) {
            if (point[i] != sweep::switchedOff)
                parameters.emplace_back(m_history.spec().space[i].name, m_history.space().values(i).at(point[i]));
        }
        return parameters;
    }

    tl::expected<Suggestion, Fact> nextOfGrid() const
    {
        const auto points = sweep::Grid(m_history.space()).points();
        if (!points)
            return tl::unexpected<Fact>(Code::ConstraintsTight);
        for (std::size_t i = 0; i < points->size(); ++i) {
            if (sweep::ParameterSet parameters = parametersOf((*points)[i]); !m_history.contains(parameters))
                return Suggestion{std::move(parameters), Method::Grid,
                                  Fact(Code::ChosenFromGrid).with(Field::Number, static_cast<std::int64_t>(i) + 1)};
        }
        return tl::unexpected(
            Fact(Code::PointsExhausted).with(Field::Count, static_cast<std::int64_t>(points->size())));
    }

    const SearchHistory &m_history;
    bool m_isInsteadOfCmaes;
    Method m_method;
    int m_number;
    PointBuilder m_builder;
};

}  // namespace

std::optional<std::size_t> resultsNeeded(const SearchHistory &history, Method method)
{
    switch (method) {
    case Method::Tpe:
        return tpeStart(history);
    case Method::Gp:
        return gpStart(history);
    case Method::Cmaes:
        return isForCmaes(history) ? cmaesPopulation(history) : tpeStart(history);
    case Method::Nsga2:
        return nsga2Population(history);
    case Method::Pbt:
        return populationOf(history.spec());
    case Method::Grid:
    case Method::Random:
    case Method::Sobol:
    case Method::Auto:
    case Method::Command:
        break;
    }
    return std::nullopt;
}

tl::expected<Suggestion, Fact> suggest(const SearchHistory &history, Method method, int number)
{
    if (method != Method::Auto)
        return Suggester(history, method, number).suggest();
    const AutoChoice choice = chooseAutomatically(history);
    if (choice.methodFor(number) != choice.method) {
        auto suggestion = Suggester(history, *choice.runnerUp, number).suggest();
        if (suggestion && suggestion->why.code != Code::ChosenToStart) {
            suggestion->why = Fact(Code::ChosenByRunnerUp).dueTo(std::move(suggestion->why));
            return suggestion;
        }
    }
    return Suggester(history, choice.method, number).suggest();
}

}  // namespace sweepscope::search
