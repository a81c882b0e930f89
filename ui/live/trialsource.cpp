#include "ui/live/trialsource.h"

#include <QCoreApplication>

#include <algorithm>

namespace sweepscope::ui {

namespace {

std::string deviceName(const std::string &id, std::size_t position, const std::vector<client::DeviceStatus> &machine)
{
    if (id.starts_with("cpu:"))
        return QCoreApplication::translate("TrialSource", "core %1")
            .arg(QString::fromStdString(id.substr(4)))
            .toStdString();
    const auto known = std::find_if(machine.begin(), machine.end(), [&id](const client::DeviceStatus &device) {
        return device.id == QLatin1String(id);
    });
    const bool simulated = known != machine.end() && known->simulated;
    const QString name = simulated ? QCoreApplication::translate("TrialSource", "simulated GPU %1")
                                   : QCoreApplication::translate("TrialSource", "GPU %1");
    return name.arg(known != machine.end() ? known->index : static_cast<int>(position)).toStdString();
}

/// "0–3, 7"
QString rangesText(std::vector<int> numbers)
{
    std::ranges::sort(numbers);
    QStringList ranges;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] <= numbers[last] + 1)
            ++last;
        const QString from = QString::number(numbers[first]);
        const QString to = QString::number(numbers[last]);
        const int count = numbers[last] - numbers[first] + 1;
        ranges.append(count == 1   ? from
                      : count == 2 ? from + QStringLiteral(", ") + to
                                   : from + QStringLiteral("–") + to);
        first = last + 1;
    }
    return ranges.join(QStringLiteral(", "));
}

}  // namespace

QString devicesText(const std::vector<std::string> &devices, const std::vector<client::DeviceStatus> &machine)
{
    std::vector<int> cores;
    std::vector<int> gpus;
    std::vector<int> simulated;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].starts_with("cpu:")) {
            cores.push_back(QString::fromStdString(devices[i].substr(4)).toInt());
            continue;
        }
        const auto known = std::ranges::find_if(
            machine, [&](const client::DeviceStatus &one) { return one.id == QLatin1String(devices[i]); });
        const bool isFake = known != machine.end() && known->simulated;
        (isFake ? simulated : gpus).push_back(known != machine.end() ? known->index : static_cast<int>(i));
    }
    QStringList parts;
    const auto add = [&parts](const std::vector<int> &numbers, const QString &text) {
        if (!numbers.empty())
            parts.append(text.arg(rangesText(numbers)));
    };
    // Several ranks may share a core.
    const bool isOneCore = std::ranges::all_of(cores, [&cores](int core) { return core == cores.front(); });
    add(gpus, QCoreApplication::translate("TrialSource", "GPU %1"));
    add(simulated, QCoreApplication::translate("TrialSource", "simulated GPU %1"));
    add(cores, isOneCore ? QCoreApplication::translate("TrialSource", "core %1")
                         : QCoreApplication::translate("TrialSource", "cores %1"));
    return parts.join(QStringLiteral(", "));
}

bool TrialSource::sameFiles(const TrialSource &other) const
{
    return sweepId == other.sweepId && trial == other.trial && attempt == other.attempt && ranks == other.ranks
           && folder == other.folder;
}

TrialSource trialSource(const QString &workspace, const sweep::SweepRecord &sweep, const sweep::TrialRecord &trial,
                        const std::vector<client::DeviceStatus> &machine)
{
    const WorkspaceLayout layout{std::filesystem::path(workspace.toStdString())};
    TrialSource source;
    source.sweepId = sweep.id;
    source.trial = trial.number;
    source.attempt = trial.attempts;
    source.folder = layout.attempt(sweep.folder, trial.number, trial.attempts).folder;
    source.devicesFeed = layout.devicesFeed();
    source.ranks = trial.ranks;
    for (const std::string &device : trial.devices) {
        if (std::find(source.devices.begin(), source.devices.end(), device) == source.devices.end())
            source.devices.push_back(device);
    }
    for (std::size_t i = 0; i < source.devices.size(); ++i)
        source.deviceNames.push_back(deviceName(source.devices[i], i, machine));
    source.started = trial.started.value_or(0);
    source.ended = trial.ended.value_or(0);
    source.objective = sweep.objective;
    return source;
}

}  // namespace sweepscope::ui
