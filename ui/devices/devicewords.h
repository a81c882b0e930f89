#pragma once

#include "protocol/devicestatus.h"
#include "sweep/gpulists.h"
#include "ui/devices/recentreadings.h"

#include <QIcon>
#include <QString>

namespace sweepscope::ui {

/// "GPU 0", "core 3"
QString deviceTitle(const protocol::DeviceStatus &device);

/// Its model without the maker, where that says enough: "H200".
QString shortName(const protocol::DeviceStatus &device);

/// "58.2 GiB", "512 MiB"
QString bytesText(double bytes);

/// "87%", "412 of 700 W", "64.0 of 128 GiB": a value and, where it is known, its limit. Empty: the value is not known.
QString percentText(std::optional<double> value);
QString amountText(std::optional<double> value, std::optional<double> limit, const QString &unit);
QString memoryText(std::optional<double> used, std::optional<double> total);
/// As wide as memoryText() may get.
QString widestMemoryText(std::optional<double> total);

/// Why the clocks are held back, and whether that is worth a thought. Empty: it is not known.
struct ThrottleText {
    QString text;
    bool isWarning = false;
};
ThrottleText throttleText(std::optional<double> reasons);

/// What stands first on a device's card.
enum class DeviceUse { Free, Trials, Others, Wrong, NotOffered, NotKnown };
DeviceUse useOf(const protocol::DeviceStatus &device);
QString useText(const protocol::DeviceStatus &device);
QIcon useIcon(DeviceUse use);

/// What is wrong with it, or special, without the name that stands above it; empty when there is nothing to say.
QString conditionText(const protocol::DeviceStatus &device);
/// What the engine notes of the machine, without what the GPUs say of themselves.
QString noteBeside(const QString &note, const std::vector<protocol::DeviceStatus> &devices);

/// Who has it or what is wrong with it, on one line: "digits-mlp trial 3", "python3 of anna and 2 more", "Free".
QString usedByText(const protocol::DeviceStatus &device, const QString &lease);

/// "ours", "foreign", or that it cannot be told.
QString ownerText(const protocol::DeviceStatus::Process &process);

/// "Excluded by digits-mlp"; empty where the sweep says nothing of it.
QString ruleText(sweep::GpuRule rule, const QString &sweepName);

/// The line of [devices] that has a sweep use this GPU alone, or all but this one.
QString pinLine(const protocol::DeviceStatus &device);
QString excludeLine(const protocol::DeviceStatus &device);

}  // namespace sweepscope::ui
