#include "ui/plot/devicestrips.h"

#include "ui/plot/chart.h"
#include "ui/plot/columns.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace sweepscope::ui {

namespace {

struct DeviceQuantity {
    const char *id;
    std::string_view quantity;
};
constexpr std::array gpuQuantities{
    DeviceQuantity{"gpu.utilization", "utilization"},
    DeviceQuantity{"gpu.memory", "memory"},
    DeviceQuantity{"gpu.power", "power"},
    DeviceQuantity{"gpu.sm_clock", "sm_clock"},
    DeviceQuantity{"gpu.temperature", "temperature"},
    DeviceQuantity{"gpu.memory_clock", "memory_clock"},
};
constexpr std::array hostQuantities{
    DeviceQuantity{"rank.cpu", "cpu"},
    DeviceQuantity{"rank.memory", "memory"},
};
constexpr DeviceQuantity coreQuantity{"core.utilization", "utilization"};

bool isGpu(const std::string &device)
{
    return !device.starts_with("cpu:");
}

/// Devices are read every second, recorded ones at their own rate. No line bridges a time without readings.
void breakAtGaps(std::vector<series::Column> &columns, const series::Series &series, double columnWidth)
{
    constexpr double leastSeconds = 5;
    constexpr double readingsMissed = 5;
    const auto [first, last] = series.extent(series::XAxis::WallTime);
    const double pace = (last - first) / static_cast<double>(series.size());
    const double gap = std::max(leastSeconds, readingsMissed * pace) + 2 * columnWidth;
    for (std::size_t i = 1; i < columns.size(); ++i) {
        if (columns[i].x - columns[i - 1].x > gap)
            columns[i].startsSegment = true;
    }
}

}  // namespace

QStringList DeviceStrips::ids() const
{
    QStringList ids;
    const auto sampled = [this](bool gpus, std::string_view quantity) {
        return std::ranges::any_of(m_source.devices, [&](const std::string &device) {
            return isGpu(device) == gpus && m_readings.ofDevice(device, quantity) != nullptr;
        });
    };
    for (const DeviceQuantity &gpu : gpuQuantities) {
        if (sampled(true, gpu.quantity))
            ids.append(QString::fromLatin1(gpu.id));
    }
    const auto ofAnyRank = [this](std::string_view quantity) {
        for (int rank = 0; rank < m_source.ranks; ++rank) {
            if (m_readings.ofRank(rank, quantity))
                return true;
        }
        return false;
    };
    if (ofAnyRank(hostQuantities[0].quantity))
        ids.append(QString::fromLatin1(hostQuantities[0].id));
    if (sampled(false, coreQuantity.quantity))
        ids.append(QString::fromLatin1(coreQuantity.id));
    if (ofAnyRank(hostQuantities[1].quantity))
        ids.append(QString::fromLatin1(hostQuantities[1].id));
    return ids;
}

PlotPanel DeviceStrips::panel(const QString &id, const PlotFrame &frame, int columns, VisibleColumns &kept) const
{
    PlotPanel panel;
    panel.id = id;
    const auto add = [&](const series::Series *series, const std::string &name, int color) {
        if (!series)
            return;
        PlotCurve curve;
        curve.name = QString::fromStdString(name);
        curve.color = color;
        curve.newest = newestValue(*series);
        curve.columns =
            kept.of(*series, {series::XAxis::WallTime, frame.from, frame.to, columns, series::Edges::WithNeighbours});
        breakAtGaps(curve.columns, *series, (frame.to - frame.from) / columns);
        panel.unit = QString::fromStdString(series->unit());
        panel.curves.push_back(std::move(curve));
    };
    for (const DeviceQuantity &host : hostQuantities) {
        for (int rank = 0; id == QLatin1String(host.id) && rank < m_source.ranks; ++rank)
            add(m_readings.ofRank(rank, host.quantity), "rank " + std::to_string(rank), rank);
    }
    const std::size_t perRank =
        m_source.ranks > 0 && m_source.devices.size() % static_cast<std::size_t>(m_source.ranks) == 0
            ? m_source.devices.size() / static_cast<std::size_t>(m_source.ranks)
            : 1;
    const auto addDevices = [&](const DeviceQuantity &quantity, bool gpus) {
        for (std::size_t i = 0; id == QLatin1String(quantity.id) && i < m_source.devices.size(); ++i) {
            if (isGpu(m_source.devices[i]) == gpus)
                add(m_readings.ofDevice(m_source.devices[i], quantity.quantity), m_source.deviceNames[i],
                    static_cast<int>(i / std::max<std::size_t>(perRank, 1)));
        }
    };
    for (const DeviceQuantity &gpu : gpuQuantities)
        addDevices(gpu, true);
    addDevices(coreQuantity, false);
    if (!m_source.clockNote.isEmpty() && !panel.curves.empty())
        panel.title = panelTitle(id) + QStringLiteral(" · ") + m_source.clockNote;
    return panel;
}

}  // namespace sweepscope::ui
