// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/records.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace sweepscope::feed {

/// Follows one feed from its start, over the seam between log file and ring, live or long finished. Any number of
/// readers, none disturbs the writer. Everything it reads is untrusted.
class FeedReader {
public:
    /// Neither file needs to exist yet: poll() finds them when they come. `ringPath` may be a symbolic link, or empty.
    FeedReader(std::filesystem::path logPath, std::filesystem::path ringPath);
    FeedReader(FeedReader &&) noexcept;
    FeedReader &operator=(FeedReader &&) noexcept;
    ~FeedReader();

    /// Hand every whole record since the last call to `visitor`. Returns the number of records. At most `maxBytes` are
    /// read in one call, so that a window never waits for a huge file. An error (Corrupt, Unsupported) comes after
    /// everything before it was handed out, says the offset, and stays. Damaged bytes followed by valid records are
    /// no error: they are skipped, and damage() reports them.
    Expected<std::uint64_t> poll(RecordVisitor &visitor, std::uint64_t maxBytes = 16 * 1024 * 1024);

    /// Why the first bytes that were left out were, and where reading went on; none: nothing was.
    const std::optional<Error> &damage() const noexcept;
    /// Returns whether another log has replaced the one that is being read, usually a shorter or compressed copy. The
    /// old one can still be read.
    bool isReplaced() const;
    /// Call when there is nothing to read. Continues in a log that has replaced the current one and has the same length
    /// (it was compressed). Returns whether a log of another length has replaced it: then the current one is a copy,
    /// and a more complete one has arrived.
    bool followReplacement();
    /// How many bytes of the stream were left out so far.
    std::uint64_t lostBytes() const noexcept;

    /// Stream offset of the next record.
    std::uint64_t offset() const noexcept;
    /// The same, with what the records before it say about those after it; `declared` is left to the visitor.
    StreamPosition position() const;
    /// Before the first poll(): start here instead of at the beginning. Is the position wrong for this stream, then
    /// poll() says Corrupt or hands out nonsense, as for damaged bytes.
    void startAt(const StreamPosition &position);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace sweepscope::feed
