#include "series/feedseries.h"

#include "series/feedwitness.h"

#include <algorithm>
#include <utility>

namespace sweepscope::series {

class FeedSeries::Collector final : public feed::RecordVisitor {
public:
    explicit Collector(FeedSeries &owner) : m_owner(owner) {}

    void preamble(const feed::Preamble &value) override { m_owner.m_preamble = value; }
    void series(const feed::SeriesDeclaration &value) override { m_owner.declare(value); }
    void point(const feed::Point &value) override
    {
        // The reader hands out no point of a series that was not declared.
        m_owner.m_byId[value.series]->append({value.step, value.timeNs, value.value});
        m_owner.m_anchor.digest = withPoint(m_owner.m_anchor.digest, value);
        ++m_owner.m_anchor.points;
    }
    void event(const feed::Event &value) override { m_owner.m_events.push_back(value); }
    void gap(const feed::Gap &value) override { m_owner.m_dropped += value.dropped; }

private:
    FeedSeries &m_owner;
};

FeedSeries::FeedSeries(FeedFiles files, IndexUse use, std::shared_ptr<BlockCache> cache)
    : m_files(std::move(files)),
      m_use(m_files.index.empty() ? IndexUse::None : use),
      m_bytes(std::make_shared<BlockBytes>(std::move(cache))),
      m_reader(m_files.log, m_files.ring),
      m_lookAt(saveBytes + lookBytes)
{}

FeedSeries::~FeedSeries()
{
    if (m_bytes)
        save();
}

void FeedSeries::declare(const feed::SeriesDeclaration &declaration)
{
    // A later writer of the same feed may give a known name another id: it is still the same curve.
    auto known = m_byName.find(declaration.name);
    if (known == m_byName.end()) {
        Series &series = m_series.emplace_back(declaration.name, declaration.unit, m_bytes);
        if (m_preamble.createdNs != 0)  // it may have been lost
            series.setOrigin(m_preamble.createdNs);
        known = m_byName.emplace(series.name(), &series).first;
    }
    if (m_byId.size() <= declaration.id)
        m_byId.resize(declaration.id + std::size_t{1});
    m_byId[declaration.id] = known->second;
    m_declarations.push_back(declaration);
}

Expected<std::uint64_t> FeedSeries::poll(std::uint64_t maxBytes)
{
    std::uint64_t records = 0;
    if (m_bytes->damaged()) {
        startOver();
        m_indexIsBad = true;
    }
    if (m_use != IndexUse::None && !m_indexIsBad && m_reader.offset() == 0) {
        loadIndex();
        for (const Series &series : m_series)
            records += series.size();
    }
    Collector collector(*this);
    for (std::uint64_t budget = maxBytes; budget > 0 && !m_unwritable;) {
        const std::uint64_t before = m_reader.offset();
        const Anchor anchor = m_anchor;
        if (before - m_anchor.position.offset >= sliceBytes)
            m_anchor = {m_reader.position()};
        const auto taken = m_reader.poll(collector, std::min(budget, sliceBytes));
        noteDamage();
        if (!taken)
            return tl::unexpected(taken.error());
        if (*taken == 0) {
            m_anchor = anchor;  // one with points behind it
            break;
        }
        records += *taken;
        budget -= std::min(budget, m_reader.offset() - before);
        if (m_reader.offset() - m_indexed >= saveBytes)
            save();
        if (m_reader.offset() >= m_lookAt)
            catchUpWithIndex();
    }
    if (m_unwritable)
        return tl::unexpected(*m_unwritable);
    return records;
}

/// As an event, so that the index tells of it too.
void FeedSeries::noteDamage()
{
    if (m_reader.lostBytes() == m_lostBytes)
        return;
    const std::uint64_t lost = m_reader.lostBytes() - m_lostBytes;
    m_lostBytes = m_reader.lostBytes();
    const std::int64_t time = m_events.empty() ? m_preamble.createdNs : m_events.back().timeNs;
    m_events.push_back({damageEvent, 0, time,
                        std::to_string(lost) + " bytes of " + m_files.log.string()
                            + " could not be read and were left out: " + m_reader.damage()->message});
}

std::string FeedSeries::damage() const
{
    const auto found = std::find_if(m_events.begin(), m_events.end(),
                                    [](const feed::Event &event) { return event.kind == damageEvent; });
    return found == m_events.end() ? std::string() : found->text;
}

/// The index, or what it led to, is not to be trusted: only the feed itself is.
void FeedSeries::startOver()
{
    m_index.reset();
    m_foreign.reset();
    m_byName.clear();
    m_series.clear();
    m_byId.clear();
    m_declarations.clear();
    m_events.clear();
    m_dropped = 0;
    m_lostBytes = 0;
    m_indexed = 0;
    m_lookAt = saveBytes + lookBytes;
    m_savedBlocks.clear();
    m_forgottenBlocks.clear();
    m_savedDeclarations = m_savedEvents = 0;
    m_anchor = {};
    m_bytes->forgetMemory();
    m_bytes->setFile({});
    m_reader = feed::FeedReader(m_files.log, m_files.ring);
}

const Series *FeedSeries::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : found->second;
}

}  // namespace sweepscope::series
