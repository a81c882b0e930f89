#pragma once

#include "base/filedescriptor.h"
#include "series/block.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace sweepscope::series {

/// Caches blocks read from files, of one to six kilobytes each, up to a fixed number. All feeds of a window share one,
/// on one thread. Each block has four possible slots; a new one replaces the oldest of them.
class BlockCache {
public:
    /// `blocks` is rounded up to a power of two.
    explicit BlockCache(std::size_t blocks = 16 * 1024);

    struct Key {
        const void *owner = nullptr;
        std::uint64_t place = 0;
        std::size_t bytes = 0;  ///< a damaged index may have two blocks at one place
        bool operator==(const Key &) const = default;
    };
    /// Null: not here. Valid until the next insert().
    const unsigned char *find(const Key &key) const;
    /// It will be looked for soon.
    void prefetch(const Key &key) const;
    const unsigned char *insert(const Key &key, std::unique_ptr<unsigned char[]> bytes);
    void remove(const void *owner);
    /// Changes when pointers of before may be gone.
    std::uint64_t changes() const { return m_changes; }

private:
    static constexpr std::size_t ways = 4;
    struct Set {
        std::array<Key, ways> keys{};
        std::array<std::unique_ptr<unsigned char[]>, ways> bytes;
        std::size_t oldest = 0;
    };
    std::size_t setOf(const Key &key) const;

    std::size_t m_setCount;
    std::vector<Set> m_sets;  ///< none before the first insert()
    std::uint64_t m_changes = 0;
};

/// Where the bytes of blocks lie: in memory, or in a file once they were saved there.
class BlockBytes {
public:
    explicit BlockBytes(std::shared_ptr<BlockCache> cache) : m_cache(std::move(cache)) {}
    ~BlockBytes();
    BlockBytes(const BlockBytes &) = delete;
    BlockBytes &operator=(const BlockBytes &) = delete;

    /// Pack samples into memory; `place` of the block says where.
    PackedBlock pack(std::span<const Sample> samples);

    /// From now on, places that are not in memory are offsets in this file. It is only read.
    void setFile(FileDescriptor file);
    /// All blocks that were in memory have places in the file now.
    void clearMemory();

    /// Never null. Valid until the next call for a block in a file. When the file does not have what the checksum says,
    /// all zeros, and damaged().
    const unsigned char *of(const Block &block);
    /// Null: the file would have to be read.
    const unsigned char *ofIfInMemory(const Block &block) const;
    /// Its bytes will be asked for soon.
    void prefetch(const Block &block) const;
    /// While this is the same, what ofIfInMemory() gave is there.
    std::uint64_t changes() const { return m_cache->changes(); }
    bool damaged() const { return m_damaged; }
    /// What blocks in memory take.
    std::size_t memoryBytes() const { return m_memory.size() * chunkBytes; }

private:
    static constexpr std::uint64_t inMemory = std::uint64_t{1} << 63U;
    static constexpr std::size_t chunkBytes = 256 * 1024;
    static bool isInMemory(const Block &block) { return (block.place & inMemory) != 0; }
    const unsigned char *fromFile(const Block &block);

    std::shared_ptr<BlockCache> m_cache;
    FileDescriptor m_file;
    std::deque<std::vector<unsigned char>> m_memory;  // each of chunkBytes, filled from the front
    bool m_damaged = false;
};

}  // namespace sweepscope::series
