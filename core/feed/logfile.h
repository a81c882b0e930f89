// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "base/samefile.h"
#include "feed/packedblock.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace sweepscope::feed {

/// A log file for reading by stream offset, whether it is still written, finished, or finished and compressed.
class LogFile {
public:
    /// NotFound; BadInput if it is not a regular file; Corrupt or Unsupported if its compressed format is damaged or
    /// unknown.
    static Expected<LogFile> open(const std::filesystem::path &path);

    /// Bytes of the stream that can be read now.
    Expected<std::uint64_t> size() const;
    /// Into `out` from stream offset `from` on. Less than asked for at the end, or at a hole.
    Expected<std::size_t> read(std::uint64_t from, std::span<unsigned char> out);

    /// A damaged part of a compressed log: its length is known, and what comes after it can be read.
    struct Hole {
        std::uint64_t begin;
        std::uint64_t end;
        Error why;
    };
    /// Returns the first hole that reaches beyond `from`, among those that read() has found.
    const Hole *holeAfter(std::uint64_t from) const noexcept;

    bool packed() const noexcept { return m_packed; }
    /// Whether it is the file that the path names now.
    bool isNamed(const std::filesystem::path &path) const { return sweepscope::isNamed(m_file, path); }
    /// Why the stream ends before its end: the file is cut or damaged there.
    const std::optional<Error> &damage() const noexcept { return m_damage; }

private:
    struct Block {
        std::uint64_t streamOffset;
        std::uint64_t fileOffset;  ///< of its header
        packing::BlockHeader header;
    };

    Expected<void> findBlocks(const std::filesystem::path &path, std::uint64_t fileBytes);
    void walkOverBlocks(const std::filesystem::path &path, std::uint64_t fileBytes);
    void addBlock(const packing::BlockHeader &header);
    Expected<void> unpack(std::size_t block);
    void noteHole(std::size_t block, const Error &why);
    std::uint64_t endOf(std::size_t block) const;

    FileDescriptor m_file;
    bool m_packed = false;
    std::vector<Block> m_blocks;
    std::uint64_t m_streamBytes = 0;  ///< when packed
    std::uint64_t m_blocksEnd = packing::packedHeaderBytes;
    std::optional<Error> m_damage;
    std::vector<Hole> m_holes;
    std::size_t m_unpackedBlock = 0;
    std::vector<unsigned char> m_unpacked;
};

}  // namespace sweepscope::feed
