#include "ui/models/devicenames.h"

#include "sweep/deviceplace.h"

#include <QCoreApplication>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace sweepscope::ui {

namespace {

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

const protocol::DeviceStatus *statusOf(const std::string &id, const std::vector<protocol::DeviceStatus> &known)
{
    const auto found =
        std::ranges::find_if(known, [&id](const protocol::DeviceStatus &one) { return one.id == QLatin1String(id); });
    return found == known.end() ? nullptr : &*found;
}

/// Of devices of one machine.
QString textOnMachine(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &known,
                      const QString &simulatedText)
{
    std::vector<int> cores;
    std::vector<int> gpus;
    std::vector<int> simulated;
    QStringList unknown;
    if (!devices.empty() && sweep::isJobDevice(devices.front()))
        return QCoreApplication::translate("DeviceNames", "a job");
    for (const std::string &id : devices) {
        if (const std::optional<int> core = coreNumber(id))
            cores.push_back(*core);
        else if (const protocol::DeviceStatus *gpu = statusOf(id, known))
            (gpu->simulated ? simulated : gpus).push_back(gpu->index);
        else
            unknown.append(QString::fromStdString(sweep::withoutMachine(id)));
    }
    QStringList parts;
    const auto add = [&parts](const std::vector<int> &numbers, const QString &text) {
        if (!numbers.empty())
            parts.append(text.arg(rangesText(numbers)));
    };
    // Several ranks may share a core.
    const bool isOneCore = std::ranges::all_of(cores, [&cores](int core) { return core == cores.front(); });
    add(gpus, QCoreApplication::translate("DeviceNames", "GPU %1"));
    add(simulated, simulatedText);
    add(cores, isOneCore ? QCoreApplication::translate("DeviceNames", "core %1")
                         : QCoreApplication::translate("DeviceNames", "cores %1"));
    parts += unknown;
    return parts.join(QStringLiteral(", "));
}

/// Only a cluster has devices at "localhost".
std::string clusterNameOr(const std::string &machine)
{
    return machine == sweep::thisMachine ? "Slurm" : machine;
}

QString textOf(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &known,
               const QString &simulatedText)
{
    std::map<std::string, std::vector<std::string>> machines;
    for (const std::string &id : devices)
        machines[sweep::machineOf(id)].push_back(id);
    QStringList parts;
    for (const auto &[machine, ids] : machines)
        parts.append(nameOnMachine(clusterNameOr(machine), textOnMachine(ids, known, simulatedText)));
    return parts.join(QStringLiteral("; "));
}

}  // namespace

std::optional<int> coreNumber(const std::string &id)
{
    constexpr std::string_view prefix = "cpu:";
    const std::string name = sweep::withoutMachine(id);
    if (!name.starts_with(prefix))
        return std::nullopt;
    int number = 0;
    const char *end = name.data() + name.size();
    const auto [last, problem] = std::from_chars(name.data() + prefix.size(), end, number);
    return problem == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

QString nameOnMachine(const std::string &machine, const QString &name)
{
    return machine.empty()
               ? name
               : QCoreApplication::translate("DeviceNames", "%1: %2").arg(QString::fromStdString(machine), name);
}

QString jobsOn(const std::string &machine)
{
    return nameOnMachine(clusterNameOr(machine), QCoreApplication::translate("DeviceNames", "jobs"));
}

std::optional<QString> deviceName(const std::string &id, const std::vector<protocol::DeviceStatus> &known)
{
    const std::string machine = sweep::machineOf(id);
    if (sweep::isJobDevice(id))
        return nameOnMachine(clusterNameOr(machine),
                             QCoreApplication::translate("DeviceNames", "device %1 of a job")
                                 .arg(QString::fromStdString(sweep::withoutMachine(id)).section(u':', 1)));
    if (const std::optional<int> core = coreNumber(id))
        return nameOnMachine(machine, QCoreApplication::translate("DeviceNames", "core %1").arg(*core));
    const protocol::DeviceStatus *gpu = statusOf(id, known);
    if (gpu == nullptr)
        return std::nullopt;
    const QString name = gpu->simulated ? QCoreApplication::translate("DeviceNames", "simulated GPU %1")
                                        : QCoreApplication::translate("DeviceNames", "GPU %1");
    return nameOnMachine(machine, name.arg(gpu->index));
}

QString deviceNameOrId(const std::string &id, const std::vector<protocol::DeviceStatus> &known)
{
    return deviceName(id, known).value_or(
        nameOnMachine(sweep::machineOf(id), QString::fromStdString(sweep::withoutMachine(id))));
}

QString devicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &known)
{
    return textOf(devices, known, QCoreApplication::translate("DeviceNames", "GPU %1 (simulated)"));
}

QString shortDevicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &known)
{
    return textOf(devices, known, QCoreApplication::translate("DeviceNames", "sim. GPU %1"));
}

QString holderText(const protocol::DeviceHolder &holder)
{
    return QCoreApplication::translate("DeviceNames", "%1 trial %2").arg(holder.sweep).arg(holder.trial);
}

QStringList holderTexts(const std::vector<protocol::DeviceHolder> &holders)
{
    QStringList texts;
    for (const protocol::DeviceHolder &holder : holders)
        texts << holderText(holder);
    return texts;
}

}  // namespace sweepscope::ui
