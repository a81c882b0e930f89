#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "feed/records.h"
#include "series/block.h"
#include "series/indexformat.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace sweepscope::series {

/// The end of an index, and evidence that it belongs to this stream.
struct IndexCheckpoint {
    std::uint64_t streamId = 0;
    feed::StreamPosition covered;
    feed::StreamPosition anchor;
    std::uint64_t anchorPoints = 0;
    std::uint64_t anchorDigest = 0;
    std::uint64_t dropped = 0;
};

/// Receives what an index holds, in the order of the stream.
class IndexVisitor {
public:
    virtual ~IndexVisitor() = default;
    virtual void declaration(const feed::SeriesDeclaration &declaration) = 0;
    virtual void event(const feed::Event &event) = 0;
    /// `series`: number in the order of first declaration. `blocks`: how many it has in all; this is one of them.
    /// False: it cannot be.
    virtual bool block(std::size_t series, const PackedBlock &block, std::uint64_t blocks) = 0;
};

/// What is added to an index at once.
struct IndexBatch {
    std::vector<feed::SeriesDeclaration> declarations;
    std::vector<feed::Event> events;
    struct Entry {
        std::uint32_t series;
        PackedBlock packed;  ///< its place is an offset in `bytes`
    };
    std::vector<Entry> blocks;
    std::vector<unsigned char> bytes;           ///< of the blocks, one after the other
    std::vector<std::uint64_t> blocksOfSeries;  ///< that each series has with this batch
};

/// One index file, as indexformat.h says.
class IndexFile {
public:
    /// To read. NotFound: there is none.
    static Expected<IndexFile> open(const std::filesystem::path &path);
    /// To go on writing what open() found. AlreadyExists: another process writes it.
    static Expected<IndexFile> openForWriting(const std::filesystem::path &path);
    /// A new one in the place of any that is there. AlreadyExists: another process writes that one.
    static Expected<IndexFile> create(const std::filesystem::path &path);

    /// Visits everything up to the newest checkpoint; the next call visits what was added since. Corrupt, Unsupported;
    /// `visitor` may have received a part by then.
    Expected<IndexCheckpoint> load(IndexVisitor &visitor);
    /// Offset of the stream up to which the newest checkpoint goes.
    Expected<std::uint64_t> covered();
    /// We are the one who writes it.
    bool isOurs() const { return m_ours; }
    /// The path still leads to this file, and not to one that took its place.
    bool isStillNamed() const;
    /// Add a batch, and move the checkpoint. Returns the offset at which the batch's bytes lie. After an error the file
    /// is as before.
    Expected<std::uint64_t> append(const IndexBatch &batch, const IndexCheckpoint &checkpoint);

    /// For the one who reads the bytes of blocks.
    Expected<FileDescriptor> descriptor() const;

private:
    IndexFile(FileDescriptor file, std::filesystem::path path) : m_file(std::move(file)), m_path(std::move(path)) {}
    struct Place {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        std::uint64_t checksum = 0;
    };
    Expected<void> loadSlot();
    Expected<std::vector<Place>> directories() const;
    Expected<void> loadDirectory(const Place &place, std::span<const std::uint64_t> blocksOfSeries,
                                 IndexVisitor &visitor) const;
    Expected<std::vector<unsigned char>> read(const Place &place) const;
    Expected<void> write(std::span<const unsigned char> bytes, std::uint64_t offset) const;
    tl::unexpected<Error> corrupt(const std::string &what) const;

    FileDescriptor m_file;
    std::filesystem::path m_path;
    bool m_ours = false;
    IndexSlot m_slot{};
    std::uint64_t m_loaded = 0;  ///< offset of the newest directory that load() has handed out
};

}  // namespace sweepscope::series
