#include "engine/answer.h"
#include "engine/sweeprun.h"

#include <set>
#include <utility>

namespace sweepscope::engine {

using sweep::SweepState;
using sweep::TrialState;

Expected<std::string> SweepRun::pauseSweep(WallNs now)
{
    if (record().state != SweepState::Running)
        return cannot(record().state == SweepState::Paused ? "the sweep is paused already"
                                                           : "the sweep is being stopped and cannot be paused");
    sweep::SweepRecord paused = record();
    paused.state = SweepState::Paused;
    if (!m_ledger.changeSweep(std::move(paused), "a person paused it", now))
        return notWritten();
    std::size_t running = 0;
    for (auto &[number, attempt] : m_attempts) {  // those that are starting follow when their ranks run
        const TrialState state = m_ledger.trial(number).record.state;
        running += sweep::isUnderWay(state) ? 1 : 0;
        if (state == TrialState::Running)
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
    std::vector<TrialChange> changes;
    std::size_t waiting = 0;
    std::size_t running = 0;
    std::size_t saving = 0;
    for (const int number : numbers) {
        TrialChange change{m_ledger.trial(number), {}};
        TrialRow &row = change.row;
        const TrialState state = row.record.state;
        if (stopModeOf(row.asked))
            continue;
        if (state == TrialState::Waiting) {
            change.transitions.push_back(move(row, TrialEvent::Paused, "paused before it started"));
            ++waiting;
        } else if (state == TrialState::Paused && row.asked == Asked::Resume) {
            row.asked = Asked::Nothing;
            change.transitions.push_back({state, state, "paused again while it saves its checkpoint"});
            ++saving;
        } else if (attemptOfTrial(number) != nullptr && sweep::isUnderWay(state)) {
            row.asked = Asked::Pause;
            change.transitions.push_back({state, state, "a person asked to pause it"});
            ++running;
        } else {
            continue;
        }
        changes.push_back(std::move(change));
    }
    if (changes.empty())
        return cannot("none of these trials waits or runs, so there is nothing to pause");
    if (!m_ledger.changeAll(changes, now))
        return notWritten();
    for (const int number : numbers) {
        RunningAttempt *attempt = attemptOfTrial(number);
        const TrialRow &row = m_ledger.trial(number);
        if (attempt != nullptr && row.record.state == TrialState::Running && row.asked == Asked::Pause)
            pauseAttempt(*attempt, now);
    }
    return Answer()
        .sayIf(waiting != 0, count(waiting, "waiting") + (waiting == 1 ? " does" : " do") + " not start.")
        .sayIf(saving != 0,
               count(saving, "paused") + (saving == 1 ? " stays" : " stay") + " paused when the checkpoint is saved.")
        .sayIf(running != 0, count(running, "running") + pausedInWords(running))
        .text();
}

bool SweepRun::pauseAttempt(RunningAttempt &attempt, WallNs now)
{
    TrialChange change{m_ledger.trial(attempt.row.trial), {}};
    change.transitions.push_back(move(change.row, TrialEvent::Paused,
                                      savesCheckpoints() ? "paused: saves a checkpoint and gives its devices back"
                                                         : "paused: frozen where it is, keeps its devices"));
    change.row.asked = Asked::Nothing;
    if (!m_ledger.change(std::move(change), now))
        return false;
    enforceState(attempt, now);
    return true;
}

void SweepRun::enforceState(RunningAttempt &attempt, WallNs now)
{
    const TrialState state = m_ledger.trial(attempt.row.trial).record.state;
    if (state == TrialState::Running)
        attempt.monitor.thaw();
    else if (state == TrialState::Paused && savesCheckpoints())
        attempt.monitor.saveAndEnd();
    else if (state == TrialState::Paused)
        attempt.monitor.freeze();
    else if (state == TrialState::Pruned)
        attempt.monitor.stop(now);
}

std::vector<int> SweepRun::pausedOrToBe() const
{
    std::set<int> numbers = m_ledger.pausedTrials();
    for (const auto &[number, attempt] : m_attempts) {
        if (m_ledger.trial(number).asked == Asked::Pause)
            numbers.insert(number);
    }
    return {numbers.begin(), numbers.end()};
}

Expected<std::string> SweepRun::resumeSweep(WallNs now)
{
    const std::vector<int> paused = pausedOrToBe();
    if (record().state != SweepState::Paused && paused.empty())
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
    const std::optional<std::string> spent = usedUp(m_budget, now);
    answer.say(spent ? "Waiting trials are stopped: " + *spent + "."
                     : "Waiting trials start again when there are devices.");
    if (!paused.empty()) {
        const Expected<std::string> resumed = resumeTrials(paused, now);
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
    std::size_t thawed = 0;
    std::size_t saving = 0;
    std::size_t unasked = 0;
    for (const int number : numbers) {
        RunningAttempt *attempt = attemptOfTrial(number);
        TrialChange change{m_ledger.trial(number), {}};
        TrialRow &row = change.row;
        const TrialState state = row.record.state;
        if (stopModeOf(row.asked))
            continue;
        if (row.asked == Asked::Pause) {
            row.asked = Asked::Nothing;
            change.transitions.push_back({state, state, "a person took the pause back"});
            changes.push_back(std::move(change));
            ++unasked;
            continue;
        }
        if (state != TrialState::Paused)
            continue;
        if (attempt != nullptr && savesCheckpoints()) {
            ++saving;
            if (row.asked == Asked::Resume)
                continue;
            row.asked = Asked::Resume;
            row.record.cause = "saves its checkpoint, and goes on from there";
            change.transitions.push_back({state, state, "a person resumed it while it saves its checkpoint"});
            changes.push_back(std::move(change));
            continue;
        }
        change.transitions.push_back(attempt != nullptr ? move(change.row, TrialEvent::Resumed, "")
                                                        : move(change.row, TrialEvent::Requeued, waitsForItsTurn));
        (attempt != nullptr ? thawed : queued) += 1;
        changes.push_back(std::move(change));
    }
    if (changes.empty() && saving == 0)
        return cannot("none of these trials is paused");
    if (!changes.empty() && !m_ledger.changeAll(changes, now))
        return notWritten();
    for (const int number : numbers) {
        if (RunningAttempt *attempt = attemptOfTrial(number); attempt != nullptr)
            enforceState(*attempt, now);
    }
    const std::size_t again = queued + saving;
    const std::optional<std::string> spent = usedUp(m_budget, now);
    return Answer()
        .sayIf(unasked != 0, count(unasked, "starting") + (unasked == 1 ? " is" : " are") + " not paused when it runs.")
        .sayIf(thawed != 0,
               count(thawed, "frozen") + (thawed == 1 ? " goes on where it was." : " go on where they were."))
        .sayIf(again != 0 && !spent, count(again, "paused") + (again == 1 ? " waits" : " wait")
                                         + " for devices and then " + (again == 1 ? "goes" : "go") + " on.")
        .sayIf(again != 0 && spent,
               count(again, "paused") + (again == 1 ? " is" : " are") + " stopped: " + spent.value_or("") + ".")
        .text();
}

/// The built-in worker goes on from its checkpoint; of a command nobody knows.
bool SweepRun::savesCheckpoints() const
{
    if (m_spec.run.worker != sweep::WorkerKind::Builtin)
        return false;
    const auto isOff = [this](const char *name) {
        const auto setting = m_spec.run.settings.find(name);
        return setting != m_spec.run.settings.end() && setting->second == sweep::ParameterValue(false);
    };
    return !isOff("resume") && !isOff("checkpoints");
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
