#include "ui/plot/trialsource.h"

#include "sweep/deviceplace.h"
#include "sweep/trialchain.h"
#include "ui/models/devicenames.h"
#include "ui/models/machinewords.h"

#include <QCoreApplication>

#include <algorithm>

namespace sweepscope::ui {

bool TrialSource::sameFiles(const TrialSource &other) const
{
    return sweepId == other.sweepId && trial == other.trial && attempt == other.attempt
           && firstAttempt == other.firstAttempt && ranks == other.ranks && folder == other.folder;
}

bool ranTogether(const TrialSource &a, const TrialSource &b)
{
    const auto hadEnded = [](const TrialSource &one, WallNs at) { return one.ended > 0 && one.ended <= at; };
    return !hadEnded(a, b.started) && !hadEnded(b, a.started);
}

TrialSource sourceToShow(const protocol::EngineClient &client, const sweep::SweepRecord &sweep,
                         const sweep::TrialRecord &trial)
{
    TrialSource source = trialSource(client.workspace(), sweep, trial, client.allDevices());
    for (const protocol::MachineStatus &machine : client.machines()) {
        const QString note = source.devicesFeeds.contains(machine.name.toStdString()) ? clockNote(machine) : QString();
        if (!note.isEmpty())
            source.clockNote += (source.clockNote.isEmpty() ? QString() : QStringLiteral(", ")) + note;
    }
    source.isMirrored = client.isMirror();
    for (int attempt = std::max(source.firstAttempt, 1); attempt <= trial.attempts; ++attempt)
        client.look(sweep.id, trial.number, attempt);
    return source;
}

TrialSource curveSource(const QString &workspace, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial)
{
    const WorkspaceLayout layout{std::filesystem::path(workspace.toStdString())};
    TrialSource source;
    source.sweepId = sweep.id;
    source.trial = trial.number;
    source.attempt = trial.attempts;
    source.firstAttempt = sweep::chainOf(trial).first;
    source.folder = layout.attempt(sweep.folder, trial.number, trial.attempts).folder;
    source.ranks = trial.ranks;
    source.started = trial.started.value_or(0);
    source.ended = trial.attemptEnded.value_or(trial.ended.value_or(0));
    source.hasReported = trial.firstAttempt != 0;
    source.state = trial.state;
    source.isFrozen = trial.pausedSince.has_value();
    source.objective = sweep.objective;
    return source;
}

TrialSource trialSource(const QString &workspace, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                        const std::vector<protocol::DeviceStatus> &known)
{
    TrialSource source = curveSource(workspace, sweep, trial);
    const WorkspaceLayout layout{std::filesystem::path(workspace.toStdString())};
    for (const std::string &device : trial.devices) {
        const std::string machine = sweep::machineOf(device);
        source.devicesFeeds.try_emplace(machine, layout.devicesFeed(machine));
        if (std::find(source.devices.begin(), source.devices.end(), device) == source.devices.end())
            source.devices.push_back(device);
    }
    for (std::size_t i = 0; i < source.devices.size(); ++i)
        source.deviceNames.push_back(
            deviceName(source.devices[i], known)
                .value_or(nameOnMachine(sweep::machineOf(source.devices[i]),
                                        QCoreApplication::translate("DeviceNames", "GPU %1").arg(i)))
                .toStdString());
    return source;
}

}  // namespace sweepscope::ui
