// SPDX-License-Identifier: MIT
#pragma once

#include "base/error.h"
#include "feed/records.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace sweepscope::feed {

/// Room for the reported figures of about ten seconds at 10,000 points/s.
inline constexpr std::uint64_t defaultRingBytes = 4 * 1024 * 1024;

/// A folder on tmpfs for rings: /dev/shm, else XDG_RUNTIME_DIR, else the temporary folder.
std::filesystem::path ringFolder();

/// The agent's side of one feed: makes the ring (with the preamble in it), and moves what the rank commits to the log
/// file.
class RingDrain {
public:
    /// Creates `ringPath` (mode 0600; space reserved up front, so a full tmpfs is an error here and never SIGBUS later)
    /// and `logPath` (must not exist yet). `capacityBytes` is rounded up to a power of two, at least 64 KiB.
    static Expected<RingDrain> create(const std::filesystem::path &ringPath, const std::filesystem::path &logPath,
                                      const Preamble &preamble, std::uint64_t capacityBytes = defaultRingBytes);

    RingDrain(RingDrain &&) noexcept;
    RingDrain &operator=(RingDrain &&) noexcept;
    ~RingDrain();  ///< unmaps; does not drain and does not unlink

    /// Append what was committed since the last call to the log. Returns the bytes moved. On error (a full disk)
    /// nothing is lost: the bytes stay in the ring and the next call tries again. Corrupt: the rank has overwritten the
    /// ring's counters (which its next commit may repair) or has truncated the ring. If the log was truncated, its
    /// bytes are lost, and saving continues at the same offset: readers report the bytes in between as damage.
    Expected<std::uint64_t> drain();

    /// What was drained survives a loss of power from here on. Nothing to do while the rank has reported nothing.
    Expected<void> sync();

    /// Records that the rank has dropped so far.
    std::uint64_t dropped() const noexcept;

    void requestStop() noexcept;
    /// Whether the rank has read that.
    bool stopSeen() const noexcept;
    void fence() noexcept;

    /// Remove the ring's file. Call after the last drain, when the rank is gone. Drops that the rank could not tell any
    /// more are put into the log. False: the log cannot take what is left (a full disk), so the ring stays, for another
    /// call or for recoverRing().
    bool unlink() noexcept;

private:
    struct State;
    explicit RingDrain(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace sweepscope::feed
