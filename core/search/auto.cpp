#include "search/auto.h"

#include "search/searchhistory.h"
#include "sweep/grid.h"

#include <algorithm>

namespace sweepscope::search {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

/// A model of more results would leave some out (gp.cpp), and tpe takes a hundredth of the time.
constexpr std::size_t mostResults = 500;
/// As many as were measured.
constexpr std::size_t mostParameters = 40;

/// How many points the space has; nullopt if it has more than `most`, or any number.
std::optional<std::uint64_t> pointCount(const sweep::SearchSpace &space, std::uint64_t most)
{
    for (std::size_t i = 0; i < space.dimensionCount(); ++i) {
        if (space.values(i).isContinuous())
            return std::nullopt;
    }
    const auto size = sweep::Grid(space).count(most);
    return size && !size->isMore && size->count <= most ? std::optional(size->count) : std::nullopt;
}

}  // namespace

AutoChoice chooseAutomatically(const SearchHistory &history)
{
    const sweep::SweepSpec &spec = history.spec();
    if (spec.trials != 0) {
        if (const auto points = pointCount(history.space(), spec.trials))
            return {Method::Sobol, {}, Fact(Code::AutoCovers).with(Field::Count, static_cast<std::int64_t>(*points))};
    }
    const auto parameters = static_cast<std::size_t>(std::ranges::count_if(spec.space, SearchHistory::isModelled));
    std::size_t objectives = 1 + spec.objectives.size();
    std::size_t results = 0;
    for (const Observation &trial : history.trials()) {
        objectives = std::max(objectives, trial.values.size());
        const bool isResult = trial.outcome == Outcome::Complete || trial.outcome == Outcome::Pruned;
        results += isResult && isOwn(trial) ? 1 : 0;
    }
    if (objectives > 1)
        return {Method::Tpe, {}, Fact(Code::AutoLearns).with(Field::Number, static_cast<std::int64_t>(objectives))};
    const auto count = static_cast<std::int64_t>(parameters);
    if (parameters > mostParameters)
        return {Method::Tpe, {}, Fact(Code::AutoLearns).with(Field::Count, count)};
    Fact reason = Fact(Code::AutoPredicts).with(Field::Count, count);
    if (spec.trials == 0 || spec.trials > mostResults)
        reason = std::move(reason).with(Field::Limit, static_cast<std::int64_t>(mostResults));
    if (results > mostResults)
        return {Method::Tpe, Method::Gp, std::move(reason)};
    return {Method::Gp, Method::Tpe, std::move(reason)};
}

AutoChoice chooseAutomatically(const sweep::SweepSpec &spec)
{
    const auto space = sweep::SearchSpace::compile(spec);
    return space ? chooseAutomatically(SearchHistory(spec, *space)) : AutoChoice();
}

}  // namespace sweepscope::search
