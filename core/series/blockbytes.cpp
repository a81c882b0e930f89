#include "series/blockbytes.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <unistd.h>

namespace sweepscope::series {

BlockCache::BlockCache(std::size_t blocks) : m_setCount(std::bit_ceil(std::max(blocks, ways)) / ways) {}

std::size_t BlockCache::setOf(const Key &key) const
{
    const std::uint64_t mixed =
        (key.place + (reinterpret_cast<std::uintptr_t>(key.owner) << 20U)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(mixed >> 32U) & (m_setCount - 1);
}

const unsigned char *BlockCache::find(const Key &key) const
{
    if (m_sets.empty())
        return nullptr;
    const Set &set = m_sets[setOf(key)];
    for (std::size_t way = 0; way < ways; ++way) {
        if (set.keys[way] == key)
            return set.bytes[way].get();
    }
    return nullptr;
}

void BlockCache::prefetch(const Key &key) const
{
    if (m_sets.empty())
        return;
    const auto *set = reinterpret_cast<const unsigned char *>(&m_sets[setOf(key)]);
    for (std::size_t at = 0; at < sizeof(Set); at += 64)
        __builtin_prefetch(set + at);
}

const unsigned char *BlockCache::insert(const Key &key, std::unique_ptr<unsigned char[]> bytes)
{
    if (m_sets.empty())
        m_sets.resize(m_setCount);
    ++m_changes;
    Set &set = m_sets[setOf(key)];
    const std::size_t way = set.oldest++ % ways;
    set.keys[way] = key;
    set.bytes[way] = std::move(bytes);
    return set.bytes[way].get();
}

void BlockCache::remove(const void *owner)
{
    ++m_changes;
    for (Set &set : m_sets) {
        for (std::size_t way = 0; way < ways; ++way) {
            if (set.keys[way].owner == owner) {
                set.keys[way] = {};
                set.bytes[way].reset();
            }
        }
    }
}

BlockBytes::~BlockBytes()
{
    m_cache->remove(this);
}

PackedBlock BlockBytes::pack(std::span<const Sample> samples)
{
    constexpr std::size_t most = blockSamples * 3 * 8;
    if (m_memory.empty() || m_memory.back().size() + most > chunkBytes) {
        m_memory.emplace_back();
        m_memory.back().reserve(chunkBytes);  // so that pointers into it stay
    }
    std::vector<unsigned char> &chunk = m_memory.back();
    const std::uint64_t place = inMemory | (m_memory.size() - 1) * chunkBytes | chunk.size();
    PackedBlock packed = packBlock(samples, chunk);
    packed.block.place = place;
    return packed;
}

void BlockBytes::setFile(FileDescriptor file)
{
    m_cache->remove(this);
    m_file = std::move(file);
    m_damaged = false;
}

void BlockBytes::clearMemory()
{
    m_memory.clear();
}

const unsigned char *BlockBytes::of(const Block &block)
{
    const unsigned char *known = ofIfInMemory(block);
    return known ? known : fromFile(block);
}

const unsigned char *BlockBytes::ofIfInMemory(const Block &block) const
{
    if (!isInMemory(block))
        return m_cache->find({this, block.place, blockBytes(block.count, block.widths)});
    const std::uint64_t place = block.place & ~inMemory;
    return m_memory[place / chunkBytes].data() + place % chunkBytes;
}

void BlockBytes::prefetch(const Block &block) const
{
    if (!isInMemory(block))
        m_cache->prefetch({this, block.place, 0});
}

const unsigned char *BlockBytes::fromFile(const Block &block)
{
    const std::size_t size = blockBytes(block.count, block.widths);
    auto untrusted = std::make_unique_for_overwrite<unsigned char[]>(size);
    std::size_t have = 0;
    while (have < size) {
        const ssize_t got =
            ::pread(m_file.get(), untrusted.get() + have, size - have, static_cast<off_t>(block.place + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    if (have < size || checksumOf({untrusted.get(), size}) != block.checksum) {
        std::fill_n(untrusted.get(), size, static_cast<unsigned char>(0));
        m_damaged = true;
    }
    return m_cache->insert({this, block.place, size}, std::move(untrusted));
}

}  // namespace sweepscope::series
