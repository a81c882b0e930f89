#include "ui/devices/devicewords.h"

#include "device/reading.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double mebi = 1024.0 * 1024.0;
constexpr double gibi = 1024.0 * mebi;
constexpr std::uint64_t idle = 0x1;
constexpr std::uint64_t badReasons =
    0x8 | 0x20 | 0x40 | 0x80;  // slowdowns by heat and power brake, as NVML numbers them

struct DeviceWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Device)
};

QString listLine(const char *key, const client::DeviceStatus &device)
{
    return u"%1 = [\"%2\"]"_s.arg(QLatin1StringView(key), device.id);
}

}  // namespace

QString deviceTitle(const client::DeviceStatus &device)
{
    return (device.gpu ? DeviceWords::tr("GPU %1") : DeviceWords::tr("core %1")).arg(device.index);
}

QString bytesText(double bytes)
{
    if (bytes >= gibi)
        return DeviceWords::tr("%1 GiB").arg(bytes / gibi, 0, 'f', bytes >= 100 * gibi ? 0 : 1);
    return DeviceWords::tr("%1 MiB").arg(std::round(bytes / mebi), 0, 'f', 0);
}

QString percentText(std::optional<double> value)
{
    return value ? DeviceWords::tr("%1 %").arg(std::lround(*value)) : QString();
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
    return total ? DeviceWords::tr("%1 of %2").arg(bytesText(*used), bytesText(*total)) : bytesText(*used);
}

ThrottleText throttleText(std::optional<double> reasons)
{
    if (!reasons || !(*reasons >= 0) || *reasons > 9e15)
        return {};
    const auto bits = static_cast<std::uint64_t>(*reasons);
    if ((bits & ~idle) == 0)
        return {bits == idle ? DeviceWords::tr("no, it is idle") : DeviceWords::tr("no"), false};
    return {QString::fromStdString(device::throttleWords(bits & ~idle)), (bits & badReasons) != 0};
}

DeviceUse useOf(const client::DeviceStatus &device)
{
    if (device.remembered)
        return DeviceUse::NotKnown;
    if (!device.condition.isEmpty() && device.offered)
        return DeviceUse::Wrong;
    if (!device.offered)
        return DeviceUse::NotOffered;
    if (!device.holders.isEmpty())
        return DeviceUse::Trials;
    return device.processes.empty() ? DeviceUse::Free : DeviceUse::Others;
}

QString useText(const client::DeviceStatus &device)
{
    switch (useOf(device)) {
    case DeviceUse::Free:
        return DeviceWords::tr("Free");
    case DeviceUse::Trials:
        return DeviceWords::tr("In use");
    case DeviceUse::Others:
        return DeviceWords::tr("Processes of others");
    case DeviceUse::Wrong:
        return DeviceWords::tr("Needs a look");
    case DeviceUse::NotOffered:
        return DeviceWords::tr("Not given to trials");
    case DeviceUse::NotKnown:
        return DeviceWords::tr("Not looked at");
    }
    return {};
}

QString ownerText(const client::DeviceStatus::Process &process)
{
    if (!process.ours)
        return DeviceWords::tr("not known");
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
        return DeviceWords::tr("Left out by %1, which pins others").arg(sweepName);
    case sweep::GpuRule::Excluded:
        return DeviceWords::tr("Excluded by %1").arg(sweepName);
    }
    return {};
}

QString pinLine(const client::DeviceStatus &device)
{
    return listLine("pin", device);
}

QString excludeLine(const client::DeviceStatus &device)
{
    return listLine("exclude", device);
}

}  // namespace sweepscope::ui
