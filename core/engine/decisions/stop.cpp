#include "engine/decisions/stop.h"

#include "sweep/trialtime.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;
using sweep::StopMode;
using sweep::SweepState;
using sweep::TrialState;

/// Seconds between SIGTERM and SIGKILL (LaunchSpec::grace).
constexpr double graceSeconds = 10;

Fact effectOn(std::size_t running, StopMode mode)
{
    switch (mode) {
    case StopMode::Finish:
        return counted(Code::RunningFinish, running);
    case StopMode::Checkpoint:
        return counted(Code::RunningCheckpoint, running);
    case StopMode::Now:
        return counted(Code::RunningTerminated, running).with(Field::Seconds, graceSeconds);
    case StopMode::Kill:
        break;
    }
    return counted(Code::RunningKilled, running);
}

/// Whether the trial might be promoted (promote.h), which a stop rules out; also if only an edit would allow promotion.
bool mightContinue(const TrialRow &row)
{
    return row.record.state == TrialState::Pruned && row.record.reason.code == Code::PrunedByRank && !row.spared;
}

TrialChange spared(const TrialRow &row)
{
    TrialChange change{row, {}, {}};
    change.row.spared = true;
    return change;
}

void append(std::vector<AttemptEffect> &effects, const std::vector<AttemptEffect> &more)
{
    effects.insert(effects.end(), more.begin(), more.end());
}

}  // namespace

std::vector<AttemptEffect> stopEffects(const SweepView &view, int number, StopMode mode)
{
    const bool isPaused = view.trial(number).record.state == TrialState::Paused;
    switch (mode) {
    case StopMode::Finish:
        if (!isPaused)
            return {};
        break;  // a paused trial never finishes
    case StopMode::Checkpoint:
        if (isPaused)  // it sees the request when it continues
            return {{number, AttemptAction::SaveAndEnd}, {number, AttemptAction::Thaw}};
        return {{number, AttemptAction::SaveAndEnd}};
    case StopMode::Now:
        break;
    case StopMode::Kill:
        return {{number, AttemptAction::Kill}};
    }
    return {{number, AttemptAction::Stop}};
}

Decided stopSweep(const SweepView &view, StopMode mode, WallNs now)
{
    if (view.sweep.state == SweepState::Stopping && mode <= view.sweep.stopMode) {
        Decision nothing;
        nothing.reply = {Fact(Code::AlreadyStopping).with(Field::Mode, sweep::toString(view.sweep.stopMode))};
        return nothing;
    }
    const auto queued = static_cast<std::size_t>(
        std::ranges::count_if(view.trials, [](const TrialRow &row) { return row.record.state == TrialState::Queued; }));
    const auto running = static_cast<std::size_t>(std::ranges::count_if(view.attempts, [&](int number) {
        return !sweep::isFinal(view.trial(number).record.state);  // pruned ones are already ending
    }));
    const auto waiting =
        mode == StopMode::Finish ? 0 : static_cast<std::size_t>(std::ranges::count_if(view.attempts, [&](int number) {
            return sweep::waitsAsJob(view.trial(number).record);
        }));
    Decision decision = stopIdleTrials(view, now);
    decision.sweep = SweepChange{view.sweep, Fact(Code::StopRequested).with(Field::Mode, sweep::toString(mode))};
    decision.sweep->record.state = SweepState::Stopping;
    decision.sweep->record.stopMode = mode;
    decision.sweep->record.trialsToCome = 0;
    for (const int number : view.attempts)
        append(decision.effects, stopEffects(view, number, mode));
    for (const TrialRow &row : view.trials) {
        if (mightContinue(row))
            decision.trials.push_back(spared(row));
    }
    decision.reply = {Code::NoFurtherTrials};
    if (queued + waiting != 0)
        decision.reply.push_back(counted(Code::QueuedStopped, queued + waiting));
    if (running != waiting)
        decision.reply.push_back(effectOn(running - waiting, mode));
    return decision;
}

Decided stopTrials(const SweepView &view, const std::vector<int> &numbers, StopMode mode, WallNs now)
{
    if (mode == StopMode::Finish)
        return tl::unexpected<Fact>(Code::TrialsCannotFinish);
    Decision decision;
    std::vector<int> ended;
    std::size_t idle = 0;
    std::size_t running = 0;
    for (const int number : numbers) {
        TrialChange change{view.trial(number), {}, {}};
        const bool isFinal = sweep::isFinal(change.row.record.state);
        if (view.hasAttempt(number)) {
            ++(sweep::waitsAsJob(change.row.record) ? idle : running);
            append(decision.effects, stopEffects(view, number, mode));
        } else if (isFinal) {
            ended.push_back(number);
        }
        if (mightContinue(change.row))
            decision.trials.push_back(spared(change.row));
        if (isFinal)
            continue;
        if (!view.hasAttempt(number)) {
            change.apply(TrialEvent::Stopped, Code::Stopped);
            change.row.record.ended = now;
            ++idle;
        } else if (change.row.pending < pendingRequestOf(mode)) {
            change.row.pending = pendingRequestOf(mode);
            change.note(Fact(Code::StopRequested).with(Field::Mode, sweep::toString(mode)));
        } else {
            continue;  // this or a stronger stop was requested before
        }
        decision.trials.push_back(std::move(change));
    }
    if (idle != 0)
        decision.reply.push_back(counted(Code::QueuedStopped, idle));
    if (running != 0)
        decision.reply.push_back(effectOn(running, mode));
    if (!ended.empty())
        decision.reply.push_back(Fact(Code::TrialsEnded).with(Field::Trials, listOf(ended)));
    return decision;
}

Decision stopIdleTrials(const SweepView &view, WallNs now)
{
    Decision decision;
    for (const TrialRow &row : view.trials) {
        if (row.record.state == TrialState::Queued)
            decision.queuedStop = Code::SweepStoppedBeforeStart;
        if (row.record.state != TrialState::Paused || view.hasAttempt(row.record.number))
            continue;
        TrialChange change{row, {}, {}};
        change.apply(TrialEvent::Stopped, Code::SweepStoppedWhilePaused);
        change.row.record.ended = now;
        decision.trials.push_back(std::move(change));
    }
    return decision;
}

}  // namespace sweepscope::engine
