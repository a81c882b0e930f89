#include "ui/models/devicereadings.h"

#include <algorithm>
#include <array>

namespace sweepscope::ui {

namespace {

constexpr WallNs second = 1'000'000'000;
/// Fast values are read every second, others every five (core/device/sources.h).
constexpr WallNs mostAge = 12 * second;
/// A late reading does not end the present.
constexpr WallNs liveSpan = 5 * second;
/// Constant while the device is there, and therefore written rarely.
constexpr std::array<std::string_view, 7> lasting{"memory_total",     "power_limit",         "sm_clock_max",
                                                  "memory_clock_max", "pcie_generation_max", "pcie_width_max",
                                                  "simulated"};
constexpr std::array<std::string_view, 13> drawn{
    "utilization", "memory",           "sm_clock",     "power",     "temperature", "cpu",  "memory_used",
    "swap_used",   "network_received", "network_sent", "disk_free", "read",        "write"};

}  // namespace

void DeviceReadings::add(const std::string &device, const std::string &quantity, TimedValue point)
{
    Trace &points = devices[device][quantity];
    const bool clockWasSetBack = !points.empty() && point.time < points.back().time;
    if (clockWasSetBack || std::ranges::find(drawn, quantity) == drawn.end())
        points.clear();
    points.push_back(point);
    while (points.front().time < point.time - recentSpan)
        points.pop_front();
    newest = point.time;
}

const DeviceReadings::Trace *DeviceReadings::find(std::string_view device, std::string_view quantity) const
{
    const auto known = devices.find(device);
    if (known == devices.end())
        return nullptr;
    const auto trace = known->second.find(quantity);
    return trace == known->second.end() ? nullptr : &trace->second;
}

std::optional<double> DeviceReadings::now(std::string_view device, std::string_view quantity) const
{
    const Trace *trace = find(device, quantity);
    if (trace == nullptr)
        return std::nullopt;
    const bool isLasting = std::ranges::find(lasting, quantity) != lasting.end();
    return isLasting || trace->back().time >= newest - mostAge ? std::optional(trace->back().value) : std::nullopt;
}

std::optional<double> DeviceReadings::mean(std::string_view device, std::string_view quantity, WallNs span) const
{
    if (!now(device, quantity))
        return std::nullopt;
    const Trace &points = *find(device, quantity);
    double sum = 0;
    int count = 0;
    for (auto point = points.rbegin(); point != points.rend() && point->time > points.back().time - span; ++point) {
        sum += point->value;
        ++count;
    }
    return sum / count;
}

bool DeviceReadings::isLive() const
{
    return newest > 0 && wallNow() + clockOffset - newest < liveSpan;
}

}  // namespace sweepscope::ui
