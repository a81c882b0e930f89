#include "engine/sweeprun.h"

#include <algorithm>
#include <utility>

namespace sweepscope::engine {

namespace {

using sweep::Control;
using sweep::StopMode;
using sweep::SweepState;
using sweep::TrialState;

/// "3 running trials", "1 waiting trial".
std::string count(std::size_t number, const std::string &what)
{
    return std::to_string(number) + " " + what + (number == 1 ? " trial" : " trials");
}

/// Sentences that are there, one after the other.
class Answer {
public:
    Answer &say(const std::string &sentence)
    {
        m_text += (m_text.empty() ? "" : " ") + sentence;
        return *this;
    }
    Answer &sayIf(bool holds, const std::string &sentence) { return holds ? say(sentence) : *this; }
    std::string text() const { return m_text; }

private:
    std::string m_text;
};

tl::unexpected<Error> notWritten()
{
    return makeError(ErrorCode::Io, "nothing was changed: the database cannot be written; see engine.log");
}

tl::unexpected<Error> cannot(const std::string &why)
{
    return makeError(ErrorCode::BadInput, why);
}

std::string listOf(const std::vector<int> &numbers)
{
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, numbers.size()); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
    return numbers.size() > most ? text + ", …" : text;
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

Expected<std::string> SweepRun::control(const Control &control, WallNs now)
{
    for (const int number : control.trials) {
        if (!m_ledger.knows(number))
            return cannot("the sweep " + record().folder + " has no trial " + std::to_string(number) + "; it has "
                          + std::to_string(trials().size()));
    }
    const bool whole = control.trials.empty();
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
        break;
    }
    return setPriority(control, now);
}

Expected<std::string> SweepRun::stopSweep(StopMode mode, WallNs now)
{
    if (record().state == SweepState::Stopping && mode <= record().stopMode)
        return Answer().say("It is being stopped already (" + sweep::toString(record().stopMode) + ").").text();
    const auto waiting = static_cast<std::size_t>(m_ledger.waitingTrials());
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
        .sayIf(!m_attempts.empty(), whatStoppingDoes(mode, m_attempts.size()))
        .text();
}

Expected<std::string> SweepRun::stopTrials(const std::vector<int> &numbers, StopMode mode, WallNs now)
{
    if (mode == StopMode::Finish)
        return cannot("a trial finishes by itself; only a sweep can be stopped with 'finish'");
    std::vector<TrialChange> idle;
    std::vector<RunningAttempt *> running;
    for (const int number : numbers) {
        if (RunningAttempt *attempt = attemptOfTrial(number); attempt != nullptr) {
            running.push_back(attempt);
        } else if (!sweep::isFinal(m_ledger.trial(number).record.state)) {
            TrialChange change{m_ledger.trial(number), {}};
            change.transitions.push_back(move(change.row, TrialEvent::Stopped, "a person stopped it"));
            change.row.record.ended = now;
            idle.push_back(std::move(change));
        }
    }
    if (!idle.empty() && !m_ledger.changeAll(idle, now))
        return notWritten();
    for (RunningAttempt *attempt : running)
        applyStop(*attempt, mode, now);
    const std::size_t ended = numbers.size() - idle.size() - running.size();
    return Answer()
        .sayIf(!idle.empty(), count(idle.size(), "waiting") + (idle.size() == 1 ? " is" : " are") + " stopped.")
        .sayIf(!running.empty(), whatStoppingDoes(mode, running.size()))
        .sayIf(ended != 0, count(ended, "named") + (ended == 1 ? " has" : " have") + " ended already.")
        .text();
}

void SweepRun::applyStop(RunningAttempt &attempt, StopMode mode, WallNs now)
{
    const bool paused = m_ledger.trial(attempt.row.trial).record.state == TrialState::Paused;
    if (mode == StopMode::Finish && !paused)
        return;
    attempt.stopAsked = true;
    if (mode == StopMode::Kill) {
        attempt.monitor.kill(now);
    } else if (mode == StopMode::Checkpoint) {
        attempt.monitor.saveAndEnd();
        if (paused)
            attempt.monitor.thaw();  // it finds the request when it goes on
    } else {
        attempt.monitor.stop(now);
    }
    setReason(attempt.row.trial, stopCause(mode));
}

Expected<std::string> SweepRun::pauseSweep(WallNs now)
{
    if (record().state != SweepState::Running)
        return cannot(record().state == SweepState::Paused ? "the sweep is paused already"
                                                           : "the sweep is being stopped and cannot be paused");
    sweep::SweepRecord paused = record();
    paused.state = SweepState::Paused;
    if (!m_ledger.changeSweep(std::move(paused), "a person paused it", now))
        return notWritten();
    const std::size_t running = m_attempts.size();
    for (auto &[number, attempt] : m_attempts) {  // those that are starting follow when their ranks run
        if (m_ledger.trial(number).record.state == TrialState::Running)
            pauseAttempt(attempt, now);
    }
    const auto waiting = static_cast<std::size_t>(m_ledger.waitingTrials());
    return Answer()
        .say("No further trial starts until it is resumed.")
        .sayIf(waiting != 0, count(waiting, "waiting") + (waiting == 1 ? " keeps" : " keep") + " waiting.")
        .sayIf(running != 0, count(running, "running") + pausedInWords(running))
        .text();
}

Expected<std::string> SweepRun::pauseTrials(const std::vector<int> &numbers, WallNs now)
{
    if (record().state == SweepState::Stopping)
        return cannot("the sweep is being stopped; its trials cannot be paused");
    std::vector<TrialChange> waiting;
    std::size_t running = 0;
    for (const int number : numbers) {
        RunningAttempt *attempt = attemptOfTrial(number);
        const TrialState state = m_ledger.trial(number).record.state;
        if (state == TrialState::Waiting) {
            TrialChange change{m_ledger.trial(number), {}};
            change.transitions.push_back(move(change.row, TrialEvent::Paused, "paused before it started"));
            waiting.push_back(std::move(change));
        } else if (attempt != nullptr && sweep::isUnderWay(state)) {
            attempt->pauseAsked = true;
            ++running;
        }
    }
    if (waiting.empty() && running == 0)
        return cannot("none of these trials waits or runs, so there is nothing to pause");
    if (!waiting.empty() && !m_ledger.changeAll(waiting, now))
        return notWritten();
    for (const int number : numbers) {
        RunningAttempt *attempt = attemptOfTrial(number);
        if (attempt != nullptr && m_ledger.trial(number).record.state == TrialState::Running)
            pauseAttempt(*attempt, now);
    }
    return Answer()
        .sayIf(!waiting.empty(),
               count(waiting.size(), "waiting") + (waiting.size() == 1 ? " does" : " do") + " not start.")
        .sayIf(running != 0, count(running, "running") + pausedInWords(running))
        .text();
}

bool SweepRun::pauseAttempt(RunningAttempt &attempt, WallNs now)
{
    TrialChange change{m_ledger.trial(attempt.row.trial), {}};
    change.transitions.push_back(move(change.row, TrialEvent::Paused,
                                      savesCheckpoints() ? "paused: saves a checkpoint and gives its devices back"
                                                         : "paused: frozen where it is, keeps its devices"));
    if (!m_ledger.change(std::move(change), now))
        return false;
    attempt.pauseAsked = false;
    attempt.requeueAsked = false;
    enforceState(attempt);
    return true;
}

void SweepRun::enforceState(RunningAttempt &attempt)
{
    const TrialState state = m_ledger.trial(attempt.row.trial).record.state;
    if (state == TrialState::Running)
        attempt.monitor.thaw();
    else if (state == TrialState::Paused && savesCheckpoints())
        attempt.monitor.saveAndEnd();
    else if (state == TrialState::Paused)
        attempt.monitor.freeze();
}

Expected<std::string> SweepRun::resumeSweep(WallNs now)
{
    if (record().state != SweepState::Paused && m_ledger.pausedTrials().empty())
        return cannot("neither the sweep nor a trial of it is paused");
    if (record().state == SweepState::Stopping)
        return cannot("the sweep is being stopped and cannot be resumed");
    if (record().state == SweepState::Paused) {
        sweep::SweepRecord running = record();
        running.state = SweepState::Running;
        if (!m_ledger.changeSweep(std::move(running), "a person resumed it", now))
            return notWritten();
    }
    Answer answer;
    answer.say("Waiting trials start again when there are devices.");
    if (const std::set<int> paused = m_ledger.pausedTrials(); !paused.empty()) {
        const Expected<std::string> resumed = resumeTrials({paused.begin(), paused.end()}, now);
        if (!resumed)
            return resumed;
        answer.say(*resumed);
    }
    return answer.text();
}

Expected<std::string> SweepRun::resumeTrials(const std::vector<int> &numbers, WallNs now)
{
    if (record().state == SweepState::Paused)
        return cannot("the whole sweep is paused; resume the sweep");
    std::vector<TrialChange> changes;
    std::size_t queued = 0;
    std::size_t saving = 0;
    for (const int number : numbers) {
        RunningAttempt *attempt = attemptOfTrial(number);
        if (attempt != nullptr)
            attempt->pauseAsked = false;
        if (m_ledger.trial(number).record.state != TrialState::Paused)
            continue;
        if (attempt != nullptr && savesCheckpoints()) {
            attempt->requeueAsked = true;
            setReason(number, "saves its checkpoint, and goes on from there");
            ++saving;
            continue;
        }
        TrialChange change{m_ledger.trial(number), {}};
        change.transitions.push_back(attempt != nullptr ? move(change.row, TrialEvent::Resumed, "")
                                                        : move(change.row, TrialEvent::Requeued, waitsForItsTurn));
        queued += attempt != nullptr ? 0 : 1;
        changes.push_back(std::move(change));
    }
    if (changes.empty() && saving == 0)
        return cannot("none of these trials is paused");
    const std::size_t thawed = changes.size() - queued;
    if (!changes.empty() && !m_ledger.changeAll(changes, now))
        return notWritten();
    for (const int number : numbers) {
        if (RunningAttempt *attempt = attemptOfTrial(number); attempt != nullptr)
            enforceState(*attempt);
    }
    return Answer()
        .sayIf(thawed != 0,
               count(thawed, "frozen") + (thawed == 1 ? " goes on where it was." : " go on where they were."))
        .sayIf(queued + saving != 0, count(queued + saving, "paused") + (queued + saving == 1 ? " waits" : " wait")
                                         + " for devices and then " + (queued + saving == 1 ? "goes" : "go") + " on.")
        .text();
}

Expected<std::string> SweepRun::retryTrials(std::vector<int> numbers, WallNs now)
{
    if (record().state == SweepState::Stopping)
        return cannot("the sweep is being stopped; retry its trials when it has ended");
    const bool named = !numbers.empty();
    std::vector<TrialChange> changes;
    const auto retry = [&](const TrialRow &row) {
        TrialChange change{row, {}};
        change.transitions.push_back(move(change.row, TrialEvent::Retried, "a person asked for a retry"));
        change.row.failures = 0;
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
        if (after(row.record.state, TrialEvent::Retried))
            retry(row);
        else
            refused.push_back(number);
    }
    if (changes.empty())
        return cannot("only trials that failed, were lost or were stopped can be retried; not so: " + listOf(refused));
    if (hasEnded()) {
        sweep::SweepRecord reopened = record();
        reopened.state = SweepState::Running;
        reopened.ended.reset();
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
               "Not retried, because they did not fail and were not stopped: " + listOf(refused) + ".")
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

SweepRun::RunningAttempt *SweepRun::attemptOfTrial(int number)
{
    const auto found = m_attempts.find(number);
    return found != m_attempts.end() ? &found->second : nullptr;
}

/// The built-in worker goes on from its checkpoint; of a command nobody knows.
bool SweepRun::savesCheckpoints() const
{
    if (m_spec.run.worker != sweep::WorkerKind::Builtin)
        return false;
    const auto resume = m_spec.run.settings.find("resume");
    return resume == m_spec.run.settings.end() || resume->second != sweep::ParameterValue(false);
}

std::string SweepRun::pausedInWords(std::size_t running) const
{
    if (savesCheckpoints())
        return running == 1 ? " saves a checkpoint, gives its devices back, and goes on from there later."
                            : " save a checkpoint each, give their devices back, and go on from there later.";
    return running == 1 ? " is frozen where it is and keeps its devices and their memory."
                        : " are frozen where they are and keep their devices and their memory.";
}

}  // namespace sweepscope::engine
