#include "series/feedseries.h"

#include <algorithm>
#include <utility>

namespace sweepscope::series {

class FeedSeries::Collector final : public feed::RecordVisitor {
public:
    explicit Collector(FeedSeries &owner) : m_owner(owner) {}

    void preamble(const feed::Preamble &value) override { m_owner.m_preamble = value; }
    void series(const feed::SeriesDeclaration &value) override
    {
        // A later writer of the same feed may give a known name another id: it is still the same curve.
        auto &all = m_owner.m_series;
        const auto known =
            std::find_if(all.begin(), all.end(), [&](const Series &one) { return one.name() == value.name; });
        const auto index = static_cast<std::size_t>(known - all.begin());
        if (known == all.end())
            all.emplace_back(value.name, value.unit);
        m_owner.m_byId.insert_or_assign(value.id, index);
    }
    void point(const feed::Point &value) override
    {
        // The reader hands out no point of a series that was not declared.
        m_owner.m_series[m_owner.m_byId.at(value.series)].append({value.step, value.timeNs, value.value});
    }
    void event(const feed::Event &value) override { m_owner.m_events.push_back(value); }
    void gap(const feed::Gap &value) override { m_owner.m_dropped += value.dropped; }

private:
    FeedSeries &m_owner;
};

FeedSeries::FeedSeries(feed::FeedReader reader) : m_reader(std::move(reader)) {}

Expected<std::uint64_t> FeedSeries::poll(std::uint64_t maxBytes)
{
    Collector collector(*this);
    return m_reader.poll(collector, maxBytes);
}

const Series *FeedSeries::find(std::string_view name) const
{
    const auto found =
        std::find_if(m_series.begin(), m_series.end(), [&](const Series &one) { return one.name() == name; });
    return found == m_series.end() ? nullptr : &*found;
}

}  // namespace sweepscope::series
