#pragma once

#include "base/workspacelayout.h"
#include "launch/earlyexitwatch.h"
#include "launch/failurekind.h"
#include "launch/hangwatch.h"
#include "launch/launchspec.h"
#include "launch/rankprocess.h"
#include "launch/ranksteps.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::launch {

/// Why an attempt whose ranks live is over all the same.
struct Standstill {
    FailureKind kind;
    RankFault fault;
};

/// Whether a running attempt goes on: its ranks report steps, and those that are left do not only wait for one that has
/// ended well.
class AttemptProgress {
public:
    using Clock = std::chrono::steady_clock;
    /// Of one core, by a rank; nullopt if unknown.
    using CpuPercent = std::function<std::optional<double>(int rank)>;

    AttemptProgress(const LaunchSpec &spec, const AttemptLayout &layout);

    /// The time since the last look does not count: ranks were frozen, or nobody can know what they reported.
    void skipSteps(Clock::time_point now) { m_hang.skip(now); }
    /// `reported`: whether the ranks reported anything since the last call.
    std::optional<Standstill> checkSteps(const std::vector<RankProcess> &ranks, bool reported, Clock::time_point now);
    void noteExit(const RankProcess &rank);
    /// Whether those that are left only wait. With an empty `cpuPercent` the time since the last call does not count.
    std::optional<Standstill> checkRest(const std::vector<RankProcess> &ranks, const CpuPercent &cpuPercent,
                                        Clock::time_point now);

private:
    AttemptLayout m_layout;
    std::chrono::milliseconds m_exitGrace;
    HangWatch m_hang;
    std::optional<EarlyExitWatch> m_rest;  ///< when a rank has ended well
    int m_firstToLeave = -1;
    bool m_reported = false;  ///< since the last look at the rest
    std::uintmax_t m_printed = 0;
};

}  // namespace sweepscope::launch
