// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/format.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace sweepscope::feed {

/// The rank's side of a ring: declares series, writes points. One process writes a ring at a time, with as many threads
/// as it likes. write() and event() take no lock, allocate nothing and make no system call but the clock's; what does
/// not fit is dropped and counted.
/// A forked child is not the writer: there every call does nothing.
class FeedWriter {
public:
    /// Map the ring that the agent made. Errors: NotFound, Corrupt (not a ring), Unsupported (newer version).
    static Expected<FeedWriter> open(const std::filesystem::path &ringPath);

    /// The ring that SWEEPSCOPE_RING names; NotFound when this process was not started by Sweepscope.
    static Expected<FeedWriter> openFromEnvironment();

    FeedWriter(FeedWriter &&) noexcept;
    FeedWriter &operator=(FeedWriter &&) noexcept;
    ~FeedWriter();

    /// A new series; `unit` may be empty ("s", "%", "samples/s"). The same name gives the same id again. Takes a lock.
    std::uint16_t declare(std::string_view name, std::string_view unit = {});

    /// One point of `series` at `step`, stamped with the wall clock now.
    void write(std::uint16_t series, std::int64_t step, double value) noexcept;
    /// The same, of a value that is older.
    void write(std::uint16_t series, std::int64_t step, std::int64_t timeNs, double value) noexcept;

    /// Text longer than the format allows is cut.
    void event(EventKind kind, std::int64_t step, std::string_view text) noexcept;

    /// The agent asks this rank to checkpoint and end.
    bool stopRequested() const noexcept;

    /// Records dropped because the ring was full.
    std::uint64_t dropped() const noexcept;

private:
    struct State;
    explicit FeedWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace sweepscope::feed
