#include "series/feedseries.h"

#include "series/feedwitness.h"

#include <algorithm>
#include <utility>

namespace sweepscope::series {

namespace {

/// Below, reading the log is as fast.
constexpr std::uint64_t worthAnIndex = 1024 * 1024;

}  // namespace

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

class FeedSeries::Loader final : public IndexVisitor {
public:
    explicit Loader(FeedSeries &owner) : m_owner(owner) {}

    void declaration(const feed::SeriesDeclaration &declaration) override { m_owner.declare(declaration); }
    void event(const feed::Event &event) override { m_owner.m_events.push_back(event); }
    bool block(std::size_t series, const PackedBlock &block, std::uint64_t blocks) override
    {
        if (series >= m_owner.m_series.size())
            return false;
        if (m_owner.m_use == IndexUse::Build) {
            m_owner.m_discardedBlocks.resize(m_owner.m_series.size());
            ++m_owner.m_discardedBlocks[series];
            return true;
        }
        Series &taker = m_owner.m_series[series];
        if (taker.blocks().empty())
            taker.reserve(blocks);
        return taker.adopt(block);
    }

private:
    FeedSeries &m_owner;
};

FeedSeries::FeedSeries(FeedFiles files, IndexUse use, std::shared_ptr<BlockCache> cache)
    : m_files(std::move(files)),
      m_use(m_files.index.empty() ? IndexUse::None : use),
      m_bytes(std::make_shared<BlockBytes>(std::move(cache))),
      m_reader(m_files.log, m_files.ring),
      m_catchUpAt(saveBytes + catchUpBytes)
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
        if (m_reader.offset() >= m_catchUpAt)
            catchUpWithIndex();
    }
    if (m_unwritable)
        return tl::unexpected(*m_unwritable);
    if (records == 0 && m_reader.followReplacement()) {
        startOver();
        return poll(maxBytes);
    }
    return records;
}

/// Records damage as an event, so that the index stores it too.
void FeedSeries::noteDamage()
{
    if (m_reader.lostBytes() == m_lostBytes)
        return;
    const std::uint64_t lost = m_reader.lostBytes() - m_lostBytes;
    m_lostBytes = m_reader.lostBytes();
    const std::int64_t time = m_events.empty() ? m_preamble.createdNs : m_events.back().timeNs;
    m_events.push_back({damageEvent, 0, time,
                        std::to_string(lost) + " bytes of " + m_files.log.string()
                            + " could not be read and were skipped: " + m_reader.damage()->message});
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
    m_catchUpAt = saveBytes + catchUpBytes;
    m_savedBlocks.clear();
    m_discardedBlocks.clear();
    m_savedDeclarations = m_savedEvents = 0;
    m_anchor = {};
    m_bytes->clearMemory();
    m_bytes->setFile({});
    m_reader = feed::FeedReader(m_files.log, m_files.ring);
}

const Series *FeedSeries::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : found->second;
}

/// Opens the index for writing if wanted and no other process writes it; else for reading.
Expected<IndexFile> FeedSeries::openIndex()
{
    if (m_use == IndexUse::Read)
        return IndexFile::open(m_files.index);
    auto file = IndexFile::openForWriting(m_files.index);
    if (file || m_use == IndexUse::Write)
        return file ? std::move(file) : IndexFile::open(m_files.index);
    if (file.error().code != ErrorCode::NotFound)
        m_unwritable = file.error();
    return file;
}

void FeedSeries::loadIndex()
{
    auto file = openIndex();
    if (!file)
        return;
    Witness witness;
    feed::FeedReader reader(m_files.log, m_files.ring);
    if (!reader.poll(witness, 1) || !witness.preamble())
        return;
    m_preamble = *witness.preamble();

    Loader loader(*this);
    const auto checkpoint = file->load(loader);
    auto bytes = file->descriptor();
    if (!checkpoint || !bytes || !isOfThisStream(*checkpoint)) {
        startOver();
        return;
    }
    m_bytes->setFile(std::move(*bytes));
    resumeFrom(*checkpoint);
    (file->isOurs() ? m_index : m_foreign).emplace(std::move(*file));
}

/// The index has what comes before; the feed is read from there.
void FeedSeries::resumeFrom(const IndexCheckpoint &checkpoint)
{
    m_dropped = checkpoint.dropped;
    m_indexed = checkpoint.covered.offset;
    m_catchUpAt = m_indexed + saveBytes + catchUpBytes;
    feed::StreamPosition from = checkpoint.covered;
    for (const feed::SeriesDeclaration &declaration : m_declarations)
        from.declared.push_back(declaration.id);
    m_reader.startAt(from);
    m_anchor = {checkpoint.covered};
    m_savedBlocks.clear();
    for (const Series &series : m_series)
        m_savedBlocks.push_back(series.blocks().size());
    m_savedDeclarations = m_declarations.size();
    m_savedEvents = m_events.size();
}

/// Another process writes the index: what is there by now need not stay in memory.
void FeedSeries::catchUpWithIndex()
{
    m_catchUpAt = m_reader.offset() + catchUpBytes;
    if (m_use == IndexUse::None || m_use == IndexUse::Build || m_index || m_indexIsBad)
        return;
    if (!m_foreign || !m_foreign->isStillNamed()) {
        auto file = IndexFile::open(m_files.index);
        const auto reached = file ? file->covered() : tl::unexpected(file.error());
        if (!reached || *reached <= m_indexed)
            return;
        // The whole of it, and the check whether it is of this stream, as at the start.
        startOver();
        loadIndex();
        m_indexIsBad = m_indexed == 0;
        return;
    }
    const auto reached = m_foreign->covered();
    if (!reached || *reached <= m_indexed)
        return;
    discardUnsaved();
    Loader loader(*this);
    const auto checkpoint = m_foreign->load(loader);
    if (!checkpoint || checkpoint->streamId != identityOf(m_preamble)) {
        startOver();
        m_indexIsBad = true;
        return;
    }
    resumeFrom(*checkpoint);
}

/// Back to what the index said when we last looked.
void FeedSeries::discardUnsaved()
{
    m_savedBlocks.resize(m_series.size());
    for (std::size_t i = 0; i < m_series.size(); ++i)
        m_series[i].cut(m_savedBlocks[i]);
    m_declarations.resize(m_savedDeclarations);
    m_events.resize(m_savedEvents);
    m_bytes->clearMemory();
}

/// IndexUse::Build: what was saved is of no more use here.
void FeedSeries::discardSaved()
{
    m_discardedBlocks.resize(m_series.size());
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        m_discardedBlocks[i] += m_savedBlocks[i];
        m_savedBlocks[i] = 0;
        m_series[i].cut(0);
    }
    m_events.clear();
    m_savedEvents = 0;
}

bool FeedSeries::isOfThisStream(const IndexCheckpoint &checkpoint) const
{
    if (checkpoint.streamId != identityOf(m_preamble))
        return false;
    feed::StreamPosition from = checkpoint.anchor;
    for (const feed::SeriesDeclaration &declaration : m_declarations)
        from.declared.push_back(declaration.id);
    feed::FeedReader reader(m_files.log, m_files.ring);
    reader.startAt(from);
    Witness witness(checkpoint.anchorPoints);
    while (!witness.done() || reader.offset() < checkpoint.covered.offset) {
        const auto records = reader.poll(witness, sliceBytes);
        if (!records || *records == 0)
            return false;
    }
    return witness.digest() == checkpoint.anchorDigest;
}

void FeedSeries::createIndex()
{
    auto created = IndexFile::create(m_files.index);
    auto bytes = created ? created->descriptor() : tl::unexpected(created.error());
    if (!bytes) {
        giveUpIndex(bytes.error());
        return;
    }
    m_bytes->setFile(std::move(*bytes));
    m_index.emplace(std::move(*created));
}

/// Everything stays in memory from here on, or as long as no other process writes an index. What was saved stays
/// readable.
void FeedSeries::giveUpIndex(const Error &why)
{
    m_index.reset();
    if (m_use == IndexUse::Build)
        m_unwritable = why;
    else
        m_use = IndexUse::Read;
}

IndexBatch FeedSeries::batch()
{
    IndexBatch batch;
    batch.declarations.assign(m_declarations.begin() + static_cast<std::ptrdiff_t>(m_savedDeclarations),
                              m_declarations.end());
    batch.events.assign(m_events.begin() + static_cast<std::ptrdiff_t>(m_savedEvents), m_events.end());
    m_savedBlocks.resize(m_series.size());
    m_discardedBlocks.resize(m_series.size());
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        m_series[i].seal();
        const std::vector<Block> &blocks = m_series[i].blocks();
        for (std::size_t index = m_savedBlocks[i]; index < blocks.size(); ++index) {
            Block block = blocks[index];
            const unsigned char *bytes = m_bytes->of(block);
            block.place = batch.bytes.size();
            batch.bytes.insert(batch.bytes.end(), bytes, bytes + blockBytes(block.count, block.widths));
            batch.blocks.push_back({static_cast<std::uint32_t>(i), {block, m_series[i].summaryOf(index)}});
        }
        batch.blocksOfSeries.push_back(m_discardedBlocks[i] + blocks.size());
    }
    return batch;
}

void FeedSeries::save()
{
    const feed::StreamPosition covered = m_reader.position();
    // Of an index that another process writes we have read the front; the rest is ours alone, and in memory.
    const bool writes = m_use == IndexUse::Write || m_use == IndexUse::Build;
    if (!writes || m_unwritable || covered.offset < worthAnIndex || covered.offset == m_indexed || m_foreign)
        return;
    if (!m_index)
        createIndex();
    if (!m_index)
        return;
    const IndexBatch added = batch();
    const auto place = m_index->append(
        added, {identityOf(m_preamble), covered, m_anchor.position, m_anchor.points, m_anchor.digest, m_dropped});
    if (!place) {
        giveUpIndex(place.error());
        return;
    }
    std::size_t entry = 0;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        for (; m_savedBlocks[i] < m_series[i].blocks().size(); ++m_savedBlocks[i], ++entry)
            m_series[i].setPlace(m_savedBlocks[i], *place + added.blocks[entry].packed.block.place);
    }
    m_bytes->clearMemory();
    m_savedDeclarations = m_declarations.size();
    m_savedEvents = m_events.size();
    m_indexed = covered.offset;
    if (m_use == IndexUse::Build)
        discardSaved();
}

}  // namespace sweepscope::series
