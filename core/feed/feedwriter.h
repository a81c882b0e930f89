// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/format.h"

#include <filesystem>
#include <memory>
#include <string_view>

namespace sweepscope::feed {

/// The rank's side of a ring: declares series, writes points. One writer per ring; not for several threads at once
/// (each thread would need a lock, and the hot path has none). Never waits, never allocates, makes no system call but
/// the clock.
class FeedWriter {
public:
    /// Map the ring that the agent made. Errors: NotFound, Corrupt (not a ring), Unsupported (newer version).
    static Expected<FeedWriter> open(const std::filesystem::path &ringPath);

    /// The ring named by SWEEPSCOPE_RING; NotFound when this process was not started by Sweepscope.
    static Expected<FeedWriter> openFromEnvironment();

    FeedWriter(FeedWriter &&) noexcept;
    FeedWriter &operator=(FeedWriter &&) noexcept;
    ~FeedWriter();

    /// A new series; `unit` may be empty ("s", "%", "samples/s"). The same name gives the same id again.
    std::uint16_t declare(std::string_view name, std::string_view unit = {});

    /// One point of `series` at `step`, stamped with the wall clock now.
    void write(std::uint16_t series, std::int64_t step, double value) noexcept;

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
