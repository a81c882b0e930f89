#pragma once

#include "facts/fact.h"
#include "search/method.h"

#include <optional>

namespace sweepscope::search {

class SearchHistory;

/// How `auto` searches: every fifth point is the runner-up's, in case the first method is wrong for the problem.
struct AutoChoice {
    Method method = Method::Sobol;
    std::optional<Method> runnerUp{};
    facts::Fact reason{};  ///< AutoCovers, AutoPredicts or AutoLearns

    /// The method that chooses the point of trial `number`.
    Method methodFor(int number) const { return runnerUp && number % 5 == 0 ? *runnerUp : method; }
};

/// Depends on the space, the number of trials and of results so far, and the number of objectives. docs/decisions.md has
/// the measurements behind each limit.
AutoChoice chooseAutomatically(const SearchHistory &history);

/// The same for a valid sweep that has no trials yet.
AutoChoice chooseAutomatically(const sweep::SweepSpec &spec);

}  // namespace sweepscope::search
