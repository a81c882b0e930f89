#pragma once

#include "engine/metrictracker.h"
#include "engine/pruner.h"
#include "feed/records.h"
#include "sweep/records.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::engine {

/// What a trial's chain (sweep/trialchain.h) has reported before an attempt.
struct ReportedPast {
    std::optional<std::int64_t> firstStep;         ///< nullopt: nothing
    std::optional<std::int64_t> objectiveReached;  ///< the highest step at which it reported the objective
    std::optional<sweep::ObjectiveValue> last;
    std::optional<sweep::ObjectiveValue> best;
    std::vector<sweep::MetricValue> metrics;
    std::int64_t step = 0;
    double progress = 0;
};

/// What the engine wants from rank 0's feed: the objective, the other metrics, and how far the trial is. Keeps values,
/// not points, so that an engine with hundreds of long trials stays small. The first point decides whether the attempt
/// continues its past: if so, all values are those of the chain, else those of this attempt.
class ObjectiveTracker : public feed::RecordVisitor {
public:
    /// `rungs`: where the trial is compared with others, if it is.
    ObjectiveTracker(std::string objective, sweep::Goal goal, std::optional<Rungs> rungs = std::nullopt,
                     ReportedPast past = {});

    void series(const feed::SeriesDeclaration &declaration) override;
    void point(const feed::Point &point) override;

    const std::optional<sweep::ObjectiveValue> &last() const { return m_last; }
    /// Lowest or highest by the goal, the first of equals; never NaN.
    const std::optional<sweep::ObjectiveValue> &best() const { return m_best; }
    const std::vector<sweep::MetricValue> &metrics() const { return m_metrics.values(); }
    std::int64_t step() const { return m_step; }
    /// When the first step was reported, in the rank's own time; empty before.
    std::optional<WallNs> firstReport() const { return m_firstReport; }
    /// It has reported something, and that continues nothing.
    bool startedAnew() const { return m_startedAnew; }
    /// Of the chain.
    std::optional<std::int64_t> firstStep() const { return m_firstStep; }
    std::optional<std::int64_t> objectiveReached() const { return m_objectiveReached; }
    /// Rungs that were reached since the last call, with the best value until then. Where a report skips some, the last
    /// of them. At a rung that the past has reached too, the value is that of this attempt alone: Pruner knows the other.
    std::vector<RungValue> takeReached() { return std::exchange(m_reached, {}); }
    /// step of total_steps, 0 to 1; 0 while the trial has not said how many there are.
    double progress() const;

private:
    void meetPast(std::int64_t step);
    void noteRung(std::int64_t step);

    enum class Role : unsigned char { Other, Objective, TotalSteps };
    std::string m_objective;
    sweep::Goal m_goal;
    ReportedPast m_past;        ///< empty once it is known to continue nothing
    std::vector<Role> m_roles;  ///< by series id
    std::optional<sweep::ObjectiveValue> m_last;
    std::optional<sweep::ObjectiveValue> m_best;
    std::optional<sweep::ObjectiveValue> m_ownBest;  ///< of this attempt alone
    MetricTracker m_metrics;
    std::int64_t m_step = 0;
    std::optional<std::int64_t> m_firstStep;
    std::optional<std::int64_t> m_objectiveReached;
    bool m_startedAnew = false;
    std::optional<WallNs> m_firstReport;
    double m_totalSteps = 0;
    std::optional<Rungs> m_rungs;
    std::optional<std::int64_t> m_lastRung;  ///< nullopt before the first report of the objective
    std::vector<RungValue> m_reached;
};

}  // namespace sweepscope::engine
