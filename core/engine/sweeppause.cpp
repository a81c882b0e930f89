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
    const std::optional<std::string> spent = usedUp(m_budget, now);
    answer.say(spent ? "Waiting trials are stopped: " + *spent + "."
                     : "Waiting trials start again when there are devices.");
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
            enforceState(*attempt, now);
    }
    const std::size_t again = queued + saving;
    const std::optional<std::string> spent = usedUp(m_budget, now);
    return Answer()
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
