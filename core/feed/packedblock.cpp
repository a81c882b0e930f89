// SPDX-License-Identifier: MIT
#include "feed/packedblock.h"

#include "feed/pointcolumns.h"

#include <cstring>
#include <memory>
#include <zstd.h>

namespace sweepscope::feed::packing {

namespace {

using Bytes = std::span<const unsigned char>;

/// A little better than zstd's own default, and still faster than a disk.
constexpr int compressionLevel = 6;

struct FreeContext {
    void operator()(ZSTD_CCtx *context) const { ZSTD_freeCCtx(context); }
};
using Context = std::unique_ptr<ZSTD_CCtx, FreeContext>;

Context newContext()
{
    Context context(ZSTD_createCCtx());
    if (context) {
        ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, compressionLevel);
        ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    }
    return context;
}

/// A zstd frame with a checksum. Empty when there is no memory.
std::vector<unsigned char> compressed(Bytes bytes)
{
    // A context is megabytes that would be cleared for every block.
    thread_local const Context context = newContext();
    if (!context)
        return {};
    std::vector<unsigned char> out(ZSTD_compressBound(bytes.size()));
    const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
    out.resize(ZSTD_isError(size) != 0 ? 0 : size);
    return out;
}

std::vector<unsigned char> block(Method method, Bytes content, std::size_t rawBytes)
{
    const BlockHeader header{method, static_cast<std::uint32_t>(content.size()), static_cast<std::uint32_t>(rawBytes),
                             0};
    std::vector<unsigned char> out(sizeof header + content.size());
    std::memcpy(out.data(), &header, sizeof header);
    std::memcpy(out.data() + sizeof header, content.data(), content.size());
    return out;
}

tl::unexpected<Error> notABlock(const std::string &why)
{
    return makeError(ErrorCode::Corrupt, "a compressed part is damaged: " + why);
}

}  // namespace

std::vector<unsigned char> packBlock(Bytes records)
{
    const auto plain = compressed(toColumns(records, false));
    const auto xored = compressed(toColumns(records, true));
    if (plain.empty() || xored.empty())
        return {};
    return xored.size() < plain.size() ? block(Method::XoredColumns, xored, records.size())
                                       : block(Method::Columns, plain, records.size());
}

Expected<std::vector<unsigned char>> unpackBlock(const BlockHeader &header, Bytes untrusted)
{
    if (header.rawBytes > maxBlockBytes)
        return notABlock("it claims to have " + std::to_string(header.rawBytes) + " bytes");
    if (header.method != Method::Columns && header.method != Method::XoredColumns)
        return notABlock("its compression method is unknown");
    // Columns add two counts and the runs, of which there is one for 8 bytes at most.
    std::vector<unsigned char> content(header.rawBytes * std::size_t{2} + 64);
    const std::size_t size = ZSTD_decompress(content.data(), content.size(), untrusted.data(), untrusted.size());
    if (ZSTD_isError(size) != 0)
        return notABlock(ZSTD_getErrorName(size));
    content.resize(size);
    auto records = fromColumns(content, header.method == Method::XoredColumns, header.rawBytes);
    if (!records)
        return notABlock("its columns are inconsistent");
    return std::move(*records);
}

}  // namespace sweepscope::feed::packing
