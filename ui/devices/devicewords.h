#pragma once

#include "client/devicestatus.h"
#include "sweep/gpulists.h"
#include "ui/devices/recentreadings.h"

#include <QString>

namespace sweepscope::ui {

/// "GPU 0", "core 3"
QString deviceTitle(const client::DeviceStatus &device);

/// "58.2 GiB", "512 MiB"
QString bytesText(double bytes);

/// "87 %", "412 of 700 W": a value and, where it is known, its limit. Empty: the value is not known.
QString percentText(std::optional<double> value);
QString amountText(std::optional<double> value, std::optional<double> limit, const QString &unit);
QString memoryText(std::optional<double> used, std::optional<double> total);

/// Why the clocks are held back, and whether that is worth a thought. Empty: it is not known.
struct ThrottleText {
    QString text;
    bool isWarning = false;
};
ThrottleText throttleText(std::optional<double> reasons);

/// What stands first on a device's card.
enum class DeviceUse { Free, Trials, Others, Wrong, NotOffered, NotKnown };
DeviceUse useOf(const client::DeviceStatus &device);
QString useText(const client::DeviceStatus &device);

/// "ours", "foreign", or that it cannot be told.
QString ownerText(const client::DeviceStatus::Process &process);

/// "Excluded by digits-mlp"; empty where the sweep says nothing of it.
QString ruleText(sweep::GpuRule rule, const QString &sweepName);

/// The line of [devices] that has a sweep use this GPU alone, or all but this one.
QString pinLine(const client::DeviceStatus &device);
QString excludeLine(const client::DeviceStatus &device);

}  // namespace sweepscope::ui
