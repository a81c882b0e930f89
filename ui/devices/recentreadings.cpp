#include "ui/devices/recentreadings.h"

#include <algorithm>
#include <array>

namespace sweepscope::ui {

namespace {

/// What is read every second or every five (core/device/nvmlsource.h) is not known any more after that.
constexpr WallNs mostAge = 12LL * 1'000'000'000;
/// The same for as long as the device is there, and told now and then.
constexpr std::array<std::string_view, 7> lasting{"memory_total",     "power_limit",         "sm_clock_max",
                                                  "memory_clock_max", "pcie_generation_max", "pcie_width_max",
                                                  "simulated"};
constexpr std::array<std::string_view, 6> drawn{"utilization", "memory", "sm_clock", "power", "temperature", "cpu"};

template <std::size_t Size>
bool contains(const std::array<std::string_view, Size> &names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

class RecentReadings::Collector : public feed::RecordVisitor {
public:
    explicit Collector(RecentReadings &readings) : m_readings(readings) {}

    void series(const feed::SeriesDeclaration &declaration) override
    {
        const std::size_t dot = declaration.name.rfind('.');  // a device's name may have dots of its own
        if (dot == std::string::npos) {
            m_readings.m_series.erase(declaration.id);
            return;
        }
        Kept &kept = m_readings.m_kept[declaration.name];
        kept.device = declaration.name.substr(0, dot);
        kept.quantity = declaration.name.substr(dot + 1);
        m_readings.m_series[declaration.id] = &kept;
    }

    void point(const feed::Point &point) override
    {
        const auto found = m_readings.m_series.find(point.series);
        if (found == m_readings.m_series.end())
            return;
        std::deque<TimedValue> &points = found->second->points;
        // A clock that was set back begins anew.
        if (!points.empty() && point.timeNs < points.back().time)
            points.clear();
        points.push_back({point.timeNs, point.value});
        while (points.size() > 1 && points.front().time < point.timeNs - recentSpan)
            points.pop_front();
        m_last = point.timeNs;
    }

    WallNs last() const { return m_last; }

private:
    RecentReadings &m_readings;
    WallNs m_last = 0;
};

const ReadingTrace *DeviceReadings::find(std::string_view device, std::string_view quantity) const
{
    const auto known = devices.find(device);
    if (known == devices.end())
        return nullptr;
    const auto trace = known->second.find(quantity);
    return trace == known->second.end() ? nullptr : &trace->second;
}

std::optional<double> DeviceReadings::now(std::string_view device, std::string_view quantity) const
{
    const ReadingTrace *trace = find(device, quantity);
    return trace ? trace->now : std::nullopt;
}

RecentReadings::RecentReadings(std::filesystem::path file) : m_file(std::move(file)), m_reader(m_file, {}) {}

bool RecentReadings::poll(std::uint64_t maxBytes)
{
    Collector collector(*this);
    auto records = m_reader.poll(collector, maxBytes);
    if (records && *records == 0 && m_reader.isReplaced()) {
        // A shorter file has taken its name; it begins with what is known already.
        m_reader = feed::FeedReader(m_file, {});
        m_series.clear();
        m_kept.clear();
        records = m_reader.poll(collector, maxBytes);
    }
    m_problem = records ? std::string() : records.error().message;
    m_isWhole = !records || *records == 0;
    if (collector.last() > 0)
        m_newest = collector.last();
    return m_isWhole;
}

std::optional<double> RecentReadings::nowOf(const Kept &kept) const
{
    if (kept.points.empty())
        return std::nullopt;
    if (!contains(lasting, kept.quantity) && kept.points.back().time < m_newest - mostAge)
        return std::nullopt;
    return kept.points.back().value;
}

DeviceReadings RecentReadings::readings() const
{
    DeviceReadings readings;
    readings.newest = m_newest;
    readings.isWhole = m_isWhole;
    readings.problem = m_problem;
    for (const auto &[name, kept] : m_kept) {
        ReadingTrace &trace = readings.devices[kept.device][kept.quantity];
        trace.now = nowOf(kept);
        if (contains(drawn, kept.quantity)) {
            const auto begin = std::find_if(kept.points.begin(), kept.points.end(), [this](const TimedValue &point) {
                return point.time >= m_newest - recentSpan;
            });
            trace.points.assign(begin, kept.points.end());
        } else if (!kept.points.empty()) {
            trace.points.push_back(kept.points.back());
        }
    }
    return readings;
}

}  // namespace sweepscope::ui
