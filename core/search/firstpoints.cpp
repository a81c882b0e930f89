#include "search/firstpoints.h"

#include "search/asktell.h"
#include "search/auto.h"
#include "sweep/randomsearch.h"
#include "sweep/trialplan.h"

#include <algorithm>
#include <utility>

namespace sweepscope::search {

namespace {

/// Trial n is chosen from at most n - 1 results, so a method that waits for `needed` results chooses that many trials without
/// any. The runner-up of auto may begin earlier; with too few results it leaves its trials to the other one.
std::optional<int> trialsBeforeResults(const SearchHistory &history, Method method)
{
    const AutoChoice choice = method == Method::Auto ? chooseAutomatically(history) : AutoChoice{method};
    const std::optional<std::size_t> needed = resultsNeeded(history, choice.method);
    if (!needed)
        return std::nullopt;
    const auto most = static_cast<int>(*needed);
    if (!choice.runnerUp)
        return most;
    const std::size_t neededByRunnerUp = resultsNeeded(history, *choice.runnerUp).value_or(*needed);
    for (int number = 1; number <= most; ++number) {
        const bool isOfRunnerUp = choice.methodFor(number) == *choice.runnerUp;
        if (isOfRunnerUp && static_cast<std::size_t>(number) > neededByRunnerUp)
            return number - 1;
    }
    return most;
}

}  // namespace

FirstPoints firstPoints(const sweep::SweepSpec &spec, const sweep::SearchSpace &space, int most,
                        const std::atomic<bool> &cancelled)
{
    const Method method = methodOf(spec);
    FirstPoints first;
    if (method == Method::Grid || method == Method::Command || !spec.warmStart.empty()) {
        first.certain = 0;
        return first;
    }
    const auto limit = static_cast<std::uint64_t>(most);
    const std::uint64_t wanted = spec.trials != 0 ? std::min(spec.trials, limit) : limit;
    if (!sweep::isOpenEnded(spec)) {
        sweep::SweepSpec beginning = spec;
        beginning.trials = wanted;
        if (auto drawn = sweep::drawRandomTrials(beginning, space))
            first.points = *std::move(drawn);
        return first;
    }
    AskTell search(spec, space, method, {}, cancelled);
    // Once its first run has completed, a point is due again before a new one is chosen.
    first.certain = spec.repeats > 1 ? std::optional(1) : trialsBeforeResults(search.history(), method);
    const int count = std::min(static_cast<int>(wanted), first.certain.value_or(most));
    // relaxed: the flag protects no other data
    for (int number = 1; number <= count && !cancelled.load(std::memory_order_relaxed); ++number) {
        auto suggestion = search.ask(number);
        if (!suggestion)
            break;
        Observation pending;
        pending.number = number;
        pending.parameters = suggestion->parameters;
        search.tell(std::move(pending));
        first.points.push_back(std::move(suggestion->parameters));
    }
    return first;
}

}  // namespace sweepscope::search
