#include "search/observation.h"

#include "sweep/trialtime.h"

#include <cmath>

namespace sweepscope::search {

namespace {

using facts::Code;
using sweep::TrialState;

/// Whether the trial failed for a reason that has nothing to do with its parameters.
bool failedByMachine(const facts::Fact &reason)
{
    switch (reason.code) {
    case Code::AttemptNotStarted:
    case Code::AgentNotStarted:
    case Code::AgentCannotWrite:
    case Code::RankNotStarted:
    case Code::FolderVanished:
    case Code::DevicesImpossible:
        return true;
    case Code::NotRetried:
        return !reason.because.empty() && failedByMachine(reason.because.front());
    default:
        return false;
    }
}

Outcome outcomeOf(const sweep::TrialRecord &trial)
{
    const bool hasValue = trial.objectiveBest && std::isfinite(trial.objectiveBest->value);
    switch (trial.state) {
    case TrialState::Queued:
    case TrialState::Starting:
    case TrialState::Running:
    case TrialState::Paused:
        return Outcome::Pending;
    case TrialState::Completed:
        return hasValue ? Outcome::Complete : Outcome::Failed;
    case TrialState::Pruned:
        return Outcome::Pruned;
    case TrialState::Failed:
        return failedByMachine(trial.reason) ? Outcome::Unknown : Outcome::Failed;
    case TrialState::Stopped:
        return hasValue ? Outcome::Pruned : Outcome::Unknown;
    case TrialState::Lost:
        break;
    }
    return Outcome::Unknown;
}

}  // namespace

TrialObserver::TrialObserver(const sweep::SweepSpec &spec) : m_spec(&spec)
{
    if (spec.outcomeConstraints.empty())
        return;
    if (auto compiled = sweep::OutcomeConstraints::compile(spec))
        m_constraints = std::move(*compiled);
}

Observation TrialObserver::operator()(const sweep::TrialRecord &trial) const
{
    Observation observation;
    observation.number = trial.number;
    observation.outcome = outcomeOf(trial);
    if (m_spec->method == sweep::SearchMethod::Pbt && trial.state == TrialState::Completed)
        observation.outcome = Outcome::Complete;
    observation.parameters = trial.parameters;
    if (observation.outcome != Outcome::Pending)
        observation.deviceSeconds = toSeconds(sweep::deviceTime(trial));
    const bool counts = observation.outcome == Outcome::Complete || observation.outcome == Outcome::Pruned;
    if (counts && !m_spec->objectives.empty()) {
        observation.values = sweep::objectiveValues(*m_spec, trial);
    } else if (counts && trial.objectiveBest) {
        const double value = trial.objectiveBest->value;
        observation.values = {m_spec->goal == sweep::Goal::Maximize ? -value : value};
    }
    if (observation.outcome == Outcome::Pruned && trial.objectiveLast)
        observation.step = trial.objectiveLast->step;
    if (observation.outcome == Outcome::Complete && m_constraints) {
        observation.excesses = m_constraints->excesses(trial);
        for (const double excess : observation.excesses)
            observation.violation += excess > 0 ? excess : 0;
    }
    if (observation.violation > 0)
        observation.outcome = Outcome::Infeasible;
    return observation;
}

}  // namespace sweepscope::search
