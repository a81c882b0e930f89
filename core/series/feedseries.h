#pragma once

#include "feed/feedreader.h"
#include "series/blockbytes.h"
#include "series/indexfile.h"
#include "series/series.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sweepscope::series {

/// The kind of the event that FeedSeries adds where a part of the feed could not be read.
inline constexpr auto damageEvent = static_cast<feed::EventKind>(0xffff);

/// How FeedSeries uses the index next to a log.
enum class IndexUse {
    None,
    Read,   ///< opens a long history without reading it; what came later is in memory
    Write,  ///< and keeps the index up to date, so that memory does not grow with the history. Where another process
            ///< does that, or the folder cannot be written, it only reads.
    Build   ///< writes the index and keeps nothing of what is in it: for a process that asks nothing. poll() fails
            ///< where another process writes it, or it cannot be written.
};

struct FeedFiles {
    std::filesystem::path log;
    std::filesystem::path ring;   ///< may be empty
    std::filesystem::path index;  ///< may be empty
};

/// All series of one feed, kept up to date by poll(). What plots, the engine's objective and the exporters read. For
/// one thread at a time; of several that share a cache too.
class FeedSeries {
public:
    explicit FeedSeries(FeedFiles files, IndexUse use = IndexUse::None,
                        std::shared_ptr<BlockCache> cache = std::make_shared<BlockCache>());
    FeedSeries(FeedSeries &&) noexcept = default;
    FeedSeries &operator=(FeedSeries &&) noexcept = default;
    /// Saves what the index does not have yet.
    ~FeedSeries();

    /// Take what is new. Returns the number of records, with those that the index knows; an error stays and what was
    /// read before it stays usable.
    Expected<std::uint64_t> poll(std::uint64_t maxBytes = 16 * 1024 * 1024);

    /// Bring the index up to date: nothing more comes for now. Without one of ours, or with little to keep, nothing.
    void save();

    /// A sentence about the first part of the feed that could not be read, between parts that could; else empty.
    std::string damage() const;

    /// In order of declaration. References stay valid until the next poll(), which may find the index damaged and begin
    /// again.
    const std::deque<Series> &all() const { return m_series; }
    /// Null when the feed has declared no such series (yet).
    const Series *find(std::string_view name) const;
    const std::vector<feed::Event> &events() const { return m_events; }
    const feed::Preamble &preamble() const { return m_preamble; }
    std::uint64_t droppedRecords() const { return m_dropped; }
    /// Stream offset up to which records were taken, here or from the index.
    std::uint64_t readBytes() const { return m_reader.offset(); }
    std::int64_t stepBase() const { return m_reader.position().stepBase; }
    /// As they came: a name may have several ids.
    const std::vector<feed::SeriesDeclaration> &declarations() const { return m_declarations; }
    /// Stream offset up to which the index goes; 0: there is none.
    std::uint64_t indexedBytes() const { return m_indexed; }

private:
    /// The anchor of an index lies about so far before its end.
    static constexpr std::uint64_t sliceBytes = 1024 * 1024;
    /// How much of a stream is kept in memory before it goes to the index.
    static constexpr std::uint64_t saveBytes = 4 * 1024 * 1024;
    /// How much more before a reader looks whether the index has grown.
    static constexpr std::uint64_t catchUpBytes = 1024 * 1024;

    class Collector;
    class Loader;
    void startOver();
    void loadIndex();
    Expected<IndexFile> openIndex();
    void resumeFrom(const IndexCheckpoint &checkpoint);
    void catchUpWithIndex();
    void noteDamage();
    void discardUnsaved();
    void discardSaved();
    bool isOfThisStream(const IndexCheckpoint &checkpoint) const;
    void declare(const feed::SeriesDeclaration &declaration);
    void createIndex();
    void giveUpIndex(const Error &why);
    IndexBatch batch();

    FeedFiles m_files;
    IndexUse m_use;
    std::shared_ptr<BlockBytes> m_bytes;
    feed::FeedReader m_reader;
    std::deque<Series> m_series;
    std::unordered_map<std::string_view, Series *> m_byName;  ///< of m_series
    std::vector<Series *> m_byId;
    std::vector<feed::SeriesDeclaration> m_declarations;
    std::vector<feed::Event> m_events;
    feed::Preamble m_preamble;
    std::uint64_t m_dropped = 0;
    std::uint64_t m_lostBytes = 0;  ///< as the reader says, which an event was made of

    std::optional<IndexFile> m_index;    ///< ours, to write
    std::optional<IndexFile> m_foreign;  ///< another process's, which grows
    std::optional<Error> m_unwritable;   ///< IndexUse::Build: why there is no more to do
    std::uint64_t m_indexed = 0;
    std::uint64_t m_catchUpAt;               ///< offset at which to see how far another process's index goes by now
    std::vector<std::size_t> m_savedBlocks;  ///< of each series
    std::vector<std::uint64_t> m_discardedBlocks;  ///< of each series: in the index, and not here any more
    std::size_t m_savedDeclarations = 0;
    std::size_t m_savedEvents = 0;
    bool m_indexIsBad = false;  ///< was, when blocks of it were looked at: the next save() makes a new one
    struct Anchor {
        feed::StreamPosition position;
        std::uint64_t points = 0;  ///< what the stream said since
        std::uint64_t digest = 0;
    };
    Anchor m_anchor;
};

}  // namespace sweepscope::series
