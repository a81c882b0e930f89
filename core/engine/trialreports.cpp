#include "engine/trialreports.h"

#include <cmath>

namespace sweepscope::engine {

namespace {

bool same(const std::optional<sweep::ObjectiveValue> &a, const std::optional<sweep::ObjectiveValue> &b)
{
    if (!a || !b)
        return a.has_value() == b.has_value();
    return a->step == b->step && (a->value == b->value || (std::isnan(a->value) && std::isnan(b->value)));
}

}  // namespace

ReportedPast pastOf(const TrialRow &row, int number)
{
    const sweep::TrialRecord &trial = row.record;
    ReportedPast past;
    if (trial.firstAttempt != number)
        past = {row.firstStep, row.objectiveReached, trial.objectiveLast, trial.objectiveBest,
                trial.metrics, trial.step,           trial.progress};
    past.isOfAnother = sweep::parentOf(trial.chosen).has_value();
    return past;
}

bool applyReports(TrialRow &row, const ObjectiveTracker &objective, bool endsAtItsSteps)
{
    const double progress = endsAtItsSteps ? objective.progress() : 0;
    sweep::TrialRecord &record = row.record;
    const bool drops = objective.startedAnew() && record.firstAttempt != record.attempts;
    if (!drops && same(record.objectiveLast, objective.last()) && record.step == objective.step()
        && record.progress == progress && sweep::isSame(record.metrics, objective.metrics()))
        return false;
    if (drops) {
        record.firstAttempt = record.attempts;
        record.ran = 0;
    }
    row.firstStep = objective.firstStep();
    row.objectiveReached = objective.objectiveReached();
    record.objectiveLast = objective.last();
    record.objectiveBest = objective.best();
    record.metrics = objective.metrics();
    record.step = objective.step();
    record.progress = progress;
    return true;
}

}  // namespace sweepscope::engine
