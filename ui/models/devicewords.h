#pragma once

#include "protocol/devicestatus.h"
#include "sweep/gpulists.h"
#include "ui/models/devicereadings.h"

#include <QIcon>
#include <QString>

namespace sweepscope::ui {

/// "GPU 0", "core 3"
QString deviceTitle(const protocol::DeviceStatus &device);

/// The model without the vendor if that is enough: "H200".
QString shortName(const protocol::DeviceStatus &device);

/// "58.2 GiB", "512 MiB"
QString bytesText(double bytes);
/// "1.5 MiB/s".
QString rateText(double bytesPerSecond);

/// "87%", "412 of 700 W", "64.0 of 128 GiB": a value and, if known, its limit. Empty if the value is unknown.
QString percentText(std::optional<double> value);
QString amountText(std::optional<double> value, std::optional<double> limit, const QString &unit);
QString memoryText(std::optional<double> used, std::optional<double> total);
/// The widest text that memoryText() may return.
QString widestMemoryText(std::optional<double> total);

/// Why the clocks are throttled, and whether that matters. Empty if unknown.
struct ThrottleText {
    QString text;
    bool isWarning = false;
};
ThrottleText throttleText(std::optional<double> reasons);

/// The first line of a device's card.
enum class DeviceUse { Free, Trials, Others, Wrong, NotOffered, NotKnown };
DeviceUse useOf(const protocol::DeviceStatus &device);
QString useText(const protocol::DeviceStatus &device);
QIcon useIcon(DeviceUse use);

/// The device's problems or peculiarities, without its name; empty if there are none.
QString conditionText(const protocol::DeviceStatus &device);

/// Who has it or what is wrong with it, on one line: "digits-mlp trial 3", "python3 of anna and 2 more", "Free".
QString usedByText(const protocol::DeviceStatus &device);
/// The same, empty if it is free and has no problem.
QString useDetail(const protocol::DeviceStatus &device);

/// "ours", "foreign", or that it is unknown.
QString ownerText(const protocol::DeviceStatus::Process &process);

/// "Excluded by digits-mlp"; empty if the sweep does not mention the GPU.
QString ruleText(sweep::GpuRule rule, const QString &sweepName);

/// The line for [devices] that lets a sweep use only this GPU, or all others.
QString pinLine(const protocol::DeviceStatus &device);
QString excludeLine(const protocol::DeviceStatus &device);

}  // namespace sweepscope::ui
