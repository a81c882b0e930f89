#include "ui/models/devicewords.h"

#include "device/reading.h"
#include "ui/models/devicenames.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"
#include "wording/sentence.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double mebi = 1024.0 * 1024.0;
constexpr double gibi = 1024.0 * mebi;
constexpr std::uint64_t idle = 0x1;
constexpr std::uint64_t badReasons = 0x8 | 0x20 | 0x40 | 0x80;  // slowdowns by heat and power brake, as in NVML

struct DeviceWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Device)
};

struct BytesText {
    QString number;
    QString unit;
};

BytesText bytesInUnit(double bytes)
{
    if (bytes >= gibi)
        return {QString::number(bytes / gibi, 'f', bytes >= 100 * gibi ? 0 : 1), DeviceWords::tr("GiB")};
    return {QString::number(std::round(bytes / mebi), 'f', 0), DeviceWords::tr("MiB")};
}

QString listLine(const char *key, const protocol::DeviceStatus &device)
{
    return u"%1 = [\"%2\"]"_s.arg(QLatin1StringView(key), device.id);
}

QString processesText(const std::vector<protocol::DeviceStatus::Process> &processes)
{
    const protocol::DeviceStatus::Process &first = processes.front();
    const QString name = first.name.isEmpty() ? DeviceWords::tr("process %1").arg(first.pid) : first.name;
    const QString text = first.user.isEmpty() ? name : DeviceWords::tr("%1 (%2)").arg(name, first.user);
    return processes.size() == 1 ? text : DeviceWords::tr("%1 and %2 more").arg(text).arg(processes.size() - 1);
}

}  // namespace

QString deviceTitle(const protocol::DeviceStatus &device)
{
    return (device.gpu ? DeviceWords::tr("GPU %1") : DeviceWords::tr("core %1")).arg(device.index);
}

QString shortName(const protocol::DeviceStatus &device)
{
    for (const QStringView maker : {u"NVIDIA ", u"AMD "}) {
        if (device.name.startsWith(maker))
            return device.name.mid(maker.size());
    }
    return device.name;
}

QString bytesText(double bytes)
{
    const BytesText text = bytesInUnit(bytes);
    return text.number + u' ' + text.unit;
}

QString rateText(double bytesPerSecond)
{
    const auto text = [bytesPerSecond](double unit, int decimals, const QString &name) {
        return DeviceWords::tr("%1 %2/s").arg(bytesPerSecond / unit, 0, 'f', decimals).arg(name);
    };
    constexpr double kibi = 1024;
    return bytesPerSecond >= gibi   ? text(gibi, 1, DeviceWords::tr("GiB"))
           : bytesPerSecond >= mebi ? text(mebi, 1, DeviceWords::tr("MiB"))
           : bytesPerSecond >= kibi ? text(kibi, 0, DeviceWords::tr("KiB"))
                                    : text(1, 0, DeviceWords::tr("B"));
}

QString percentText(std::optional<double> value)
{
    return value ? DeviceWords::tr("%1%").arg(std::lround(*value)) : QString();
}

QString amountText(std::optional<double> value, std::optional<double> limit, const QString &unit)
{
    if (!value)
        return {};
    if (!limit)
        return u"%1 %2"_s.arg(std::lround(*value)).arg(unit);
    return DeviceWords::tr("%1 of %2 %3").arg(std::lround(*value)).arg(std::lround(*limit)).arg(unit);
}

QString memoryText(std::optional<double> used, std::optional<double> total)
{
    if (!used)
        return {};
    if (!total)
        return bytesText(*used);
    const BytesText part = bytesInUnit(*used);
    // "64.0 of 128 GiB"
    return DeviceWords::tr("%1 of %2")
        .arg(part.unit == bytesInUnit(*total).unit ? part.number : bytesText(*used), bytesText(*total));
}

QString widestMemoryText(std::optional<double> total)
{
    return memoryText(888 * mebi, total.value_or(88.8 * gibi));
}

ThrottleText throttleText(std::optional<double> reasons)
{
    if (!reasons || !(*reasons >= 0) || *reasons > 9e15)
        return {};
    const auto bits = static_cast<std::uint64_t>(*reasons);
    if ((bits & ~idle) == 0)
        return {bits == idle ? DeviceWords::tr("no (idle)") : DeviceWords::tr("no"), false};
    return {QString::fromStdString(device::throttleWords(bits & ~idle)), (bits & badReasons) != 0};
}

DeviceUse useOf(const protocol::DeviceStatus &device)
{
    if (device.recorded)
        return DeviceUse::NotKnown;
    if (!device.conditions.empty() && device.offered)
        return DeviceUse::Wrong;
    if (!device.offered)
        return DeviceUse::NotOffered;
    if (!device.holders.empty())
        return DeviceUse::Trials;
    return device.processes.empty() ? DeviceUse::Free : DeviceUse::Others;
}

QString useText(const protocol::DeviceStatus &device)
{
    switch (useOf(device)) {
    case DeviceUse::Free:
        return DeviceWords::tr("Free");
    case DeviceUse::Trials:
        return DeviceWords::tr("In use");
    case DeviceUse::Others:
        return DeviceWords::tr("Other processes");
    case DeviceUse::Wrong:
        return DeviceWords::tr("Needs attention");
    case DeviceUse::NotOffered:
        return DeviceWords::tr("Not used for trials");
    case DeviceUse::NotKnown:
        return DeviceWords::tr("Unknown");
    }
    return {};
}

QString conditionText(const protocol::DeviceStatus &device)
{
    QStringList parts;
    for (const facts::Fact &condition : device.conditions)
        parts << QString::fromStdString(wording::predicate(condition));
    return sentenceText(parts.join(u"; "_s));
}

QString usedByText(const protocol::DeviceStatus &device)
{
    const QString detail = useDetail(device);
    return detail.isEmpty() ? useText(device) : detail;
}

QString useDetail(const protocol::DeviceStatus &device)
{
    QStringList parts;
    const DeviceUse use = useOf(device);
    if (use == DeviceUse::Wrong)
        parts << conditionText(device);
    if (!device.holders.empty())
        parts << holderTexts(device.holders).join(u", "_s);
    else if (device.lease)
        parts << QString::fromStdString(wording::sentence(device.lease));
    else if (!device.processes.empty())
        parts << processesText(device.processes);
    return parts.join(u" · "_s);
}

QIcon useIcon(DeviceUse use)
{
    switch (use) {
    case DeviceUse::Free:
        return symbolIcon(u"remove"_s, QPalette::PlaceholderText);
    case DeviceUse::Trials:
        return stateIcon(sweep::TrialState::Running);
    case DeviceUse::Others:
    case DeviceUse::Wrong:
        return symbolIcon(u"warning"_s, QPalette::WindowText);
    case DeviceUse::NotOffered:
    case DeviceUse::NotKnown:
        return symbolIcon(u"about"_s, QPalette::PlaceholderText);
    }
    return {};
}

QString ownerText(const protocol::DeviceStatus::Process &process)
{
    if (!process.ours)
        return DeviceWords::tr("unknown");
    return *process.ours ? DeviceWords::tr("ours") : DeviceWords::tr("foreign");
}

QString ruleText(sweep::GpuRule rule, const QString &sweepName)
{
    switch (rule) {
    case sweep::GpuRule::None:
        return {};
    case sweep::GpuRule::Pinned:
        return DeviceWords::tr("Pinned by %1").arg(sweepName);
    case sweep::GpuRule::NotPinned:
        return DeviceWords::tr("Not used by %1, which pins other GPUs").arg(sweepName);
    case sweep::GpuRule::Excluded:
        return DeviceWords::tr("Excluded by %1").arg(sweepName);
    }
    return {};
}

QString pinLine(const protocol::DeviceStatus &device)
{
    return listLine("pin", device);
}

QString excludeLine(const protocol::DeviceStatus &device)
{
    return listLine("exclude", device);
}

}  // namespace sweepscope::ui
