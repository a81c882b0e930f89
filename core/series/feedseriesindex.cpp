#include "series/feedseries.h"
#include "series/feedwitness.h"

#include <utility>

/// What FeedSeries does with the index beside its feed.
namespace sweepscope::series {

namespace {

/// Below, reading the log is as fast.
constexpr std::uint64_t worthAnIndex = 1024 * 1024;

}  // namespace

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
            m_owner.m_forgottenBlocks.resize(m_owner.m_series.size());
            ++m_owner.m_forgottenBlocks[series];
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

/// To write, if that is wanted and nobody else does; else to read.
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
    takeUp(*checkpoint);
    (file->isOurs() ? m_index : m_foreign).emplace(std::move(*file));
}

/// The index has what comes before; the feed is read from there.
void FeedSeries::takeUp(const IndexCheckpoint &checkpoint)
{
    m_dropped = checkpoint.dropped;
    m_indexed = checkpoint.covered.offset;
    m_lookAt = m_indexed + saveBytes + lookBytes;
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
    m_lookAt = m_reader.offset() + lookBytes;
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
    forgetUnsaved();
    Loader loader(*this);
    const auto checkpoint = m_foreign->load(loader);
    if (!checkpoint || checkpoint->streamId != identityOf(m_preamble)) {
        startOver();
        m_indexIsBad = true;
        return;
    }
    takeUp(*checkpoint);
}

/// Back to what the index said when we last looked.
void FeedSeries::forgetUnsaved()
{
    m_savedBlocks.resize(m_series.size());
    for (std::size_t i = 0; i < m_series.size(); ++i)
        m_series[i].cut(m_savedBlocks[i]);
    m_declarations.resize(m_savedDeclarations);
    m_events.resize(m_savedEvents);
    m_bytes->forgetMemory();
}

/// IndexUse::Build: what was saved is of no more use here.
void FeedSeries::forgetSaved()
{
    m_forgottenBlocks.resize(m_series.size());
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        m_forgottenBlocks[i] += m_savedBlocks[i];
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
    m_forgottenBlocks.resize(m_series.size());
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
        batch.blocksOfSeries.push_back(m_forgottenBlocks[i] + blocks.size());
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
    m_bytes->forgetMemory();
    m_savedDeclarations = m_declarations.size();
    m_savedEvents = m_events.size();
    m_indexed = covered.offset;
    if (m_use == IndexUse::Build)
        forgetSaved();
}

}  // namespace sweepscope::series
