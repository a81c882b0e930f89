// SPDX-License-Identifier: MIT
#include "feed/blocktable.h"

#include "feed/readat.h"
#include "feed/recordencoding.h"

#include <cstddef>
#include <cstring>

namespace sweepscope::feed::packing {

namespace {

constexpr char endMagic[8] = {'S', 'W', 'S', 'C', 'P', 'E', 'N', 'D'};

/// The last bytes of the file.
struct Footer {
    std::uint32_t version;
    std::uint32_t blocks;
    std::uint64_t checksum;  ///< of the content before it
    char magic[8];
};
static_assert(sizeof(Footer) == 24);

constexpr std::size_t checkedFooterBytes = offsetof(Footer, checksum);

bool fills(std::span<const BlockHeader> blocks, std::uint64_t bytes)
{
    for (const BlockHeader &block : blocks) {
        const std::uint64_t size = sizeof block + block.packedBytes;
        if (block.rawBytes == 0 || block.rawBytes > maxBlockBytes || size > bytes)
            return false;
        bytes -= size;
    }
    return bytes == 0;
}

}  // namespace

std::vector<unsigned char> endBlock(std::span<const BlockHeader> blocks)
{
    const std::size_t tableBytes = blocks.size_bytes();
    const BlockHeader header{Method::End, static_cast<std::uint32_t>(tableBytes + sizeof(Footer)), 0, 0};
    Footer footer{packedVersion, static_cast<std::uint32_t>(blocks.size()), 0, {}};
    std::vector<unsigned char> out(sizeof header + tableBytes + sizeof footer);
    unsigned char *table = out.data() + sizeof header;
    std::memcpy(out.data(), &header, sizeof header);
    if (tableBytes > 0)
        std::memcpy(table, blocks.data(), tableBytes);
    std::memcpy(table + tableBytes, &footer, checkedFooterBytes);
    footer.checksum = encoding::streamId(table, tableBytes + checkedFooterBytes);
    std::memcpy(footer.magic, endMagic, sizeof endMagic);
    std::memcpy(table + tableBytes, &footer, sizeof footer);
    return out;
}

std::optional<std::vector<BlockHeader>> readBlockTable(int file, std::uint64_t fileBytes)
{
    constexpr std::uint64_t leastBytes = packedHeaderBytes + sizeof(BlockHeader) + sizeof(Footer);
    Footer footer{};
    if (fileBytes < leastBytes || !readObjectAt(file, fileBytes - sizeof footer, footer)
        || std::memcmp(footer.magic, endMagic, sizeof endMagic) != 0 || footer.version != packedVersion
        || footer.blocks > (fileBytes - leastBytes) / sizeof(BlockHeader))
        return std::nullopt;
    const std::size_t tableBytes = footer.blocks * sizeof(BlockHeader);
    std::vector<unsigned char> untrusted(tableBytes + checkedFooterBytes);
    const auto have = readAt(file, fileBytes - sizeof footer - tableBytes, untrusted);
    if (!have || *have != untrusted.size() || encoding::streamId(untrusted.data(), untrusted.size()) != footer.checksum)
        return std::nullopt;
    std::vector<BlockHeader> blocks(footer.blocks);
    if (tableBytes > 0)
        std::memcpy(blocks.data(), untrusted.data(), tableBytes);
    return fills(blocks, fileBytes - leastBytes - tableBytes) ? std::optional(std::move(blocks)) : std::nullopt;
}

}  // namespace sweepscope::feed::packing
