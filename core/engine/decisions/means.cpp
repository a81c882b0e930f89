#include "engine/decisions/means.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sweepscope::engine {

namespace {

std::optional<sweep::PointMean> meanOf(const std::vector<const TrialRow *> &point)
{
    sweep::PointMean mean;
    double squares = 0;
    for (const TrialRow *row : point) {
        const sweep::TrialRecord &trial = row->record;
        if (trial.state != sweep::TrialState::Completed || !trial.objectiveBest
            || !std::isfinite(trial.objectiveBest->value))
            continue;
        ++mean.runs;
        const double distance = trial.objectiveBest->value - mean.value;
        mean.value += distance / mean.runs;
        squares += distance * (trial.objectiveBest->value - mean.value);
    }
    if (mean.runs == 0)
        return std::nullopt;
    if (mean.runs > 1)
        mean.error = std::sqrt(squares / (mean.runs - 1) / mean.runs);
    return mean;
}

bool haveSameValues(const sweep::ParameterSet &one, const sweep::ParameterSet &other)
{
    return std::ranges::equal(one, other, [](const auto &a, const auto &b) {
        return a.first == b.first && (a.second == b.second || sweep::canonical(a.second) == sweep::canonical(b.second));
    });
}

void setMean(const std::vector<const TrialRow *> &point, const std::optional<sweep::PointMean> &mean,
             Decision &decision)
{
    for (const TrialRow *row : point) {
        if (row->record.pointMean != mean)
            decision.trials.emplace_back(TrialChange{*row, {}, {}}).row.record.pointMean = mean;
    }
}

}  // namespace

Decision meanChanges(const SweepView &view)
{
    Decision decision;
    std::map<sweep::ParameterSet, std::vector<const TrialRow *>> points;
    for (const TrialRow &row : view.trials) {
        if (view.spec.repeats > 1)
            points[sweep::canonical(row.record.parameters)].push_back(&row);
        else
            setMean({&row}, std::nullopt, decision);
    }
    for (const auto &[parameters, point] : points)
        setMean(point, meanOf(point), decision);
    return decision;
}

Decision meanChanges(const SweepView &view, int trial)
{
    Decision decision;
    if (view.spec.repeats <= 1 || !view.hasTrial(trial))
        return decision;
    std::vector<const TrialRow *> point;
    for (const TrialRow &row : view.trials) {
        if (haveSameValues(row.record.parameters, view.trial(trial).record.parameters))
            point.push_back(&row);
    }
    setMean(point, meanOf(point), decision);
    return decision;
}

}  // namespace sweepscope::engine
