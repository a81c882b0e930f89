// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "feed/format.h"
#include "feed/mappingguard.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>

namespace sweepscope::feed {

/// A ring file in memory, checked: what writer, agent and reader share. The header's sizes are untrusted, so they are
/// copied once, checked against the file's size, and never read again.
class RingMapping {
public:
    enum class Access {
        Read,  ///< loads only: the pages are read-only
        ReadWrite,
        ReadWriteTouched  ///< and every page is made present, so that the first writes do not fault
    };

    /// NotFound; Unavailable: not published yet; Corrupt: not a ring, or shorter than it says; Unsupported: newer
    /// version.
    static Expected<RingMapping> open(const std::filesystem::path &path, Access access);

    /// A new, all-zero ring (version 0, not published) of mode 0600 with its space reserved. AlreadyExists; Io: no
    /// room.
    static Expected<RingMapping> create(const std::filesystem::path &path, std::uint64_t capacity);

    RingMapping(RingMapping &&other) noexcept;
    RingMapping &operator=(RingMapping &&other) noexcept;
    ~RingMapping();

    RingHeader &header() const noexcept { return *m_header; }
    std::uint64_t capacity() const noexcept { return m_capacity; }
    std::uint64_t streamId() const noexcept { return m_streamId; }
    int descriptor() const noexcept { return m_file.get(); }
    const unsigned char *bytesAt(std::uint64_t offset) const noexcept
    {
        return reinterpret_cast<const unsigned char *>(m_data) + (offset & (m_capacity - 1));
    }

    /// Data words may be read by a reader while the writer overwrites them; the reader finds out by `drained`
    /// afterwards. For that to be sound the store is a release and the load an acquire: a reader that saw a word
    /// written after the writer had seen `drained` = d also sees d or more. On x86-64 both are plain moves.
    void storeWord(std::uint64_t offset, std::uint64_t word) const noexcept
    {
        std::atomic_ref<std::uint64_t>(wordAt(offset)).store(word, std::memory_order_release);
    }
    std::uint64_t loadWord(std::uint64_t offset) const noexcept
    {
        return std::atomic_ref<std::uint64_t>(wordAt(offset)).load(std::memory_order_acquire);
    }

    /// Corrupt if the file was truncated since it was mapped. Sets `unlinked` if the file has no name any more: its
    /// agent has finished with it.
    Expected<void> checkFile(bool &unlinked) const;

    /// While it exists, the calling thread can safely access a ring that another process may truncate at any time.
    /// Otherwise SIGBUS would end this process. After a truncation, the thread reads zeros, and checkFile() always
    /// returns Corrupt. For the agent and for readers; a rank that truncates its own ring ends itself.
    class Guard {
    public:
        explicit Guard(const RingMapping &ring) noexcept : m_guard(ring.m_header, ring.m_mappedBytes, ring.m_lost) {}

    private:
        MappingGuard m_guard;
    };

    /// Be the one writer: AlreadyExists while another process is. Held until this object goes.
    Expected<void> lockForWriting(const std::filesystem::path &pathForMessage) const;

private:
    RingMapping(FileDescriptor file, void *memory, std::uint64_t mappedBytes) noexcept;
    Expected<void> makePresent(const std::filesystem::path &pathForMessage) const;
    std::uint64_t &wordAt(std::uint64_t offset) const noexcept
    {
        return m_data[(offset & (m_capacity - 1)) / wordBytes];
    }

    FileDescriptor m_file;
    RingHeader *m_header = nullptr;
    std::uint64_t *m_data = nullptr;
    std::uint64_t m_mappedBytes = 0;
    std::uint64_t m_capacity = 0;
    std::uint64_t m_streamId = 0;
    mutable volatile std::sig_atomic_t m_lost = 0;  ///< the file was truncated while a Guard existed
};

}  // namespace sweepscope::feed
