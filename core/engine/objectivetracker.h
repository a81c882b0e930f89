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

/// What the engine wants from rank 0's feed: the objective, the other metrics, and how far the trial is. Keeps values,
/// not points, so that an engine with hundreds of long trials stays small.
class ObjectiveTracker : public feed::RecordVisitor {
public:
    /// `rungs`: where the trial is compared with others, if it is.
    ObjectiveTracker(std::string objective, sweep::Goal goal, std::optional<Rungs> rungs = std::nullopt);

    void series(const feed::SeriesDeclaration &declaration) override;
    void point(const feed::Point &point) override;

    const std::optional<sweep::ObjectiveValue> &last() const { return m_last; }
    /// Lowest or highest by the goal, the first of equals; never NaN.
    const std::optional<sweep::ObjectiveValue> &best() const { return m_best; }
    const std::vector<sweep::MetricValue> &metrics() const { return m_metrics.values(); }
    std::int64_t step() const { return m_step; }
    /// When the first step was reported, in the rank's own time; empty before.
    std::optional<WallNs> firstReport() const { return m_firstReport; }
    /// Rungs that were reached since the last call, with the best value until then. Where a report skips some, the last
    /// of them.
    std::vector<RungValue> takeReached() { return std::exchange(m_reached, {}); }
    /// step of total_steps, 0 to 1; 0 while the trial has not said how many there are.
    double progress() const;

private:
    void noteRung(std::int64_t step);

    enum class Role : unsigned char { Other, Objective, TotalSteps };
    std::string m_objective;
    sweep::Goal m_goal;
    std::vector<Role> m_roles;  ///< by series id
    std::optional<sweep::ObjectiveValue> m_last;
    std::optional<sweep::ObjectiveValue> m_best;
    MetricTracker m_metrics;
    std::int64_t m_step = 0;
    std::optional<WallNs> m_firstReport;
    double m_totalSteps = 0;
    std::optional<Rungs> m_rungs;
    std::int64_t m_lastRung = 0;
    std::vector<RungValue> m_reached;
};

}  // namespace sweepscope::engine
