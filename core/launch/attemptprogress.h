#pragma once

#include "base/workspacelayout.h"
#include "launch/earlyexitwatch.h"
#include "launch/failurekind.h"
#include "launch/hangwatch.h"
#include "launch/launchspec.h"
#include "launch/rankprocess.h"
#include "launch/ranksteps.h"
#include "launch/secrets.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sweepscope::launch {

/// Why an attempt is over although ranks are alive.
struct Standstill {
    FailureKind kind;
    RankFault fault;
};

/// Checks whether a running attempt makes progress: its ranks report steps, and once one has ended normally, the others
/// do something.
class AttemptProgress {
public:
    using Clock = std::chrono::steady_clock;
    /// Returns the CPU use of a rank in % of one core; nullopt if unknown.
    using CpuPercent = std::function<std::optional<double>(int rank)>;

    AttemptProgress(const LaunchSpec &spec, const AttemptLayout &layout);

    /// Ignores the time since the last call: ranks were frozen, or what they reported is unknown.
    void skipSteps(Clock::time_point now) { m_hang.skip(now); }
    /// `reported`: whether the ranks have reported anything since the last call.
    std::optional<Standstill> checkSteps(const std::vector<RankProcess> &ranks, bool reported, Clock::time_point now);
    void noteExit(const RankProcess &rank);
    /// Checks whether the remaining ranks do nothing. With an empty `cpuPercent` the time since the last call does not
    /// count. `secrets` are masked in the output that the description quotes.
    std::optional<Standstill> checkRest(const std::vector<RankProcess> &ranks, const CpuPercent &cpuPercent,
                                        const SecretValues &secrets, Clock::time_point now);

private:
    RankFault describeRest(const std::vector<RankProcess> &ranks, const SecretValues &secrets) const;

    AttemptLayout m_layout;
    std::chrono::milliseconds m_exitGrace;
    HangWatch m_hang;
    std::optional<EarlyExitWatch> m_rest;  ///< set once a rank has ended normally
    int m_firstToLeave = -1;
    bool m_reported = false;  ///< since the last checkRest()
    std::uintmax_t m_printed = 0;
};

}  // namespace sweepscope::launch
