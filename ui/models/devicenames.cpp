#include "ui/models/devicenames.h"

#include <QCoreApplication>

#include <algorithm>

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

QString textOf(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &machine,
               const QString &simulatedText)
{
    std::vector<int> cores;
    std::vector<int> gpus;
    std::vector<int> simulated;
    QStringList unknown;
    for (const std::string &id : devices) {
        if (id.starts_with("cpu:")) {
            cores.push_back(QString::fromStdString(id.substr(4)).toInt());
            continue;
        }
        const auto known = std::ranges::find_if(
            machine, [&id](const protocol::DeviceStatus &one) { return one.id == QLatin1String(id); });
        if (known == machine.end())
            unknown.append(QString::fromStdString(id));
        else
            (known->simulated ? simulated : gpus).push_back(known->index);
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

}  // namespace

std::optional<QString> deviceName(const std::string &id, const std::vector<protocol::DeviceStatus> &machine)
{
    if (id.starts_with("cpu:"))
        return QCoreApplication::translate("DeviceNames", "core %1").arg(QString::fromStdString(id.substr(4)));
    const auto known = std::ranges::find_if(
        machine, [&id](const protocol::DeviceStatus &device) { return device.id == QLatin1String(id); });
    if (known == machine.end())
        return std::nullopt;
    const QString name = known->simulated ? QCoreApplication::translate("DeviceNames", "simulated GPU %1")
                                          : QCoreApplication::translate("DeviceNames", "GPU %1");
    return name.arg(known->index);
}

QString devicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &machine)
{
    return textOf(devices, machine, QCoreApplication::translate("DeviceNames", "GPU %1 (simulated)"));
}

QString shortDevicesText(const std::vector<std::string> &devices, const std::vector<protocol::DeviceStatus> &machine)
{
    return textOf(devices, machine, QCoreApplication::translate("DeviceNames", "sim. GPU %1"));
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
