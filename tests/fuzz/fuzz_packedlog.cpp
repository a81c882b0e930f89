#include "feed/logtable.h"
#include "feed/packedblock.h"
#include "feed/pointcolumns.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>

/// Unpacking a compressed log, past the checksum that keeps a fuzzer out of the file itself: columns of any bytes give
/// records of the promised length or nothing, and any bytes survive packing and unpacking.
///
///     byte 0      low bit: whether values are XORed; the other bits all set: a whole block is packed and unpacked,
///                 which takes a hundred times as long
///     bytes 1, 2  how many bytes the columns claim to give
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *untrusted, std::size_t size)
{
    using namespace sweepscope::feed;
    if (size < 3)
        return 0;
    const bool xored = (untrusted[0] & 1U) != 0;
    const std::size_t claimed = untrusted[1] | std::size_t{untrusted[2]} << 8;
    const std::span<const unsigned char> bytes(untrusted + 3, size - 3);

    const auto given = packing::fromColumns(bytes, xored, claimed);
    if (given && given->size() != claimed)
        std::abort();
    const auto again = packing::fromColumns(packing::toColumns(bytes, xored), xored, bytes.size());
    if (!again || !std::equal(again->begin(), again->end(), bytes.begin(), bytes.end()))
        std::abort();
    if (untrusted[0] >= 0xfe) {
        const auto block = packing::packBlock(bytes);
        packing::BlockHeader header{};
        std::memcpy(&header, block.data(), sizeof header);
        const auto unpacked = packing::unpackBlock(header, std::span(block).subspan(sizeof header));
        if (!unpacked || !std::equal(unpacked->begin(), unpacked->end(), bytes.begin(), bytes.end()))
            std::abort();
    }
    if (const auto table = decodeTable(bytes)) {
        const auto written = encodeTable(*table);
        const auto *first = reinterpret_cast<const unsigned char *>(written.data());
        if (written.empty() || !decodeTable({first, written.size()}))
            return 0;  // names longer than the writer's limit are cut
    }
    return 0;
}
