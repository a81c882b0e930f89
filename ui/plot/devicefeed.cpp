#include "ui/plot/devicefeed.h"

#include "sweep/deviceplace.h"

#include <algorithm>

namespace sweepscope::ui {

class DeviceFeed::Collector : public feed::RecordVisitor {
public:
    explicit Collector(DeviceFeed &feed) : m_feed(feed) {}

    void series(const feed::SeriesDeclaration &declaration) override
    {
        const std::string &name = declaration.name;
        const bool wanted = std::any_of(m_feed.m_devices.begin(), m_feed.m_devices.end(), [&name](const auto &device) {
            return name.starts_with(sweep::withoutMachine(device) + '.');
        });
        m_feed.m_wanted.erase(declaration.id);
        if (!wanted)
            return;
        const auto known = std::find_if(m_feed.m_series.begin(), m_feed.m_series.end(),
                                        [&name](const series::Series &series) { return series.name() == name; });
        series::Series &series =
            known != m_feed.m_series.end() ? *known : m_feed.m_series.emplace_back(name, declaration.unit);
        m_feed.m_wanted[declaration.id] = {&series, m_feed.m_readsAnew && !series.empty() ? series.back().timeNs : 0};
    }

    void point(const feed::Point &point) override
    {
        if (point.timeNs < m_feed.m_from || (m_feed.m_to > 0 && point.timeNs > m_feed.m_to))
            return;
        const auto wanted = m_feed.m_wanted.find(point.series);
        if (wanted == m_feed.m_wanted.end() || point.timeNs <= wanted->second.after)
            return;
        wanted->second.series->append({point.step, point.timeNs, point.value});
        m_kept = true;
    }

    bool kept() const { return m_kept; }

private:
    DeviceFeed &m_feed;
    bool m_kept = false;
};

DeviceFeed::DeviceFeed(const std::filesystem::path &file, std::vector<std::string> devices, WallNs from, WallNs to)
    : m_file(file), m_reader(file, {}), m_devices(std::move(devices)), m_from(from), m_to(to)
{}

Expected<bool> DeviceFeed::poll(std::uint64_t maxBytes)
{
    Collector collector(*this);
    auto records = m_reader.poll(collector, maxBytes);
    if (records && *records == 0 && m_reader.isReplaced()) {
        readAnew();
        records = m_reader.poll(collector, maxBytes);
    }
    if (!records)
        return tl::unexpected(records.error());
    return collector.kept();
}

/// A shorter file has replaced this one. It begins with values that are known already.
void DeviceFeed::readAnew()
{
    m_reader = feed::FeedReader(m_file, {});
    m_wanted.clear();
    m_readsAnew = true;
}

const series::Series *DeviceFeed::find(std::string_view device, std::string_view quantity) const
{
    const std::string name = sweep::withoutMachine(device) + "." + std::string(quantity);
    const auto found = std::find_if(m_series.begin(), m_series.end(),
                                    [&name](const series::Series &series) { return series.name() == name; });
    return found == m_series.end() ? nullptr : &*found;
}

}  // namespace sweepscope::ui
