#include "diagnosis/devicehistory.h"

#include "diagnosis/stepwindows.h"
#include "diagnosis/untrusted.h"

#include <algorithm>
#include <array>

namespace sweepscope::diagnosis {

namespace {

constexpr std::size_t mostRows = 20'000;
constexpr WallNs second = 1'000'000'000;
/// What is read every second or every five (core/device/nvmlsource.h) is not known any more after that.
constexpr WallNs mostAge = 12 * second;

struct Field {
    const char *series;
    std::optional<double> GpuRow::*value;
    bool lasting;  ///< does not change, and is written occasionally
};
constexpr std::array fields{
    Field{"utilization", &GpuRow::utilization, false},
    Field{"memory", &GpuRow::memory, false},
    Field{"memory_total", &GpuRow::memoryTotal, true},
    Field{"sm_clock", &GpuRow::smClock, false},
    Field{"sm_clock_max", &GpuRow::smClockMax, true},
    Field{"throttle_reasons", &GpuRow::throttleReasons, false},
    Field{"pcie_generation", &GpuRow::pcieGeneration, false},
    Field{"pcie_generation_max", &GpuRow::pcieGenerationMax, true},
    Field{"pcie_width", &GpuRow::pcieWidth, false},
    Field{"pcie_width_max", &GpuRow::pcieWidthMax, true},
    Field{"sm_activity", &GpuRow::smActivity, false},
    Field{"dram_activity", &GpuRow::dramActivity, false},
    Field{"foreign_processes", &GpuRow::foreignProcesses, false},
};

/// A quantity as it was known at times that rise.
class Known {
public:
    Known(const series::Series *series, bool lasting, WallNs from) : m_series(series), m_lasting(lasting)
    {
        if (m_series != nullptr)
            m_next = sampleAt(*m_series, difference(from, mostAge));
    }

    std::optional<double> at(WallNs time)
    {
        if (m_series == nullptr)
            return std::nullopt;
        while (m_next < m_series->size() && m_series->sample(m_next).timeNs <= time)
            m_last = m_series->sample(m_next++);
        if (m_lasting && !m_last)
            return m_series->sample(std::min(m_next, m_series->size() - 1)).value;
        if (!m_last || (!m_lasting && difference(time, m_last->timeNs) > mostAge))
            return std::nullopt;
        return m_last->value;
    }

private:
    const series::Series *m_series;
    bool m_lasting;
    std::size_t m_next = 0;
    std::optional<series::Sample> m_last;
};

const series::Series *find(const series::FeedSeries &feed, const std::string &name)
{
    const series::Series *series = feed.find(name);
    return series == nullptr || series->empty() ? nullptr : series;
}

/// The indexes of the samples between two times; of too many only every second, third, ….
std::vector<std::size_t> between(const series::Series &series, WallNs from, WallNs to)
{
    const std::size_t begin = sampleAt(series, from);
    std::size_t end = sampleAt(series, to);
    end += series.sample(end).timeNs <= to ? 1 : 0;
    std::vector<std::size_t> numbers;
    const std::size_t stride = 1 + (end > begin ? (end - begin) / mostRows : 0);
    for (std::size_t number = begin; number < end; number += stride) {
        if (series.sample(number).timeNs >= from)
            numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

DeviceHistory::DeviceHistory(const std::filesystem::path &feed) : m_feed({feed, {}, {}})
{
    std::error_code error;
    if (!std::filesystem::exists(feed, error))
        return;
    for (;;) {
        const Expected<std::uint64_t> records = m_feed.poll();
        if (!records)
            m_damage = records.error().message;
        if (!records || *records == 0)
            break;
    }
    if (m_damage.empty())
        m_damage = m_feed.damage();
}

std::vector<GpuRow> DeviceHistory::rows(const std::string &deviceId, WallNs from, WallNs to) const
{
    const series::Series *clock = nullptr;  // what is read most often has the times
    std::vector<Known> known;
    for (const Field &field : fields) {
        const series::Series *series = find(m_feed, deviceId + "." + field.series);
        if (series != nullptr && (clock == nullptr || series->size() > clock->size()))
            clock = series;
        known.emplace_back(series, field.lasting, from);
    }
    std::vector<GpuRow> rows;
    if (clock == nullptr)
        return rows;
    for (const std::size_t number : between(*clock, from, to)) {
        GpuRow row;
        row.time = clock->sample(number).timeNs;
        for (std::size_t i = 0; i < fields.size(); ++i)
            row.*fields[i].value = known[i].at(row.time);
        rows.push_back(row);
    }
    return rows;
}

std::vector<MonitorRow> DeviceHistory::monitor(WallNs from, WallNs to) const
{
    std::vector<MonitorRow> rows;
    const series::Series *series = find(m_feed, "monitor.cpu");
    if (series == nullptr)
        return rows;
    for (const std::size_t number : between(*series, from, to)) {
        const series::Sample sample = series->sample(number);
        rows.push_back({sample.timeNs, sample.value});
    }
    return rows;
}

bool DeviceHistory::isSimulated(const std::string &deviceId) const
{
    return find(m_feed, deviceId + ".simulated") != nullptr;
}

const DeviceHistory &DeviceHistories::of(const std::string &machine)
{
    return m_machines.try_emplace(machine, m_workspace.devicesFeed(machine)).first->second;
}

std::string DeviceHistories::damage() const
{
    std::string damage;
    for (const auto &[machine, history] : m_machines)
        damage += (damage.empty() || history.damage().empty() ? "" : "; ") + history.damage();
    return damage;
}

}  // namespace sweepscope::diagnosis
