#pragma once

#include "feed/records.h"
#include "series/block.h"
#include "series/indexfile.h"
#include "series/indexformat.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sweepscope::series {

/// Walks over a directory's bytes, which are untrusted: declarations, then events, then blocks.
class DirectoryReader {
public:
    explicit DirectoryReader(std::span<const unsigned char> untrusted);

    const std::vector<std::uint64_t> &blocksOfSeries() const { return m_blocksOfSeries; }
    /// False: no more of this kind, or the bytes end before.
    bool next(feed::SeriesDeclaration &declaration);
    bool next(feed::Event &event);
    bool next(IndexedBlock &block);
    /// Everything that the header announces was there.
    bool isWhole() const;

private:
    template <typename T>
    bool read(T &value);
    bool readText(std::string &text, std::size_t bytes);
    bool skipPadding(std::size_t bytes);

    std::span<const unsigned char> m_rest;
    IndexDirectory m_header{};
    std::vector<std::uint64_t> m_blocksOfSeries;
    bool m_short = false;
};

/// None: no packBlock() makes such a block, or its bytes are not below `end`.
std::optional<PackedBlock> trustedBlock(const IndexedBlock &untrusted, std::uint64_t end);

/// `bytesAt`: where the batch's bytes lie in the file. `header`: says where the directory before is.
std::vector<unsigned char> encodeDirectory(const IndexBatch &batch, std::uint64_t bytesAt, IndexDirectory header);

}  // namespace sweepscope::series
