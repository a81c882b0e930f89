#include "ui/editor/sweeptimes.h"

#include "protocol/engineclient.h"

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr std::size_t mostSweeps = 30;
constexpr std::size_t mostTrialsTimed = 100;

}  // namespace

std::vector<schedule::FinishedSweep> finishedSweeps(const protocol::EngineClient &client)
{
    const std::vector<sweep::SweepRecord> &sweeps = client.sweeps();
    std::vector<schedule::FinishedSweep> finished;
    for (std::size_t i = sweeps.size() - std::min(sweeps.size(), mostSweeps); i < sweeps.size(); ++i) {
        std::vector<sweep::TrialRecord> trials;
        for (const sweep::TrialRecord &trial : client.trials(sweeps[i].id)) {
            if (trial.state != sweep::TrialState::Completed || trials.size() == mostTrialsTimed)
                continue;
            sweep::TrialRecord times;
            times.state = trial.state;
            times.started = trial.started;
            times.attemptStarted = trial.attemptStarted;
            times.attemptEnded = trial.attemptEnded;
            times.ended = trial.ended;
            times.attempts = trial.attempts;
            times.ran = trial.ran;
            times.paused = trial.paused;
            trials.push_back(std::move(times));
        }
        if (!trials.empty())
            finished.emplace_back(sweeps[i], std::move(trials));
    }
    return finished;
}

std::optional<schedule::FinishedSweep> launchedSweep(const protocol::EngineClient &client, qint64 id)
{
    const sweep::SweepRecord *record = id != 0 ? client.sweep(id) : nullptr;
    if (!record)
        return std::nullopt;
    schedule::FinishedSweep sweep;
    sweep.first = *record;
    for (const sweep::TrialRecord &trial : client.trials(id)) {
        sweep::TrialRecord &copy = sweep.second.emplace_back();
        copy.number = trial.number;
        copy.state = trial.state;
        copy.parameters = trial.parameters;
        copy.ranks = trial.ranks;
        copy.attempts = trial.attempts;
        copy.devices = trial.devices;
        copy.started = trial.started;
        copy.attemptStarted = trial.attemptStarted;
        copy.attemptEnded = trial.attemptEnded;
        copy.ended = trial.ended;
        copy.ran = trial.ran;
        copy.paused = trial.paused;
        copy.pausedSince = trial.pausedSince;
        copy.progress = trial.progress;
        copy.priority = trial.priority;
        copy.enqueued = trial.enqueued;
        copy.reason = trial.reason;
        if (record->state == sweep::SweepState::Stopping && trial.state == sweep::TrialState::Queued)
            copy.state = sweep::TrialState::Stopped;
    }
    return sweep;
}

}  // namespace sweepscope::ui
