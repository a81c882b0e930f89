#pragma once

#include "engine/metrictracker.h"
#include "feed/records.h"
#include "pruning/rungs.h"
#include "sweep/records.h"
#include "sweep/steppace.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::engine {

/// What a trial's chain (sweep/trialchain.h) reported before an attempt.
struct ReportedPast {
    std::optional<std::int64_t> firstStep;         ///< nullopt: nothing was reported
    std::optional<std::int64_t> objectiveReached;  ///< the highest step at which it reported the objective
    std::optional<sweep::ObjectiveValue> last;
    std::optional<sweep::ObjectiveValue> best;
    std::vector<sweep::MetricValue> metrics;
    std::int64_t step = 0;
    double progress = 0;
    bool isOfAnother = false;  ///< the trial begins at the checkpoint of another
};

/// Extracts from rank 0's feed what the engine needs: the objective, the other metrics, and the progress. Keeps values,
/// not points, so that an engine with hundreds of long trials stays small. The first point decides whether the attempt
/// continues its past: if so, all values cover the chain, else only this attempt.
class ObjectiveTracker : public feed::RecordVisitor {
public:
    /// `rungs`: where the trial is compared with others; nullopt if it is not.
    ObjectiveTracker(std::string objective, sweep::Goal goal, std::optional<pruning::Rungs> rungs = std::nullopt,
                     ReportedPast past = {});

    void series(const feed::SeriesDeclaration &declaration) override;
    void point(const feed::Point &point) override;

    const std::optional<sweep::ObjectiveValue> &last() const { return m_last; }
    /// Min or max by the goal, the first of equals; never NaN.
    const std::optional<sweep::ObjectiveValue> &best() const { return m_best; }
    const std::vector<sweep::MetricValue> &metrics() const { return m_metrics.values(); }
    std::int64_t step() const { return m_step; }
    /// Returns when the first step was reported, by the rank's clock; nullopt before.
    std::optional<WallNs> firstReport() const { return m_firstReport; }
    const sweep::StepPace &pace() const { return m_pace; }
    /// Returns whether it has reported something that does not continue its past.
    bool startedAnew() const { return m_startedAnew; }
    /// Returns whether it did so although earlier attempts had reported something.
    bool droppedPast() const { return m_droppedPast; }
    /// The first step of the chain.
    std::optional<std::int64_t> firstStep() const { return m_firstStep; }
    std::optional<std::int64_t> objectiveReached() const { return m_objectiveReached; }
    /// Returns the rungs reached since the last call, with the best value so far. If a report skips rungs, returns only
    /// the last of them. At a rung that earlier attempts also reached, the value is that of this attempt alone; Pruner
    /// knows the others.
    std::vector<pruning::RungValue> takeReached() { return std::exchange(m_reached, {}); }
    /// Returns step / total_steps, 0 to 1; 0 until the trial has reported the total.
    double progress() const;

private:
    void meetPast(std::int64_t step);
    void noteRung(std::int64_t step);

    enum class Role : unsigned char { Other, Objective, TotalSteps };
    std::string m_objective;
    sweep::Goal m_goal;
    ReportedPast m_past;        ///< empty once it is known that the attempt does not continue it
    std::vector<Role> m_roles;  ///< by series id
    std::optional<sweep::ObjectiveValue> m_last;
    std::optional<sweep::ObjectiveValue> m_best;
    std::optional<sweep::ObjectiveValue> m_ownBest;  ///< of this attempt alone
    MetricTracker m_metrics;
    std::int64_t m_step = 0;
    std::optional<std::int64_t> m_firstStep;
    std::optional<std::int64_t> m_objectiveReached;
    bool m_startedAnew = false;
    bool m_droppedPast = false;
    std::optional<WallNs> m_firstReport;
    sweep::StepPace m_pace;
    double m_totalSteps = 0;
    bool m_beganAtAnother;
    std::optional<pruning::Rungs> m_rungs;
    std::optional<std::int64_t> m_lastRung;  ///< nullopt before the first report of the objective
    std::vector<pruning::RungValue> m_reached;
};

}  // namespace sweepscope::engine
