#pragma once

#include "base/workspacelayout.h"
#include "facts/fact.h"
#include "launch/rankprocess.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// The progress of a living rank.
struct RankStep {
    int rank = 0;
    std::optional<std::int64_t> step;  ///< the last one reported; nullopt if none
    bool isStopped = false;            ///< by a signal (SIGSTOP), or by a debugger
};

/// Reads the steps of the living ranks from their logs (or indexes, if they exist).
std::vector<RankStep> readRankSteps(const AttemptLayout &layout, const std::vector<RankProcess> &ranks);

/// What is wrong, and with which rank; -1: no single one.
struct RankFault {
    int rank = -1;
    facts::Fact reason;
};

/// Describes which ranks are behind the others once none reports steps any more.
RankFault describeHang(const std::vector<RankStep> &steps, std::chrono::milliseconds silence,
                       std::chrono::milliseconds longest);

/// `left` ended normally while living ranks in `ranks` wait.
RankFault describeEarlyExit(int left, const std::vector<RankProcess> &ranks, std::chrono::milliseconds grace);

/// Converts for facts: 1500 ms is 1.5.
double secondsOf(std::chrono::milliseconds duration);

}  // namespace sweepscope::launch
