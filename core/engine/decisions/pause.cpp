#include "engine/decisions/pause.h"

#include <set>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using sweep::SweepState;
using sweep::TrialState;

tl::unexpected<Fact> refuse(Code code)
{
    return tl::unexpected<Fact>(Fact(code));
}

void replyCount(Decision &decision, Code code, std::size_t count)
{
    if (count != 0)
        decision.reply.push_back(counted(code, count));
}

Code effectOfPause(const SweepView &view)
{
    return savesCheckpoints(view.spec) ? Code::RunningSaved : Code::RunningFrozen;
}

void addPause(Decision &decision, const SweepView &view, TrialChange change)
{
    change.apply(TrialEvent::Paused, savesCheckpoints(view.spec) ? Code::PausedSaving : Code::PausedFrozen);
    change.row.pending = PendingRequest::Nothing;
    for (const AttemptEffect &effect : effectsOf(change.row.record, view.spec))
        decision.effects.push_back(effect);
    decision.trials.push_back(std::move(change));
}

/// Returns the trials that are paused, or will be once their ranks run.
std::vector<int> pausedOrDue(const SweepView &view)
{
    std::vector<int> numbers;
    for (const TrialRow &row : view.trials) {
        if (row.record.state == TrialState::Paused || row.pending == PendingRequest::Pause)
            numbers.push_back(row.record.number);
    }
    return numbers;
}

Decision resume(const SweepView &view, const std::vector<int> &numbers)
{
    Decision decision;
    std::size_t queued = 0;
    std::size_t fromCheckpoint = 0;
    std::size_t continued = 0;
    std::size_t cancelled = 0;
    for (const int number : numbers) {
        TrialChange change{view.trial(number), {}, {}};
        TrialRow &row = change.row;
        if (stopModeOf(row.pending))
            continue;
        if (row.pending == PendingRequest::Pause) {
            row.pending = PendingRequest::Nothing;
            change.note(Code::PauseCancelled);
            ++cancelled;
        } else if (row.record.state != TrialState::Paused) {
            continue;
        } else if (!view.hasAttempt(number)) {
            change.apply(TrialEvent::Requeued, Code::Queued);
            ++(savesCheckpoints(view.spec) && row.record.attempts > 0 ? fromCheckpoint : queued);
        } else if (savesCheckpoints(view.spec)) {
            ++fromCheckpoint;
            if (row.pending == PendingRequest::Resume)
                continue;
            row.pending = PendingRequest::Resume;
            row.record.reason = Code::ResumeRequested;
            change.note(Code::ResumeRequested);
        } else {
            change.apply(TrialEvent::Resumed, Code::None);
            decision.effects.push_back({number, AttemptAction::Thaw});
            ++continued;
        }
        decision.trials.push_back(std::move(change));
    }
    replyCount(decision, Code::PausesCancelled, cancelled);
    replyCount(decision, Code::FrozenResumed, continued);
    if (queued + fromCheckpoint != 0 && view.budgetSpent) {
        decision.reply.push_back(counted(Code::QueuedStopped, queued + fromCheckpoint).dueTo(*view.budgetSpent));
        return decision;
    }
    replyCount(decision, Code::QueuedResume, queued);
    replyCount(decision, Code::CheckpointsResume, fromCheckpoint);
    return decision;
}

}  // namespace

std::vector<AttemptEffect> effectsOf(const sweep::TrialRecord &trial, const sweep::SweepSpec &spec)
{
    switch (trial.state) {
    case TrialState::Running:
        return {{trial.number, AttemptAction::Thaw}};
    case TrialState::Paused:
        return {{trial.number, savesCheckpoints(spec) ? AttemptAction::SaveAndEnd : AttemptAction::Freeze}};
    case TrialState::Pruned:
        return {{trial.number, AttemptAction::Stop}};
    default:
        return {};
    }
}

bool isPauseDue(const SweepView &view, int number)
{
    const TrialRow &row = view.trial(number);
    return row.record.state == TrialState::Running && !view.isStopping(number) && !view.unreachable.contains(number)
           && (row.pending == PendingRequest::Pause || view.sweep.state == SweepState::Paused);
}

Decision pauseRunning(const SweepView &view, int number)
{
    Decision decision;
    addPause(decision, view, {view.trial(number), {}, {}});
    return decision;
}

Decided pauseSweep(const SweepView &view)
{
    if (view.sweep.state != SweepState::Running)
        return refuse(view.sweep.state == SweepState::Paused ? Code::SweepAlreadyPaused : Code::SweepIsStopping);
    Decision decision;
    decision.sweep = SweepChange{view.sweep, Code::Paused};
    decision.sweep->record.state = SweepState::Paused;
    std::size_t queued = 0;
    std::size_t running = 0;
    for (const TrialRow &row : view.trials) {
        queued += row.record.state == TrialState::Queued ? 1 : 0;
        if (!view.hasAttempt(row.record.number) || stopModeOf(row.pending))
            continue;
        if (view.unreachable.contains(row.record.number))
            continue;  // it follows when its machine is back
        running += sweep::isUnderWay(row.record.state) ? 1 : 0;
        if (row.record.state == TrialState::Running)  // starting ones follow when their ranks run
            addPause(decision, view, {row, {}, {}});
    }
    decision.reply = {Code::NoFurtherTrialsUntilResumed};
    replyCount(decision, Code::QueuedKept, queued);
    replyCount(decision, effectOfPause(view), running);
    return decision;
}

Decided pauseTrials(const SweepView &view, const std::vector<int> &numbers)
{
    if (view.sweep.state == SweepState::Stopping)
        return refuse(Code::SweepIsStopping);
    Decision decision;
    std::size_t queued = 0;
    std::size_t running = 0;
    std::size_t saving = 0;
    for (const int number : numbers) {
        TrialChange change{view.trial(number), {}, {}};
        TrialRow &row = change.row;
        if (stopModeOf(row.pending))
            continue;
        if (row.record.state == TrialState::Queued) {
            change.apply(TrialEvent::Paused, Code::PausedBeforeStart);
            ++queued;
        } else if (row.record.state == TrialState::Paused && row.pending == PendingRequest::Resume) {
            row.pending = PendingRequest::Nothing;
            row.record.reason = Code::PausedSaving;
            change.note(Code::PausedAgain);
            ++saving;
        } else if (view.hasAttempt(number) && sweep::isUnderWay(row.record.state)) {
            const bool isUnreachable = view.unreachable.contains(number);
            running += isUnreachable ? 0 : 1;
            change.note(Code::PauseRequested);
            if (row.record.state == TrialState::Running && !isUnreachable) {
                addPause(decision, view, std::move(change));
                continue;
            }
            row.pending = PendingRequest::Pause;
        } else {
            continue;
        }
        decision.trials.push_back(std::move(change));
    }
    if (decision.trials.empty())
        return refuse(Code::NothingToPause);
    replyCount(decision, Code::QueuedPaused, queued);
    replyCount(decision, Code::SavingStayPaused, saving);
    replyCount(decision, effectOfPause(view), running);
    return decision;
}

Decided resumeSweep(const SweepView &view)
{
    const std::vector<int> paused = pausedOrDue(view);
    if (view.sweep.state == SweepState::Stopping)
        return refuse(Code::SweepIsStopping);
    if (view.sweep.state != SweepState::Paused && paused.empty())
        return refuse(Code::NothingIsPaused);
    Decision decision = resume(view, paused);
    if (view.sweep.state == SweepState::Paused) {
        decision.sweep = SweepChange{view.sweep, Code::Resumed};
        decision.sweep->record.state = SweepState::Running;
    }
    decision.reply.insert(decision.reply.begin(), view.budgetSpent ? Fact(Code::QueuedStopped).dueTo(*view.budgetSpent)
                                                                   : Fact(Code::QueuedStart));
    return decision;
}

Decided resumeTrials(const SweepView &view, const std::vector<int> &numbers)
{
    if (view.sweep.state == SweepState::Paused)
        return refuse(Code::ResumeSweepFirst);
    Decision decision = resume(view, numbers);
    if (decision.reply.empty())
        return refuse(Code::NothingIsPaused);
    return decision;
}

}  // namespace sweepscope::engine
