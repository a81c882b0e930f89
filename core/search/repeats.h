#pragma once

#include "search/method.h"
#include "search/searchhistory.h"
#include "search/suggestion.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace sweepscope::search {

/// Decides which points of a search run again (`search.repeats`). Each run is a separate trial.
///
/// A point whose last run has completed is due again until it has had all of its runs; one that was lost is replaced. It is
/// no longer due once a run failed, was pruned or violated a constraint, or once its mean is significantly worse than the
/// best one: as far as a two-sided t-test at 5% can tell, with the deviation of all points that have run more than once.
/// Such a point is passed over before it has had all of its runs; this is known as racing.
class Repeats {
public:
    /// `spec` must outlive it.
    explicit Repeats(const sweep::SweepSpec &spec) : m_spec(&spec) {}

    /// Adds a trial, or replaces the one with its number. Returns its point as search methods see it: with the number of its
    /// first trial and the mean of its completed ones.
    Observation set(Observation trial);

    using Choice = tl::expected<Suggestion, facts::Fact>;
    /// Returns the point of trial `number`: the due point with the best mean, or a new one from `chooseNew`. A grid
    /// runs all of its points first. Without either: ResultsAwaited, RepeatsDone, or the reason why there is no new
    /// point.
    Choice suggest(const sweep::SearchSpace &space, Method method, int number,
                   const std::function<Choice()> &chooseNew) const;

private:
    struct Point {
        sweep::ParameterSet parameters;
        std::vector<Observation> runs;  ///< in order of their numbers; without parameters
        double mean = 0;                ///< of the completed ones
        double squares = 0;             ///< sum of their squared distances from it
        int completed = 0;
        bool isPending = false;
        bool isBroken = false;  ///< a run failed, was pruned, or violated a constraint
    };

    static void update(Point &point);
    std::optional<Suggestion> due(const sweep::SearchSpace &space, Method method) const;
    /// Whether enough trials are left for all runs of a new point.
    bool hasRoom(int number) const;

    const sweep::SweepSpec *m_spec;
    std::map<sweep::ParameterSet, Point> m_points;  ///< by canonical parameters
    int m_pending = 0;
};

}  // namespace sweepscope::search
