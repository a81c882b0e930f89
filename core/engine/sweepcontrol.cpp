#include "engine/answer.h"
#include "engine/sweeprun.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::Control;
using sweep::StopMode;
using sweep::SweepState;
using sweep::TrialState;

std::string listOf(const std::vector<int> &numbers)
{
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
    return numbers.size() > most ? text + ", …" : text;
}

std::string haveEnded(const std::vector<int> &numbers)
{
    return numbers.size() == 1 ? "Trial " + listOf(numbers) + " has ended already."
                               : "Trials " + listOf(numbers) + " have ended already.";
}

std::string whatStoppingDoes(StopMode mode, std::size_t running)
{
    switch (mode) {
    case StopMode::Finish:
        return count(running, "running") + " may run to the end.";
    case StopMode::Checkpoint:
        return count(running, "running") + (running == 1 ? " is" : " are")
               + " asked to save a checkpoint and end; what does not ask for it runs to its end.";
    case StopMode::Now:
        return count(running, "running") + (running == 1 ? " is" : " are")
               + " told to end (SIGTERM), and killed after a grace of 10 s.";
    case StopMode::Kill:
        break;
    }
    return count(running, "running") + (running == 1 ? " is" : " are") + " killed (SIGKILL).";
}

std::string stopCause(StopMode mode)
{
    return mode == StopMode::Kill ? "is being killed" : "is being stopped";
}

}  // namespace

Expected<std::string> SweepRun::control(const Control &asked, WallNs now)
{
    Control control = asked;  // with every trial once
    std::sort(control.trials.begin(), control.trials.end());
    control.trials.erase(std::unique(control.trials.begin(), control.trials.end()), control.trials.end());
    for (const int number : control.trials) {
        if (!m_ledger.knows(number))
            return cannot("the sweep " + record().folder + " has no trial " + std::to_string(number) + "; it has "
                          + std::to_string(trials().size()));
    }
    const bool whole = control.trials.empty();
    if (control.action == Control::Action::Mark)
        return markTrials(control.trials, control.mark, now);
    if (hasEnded() && control.action != Control::Action::Retry)
        return cannot("the sweep " + record().folder + " has ended already");
    switch (control.action) {
    case Control::Action::Stop:
        return whole ? stopSweep(control.stopMode, now) : stopTrials(control.trials, control.stopMode, now);
    case Control::Action::Pause:
        return whole ? pauseSweep(now) : pauseTrials(control.trials, now);
    case Control::Action::Resume:
        return whole ? resumeSweep(now) : resumeTrials(control.trials, now);
    case Control::Action::Retry:
        return retryTrials(control.trials, now);
    case Control::Action::SetPriority:
    case Control::Action::Mark:
    case Control::Action::Archive:  // these are the engine's (sweepkeeping.cpp): nothing runs any more
    case Control::Action::Unarchive:
    case Control::Action::Delete:
        break;
    }
    return setPriority(control, now);
}

Expected<std::string> SweepRun::stopSweep(StopMode mode, WallNs now)
{
    if (record().state == SweepState::Stopping && mode <= record().stopMode)
        return Answer().say("It is being stopped already (" + sweep::toString(record().stopMode) + ").").text();
    const auto waiting = static_cast<std::size_t>(m_ledger.waitingTrials());
    const auto running =
        static_cast<std::size_t>(std::count_if(m_attempts.begin(), m_attempts.end(), [this](const auto &attempt) {
            return !sweep::isFinal(m_ledger.trial(attempt.first).record.state);  // pruned ones end already
        }));
    sweep::SweepRecord stopping = record();
    stopping.state = SweepState::Stopping;
    stopping.stopMode = mode;
    if (!m_ledger.changeSweep(std::move(stopping), "a person stopped it (" + sweep::toString(mode) + ")", now))
        return notWritten();
    stopIdle(now);
    for (auto &[number, attempt] : m_attempts)
        applyStop(attempt, mode, now);
    return Answer()
        .say("No further trial starts.")
        .sayIf(waiting != 0, count(waiting, "waiting") + (waiting == 1 ? " is" : " are") + " stopped.")
        .sayIf(running != 0, whatStoppingDoes(mode, running))
        .text();
}

Expected<std::string> SweepRun::stopTrials(const std::vector<int> &numbers, StopMode mode, WallNs now)
{
    if (mode == StopMode::Finish)
        return cannot("a trial finishes by itself; only a sweep can be stopped with 'finish'");
    std::vector<TrialChange> changes;
    std::vector<RunningAttempt *> running;
    std::vector<int> ended;
    std::size_t idle = 0;
    for (const int number : numbers) {
        TrialChange change{m_ledger.trial(number), {}};
        const TrialState state = change.row.record.state;
        RunningAttempt *attempt = attemptOfTrial(number);
        if (attempt != nullptr)
            running.push_back(attempt);
        else if (sweep::isFinal(state))
            ended.push_back(number);
        if (sweep::isFinal(state))
            continue;
        if (attempt == nullptr) {
            change.transitions.push_back(move(change.row, TrialEvent::Stopped, "a person stopped it"));
            change.row.record.ended = now;
            ++idle;
        } else if (change.row.asked < askedOf(mode)) {
            change.row.asked = askedOf(mode);
            change.transitions.push_back({state, state, "a person asked to stop it (" + sweep::toString(mode) + ")"});
        } else {
            continue;  // that, or more, was asked before
        }
        changes.push_back(std::move(change));
    }
    if (!changes.empty() && !m_ledger.changeAll(changes, now))
        return notWritten();
    for (RunningAttempt *attempt : running)
        applyStop(*attempt, mode, now);
    return Answer()
        .sayIf(idle != 0, count(idle, "waiting") + (idle == 1 ? " is" : " are") + " stopped.")
        .sayIf(!running.empty(), whatStoppingDoes(mode, running.size()))
        .sayIf(!ended.empty(), haveEnded(ended))
        .text();
}

void SweepRun::applyStop(RunningAttempt &attempt, StopMode mode, WallNs now)
{
    const bool paused = m_ledger.trial(attempt.row.trial).record.state == TrialState::Paused;
    if (mode == StopMode::Finish && !paused)
        return;
    if (mode == StopMode::Kill) {
        attempt.monitor.kill(now);
    } else if (mode == StopMode::Checkpoint) {
        attempt.monitor.saveAndEnd();
        if (paused)
            attempt.monitor.thaw();  // it finds the request when it goes on
    } else {
        attempt.monitor.stop(now);
    }
    if (!sweep::isFinal(m_ledger.trial(attempt.row.trial).record.state))  // the reason why it was pruned stays
        setReason(attempt.row.trial, stopCause(mode));
}

Expected<std::string> SweepRun::retryTrials(std::vector<int> numbers, WallNs now)
{
    if (record().state == SweepState::Stopping)
        return cannot("the sweep is being stopped; retry its trials when it has ended");
    if (const std::optional<std::string> spent = usedUp(m_budget, now))
        return cannot(*spent + "; give the sweep more of it before (edit)");
    const bool named = !numbers.empty();
    std::vector<TrialChange> changes;
    const auto retry = [&](const TrialRow &row) {
        TrialChange change{row, {}};
        change.transitions.push_back(move(change.row, TrialEvent::Retried, "a person asked for a retry"));
        change.row.failures = 0;
        change.row.spared = change.row.spared || row.record.state == TrialState::Pruned;
        change.row.record.ended.reset();
        changes.push_back(std::move(change));
    };
    if (!named) {
        for (const TrialRow &row : trials()) {
            if (row.record.state == TrialState::Failed || row.record.state == TrialState::Lost)
                retry(row);
        }
        if (changes.empty())
            return cannot("no trial of the sweep " + record().folder
                          + " has failed or was lost; name those that are to run again");
    }
    std::vector<int> refused;
    for (const int number : numbers) {
        const TrialRow &row = m_ledger.trial(number);
        if (attemptOfTrial(number) != nullptr && sweep::isFinal(row.record.state))
            return cannot("trial " + std::to_string(number) + " was pruned, and its ranks are still ending; retry it "
                          + "when they are gone");
        if (after(row.record.state, TrialEvent::Retried))
            retry(row);
        else
            refused.push_back(number);
    }
    if (changes.empty())
        return cannot("only trials that failed, were lost, pruned or stopped can be retried; not so: "
                      + listOf(refused));
    if (hasEnded()) {
        sweep::SweepRecord reopened = record();
        reopened.state = SweepState::Running;
        sweep::takeUp(reopened, now);
        if (!m_ledger.changeSweep(std::move(reopened), "a person asked for a retry", now))
            return notWritten();
    }
    const std::size_t retried = changes.size();
    if (!m_ledger.changeAll(changes, now))
        return notWritten();
    return Answer()
        .say(count(retried, "ended") + (retried == 1 ? " waits" : " wait")
             + " for a further attempt; running trials are not touched.")
        .sayIf(!refused.empty(),
               "Not retried, because they did not fail and were neither pruned nor stopped: " + listOf(refused) + ".")
        .text();
}

Expected<std::string> SweepRun::setPriority(const Control &control, WallNs now)
{
    const std::string level = std::to_string(control.priority);
    if (control.trials.empty()) {
        sweep::SweepRecord changed = record();
        changed.priority = control.priority;
        if (!m_ledger.changeSweep(std::move(changed), "a person gave it the priority " + level, now))
            return notWritten();
        return Answer().say("The sweep has the priority " + level + "; running trials are not touched.").text();
    }
    std::vector<TrialChange> changes;
    for (const int number : control.trials) {
        TrialRow row = m_ledger.trial(number);
        if (sweep::isFinal(row.record.state))
            continue;
        row.record.priority = control.priority;
        const TrialState state = row.record.state;
        changes.push_back({std::move(row), {{state, state, "a person gave it the priority " + level}}});
    }
    if (changes.empty())
        return cannot("these trials have ended; a priority means nothing to them");
    const std::size_t changed = changes.size();
    if (!m_ledger.changeAll(changes, now))
        return notWritten();
    return Answer()
        .say(count(changed, "named") + (changed == 1 ? " has" : " have") + " the priority " + level
             + "; running trials are not touched.")
        .text();
}

bool SweepRun::isToStop(int trial) const
{
    return record().state == SweepState::Stopping || stopModeOf(m_ledger.trial(trial).asked).has_value();
}

SweepRun::RunningAttempt *SweepRun::attemptOfTrial(int number)
{
    const auto found = m_attempts.find(number);
    return found != m_attempts.end() ? &found->second : nullptr;
}

}  // namespace sweepscope::engine
