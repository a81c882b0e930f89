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

/// How far a rank that lives has come.
struct RankStep {
    int rank = 0;
    std::optional<std::int64_t> step;  ///< the last one reported; empty when it reported none
    bool isStopped = false;            ///< by a signal (SIGSTOP), or by a debugger
};

/// Of the ranks that live, from their logs (with index, where there is one).
std::vector<RankStep> readRankSteps(const AttemptLayout &layout, const std::vector<RankProcess> &ranks);

/// What is wrong, and the rank that it is about; -1: no single one.
struct RankFault {
    int rank = -1;
    facts::Fact reason;
};

/// Which ranks are behind the others, when none reports a step any more.
RankFault describeHang(const std::vector<RankStep> &steps, std::chrono::milliseconds silence,
                       std::chrono::milliseconds longest);

/// `left` ended well, while those of `ranks` that live wait.
RankFault describeEarlyExit(int left, const std::vector<RankProcess> &ranks, std::chrono::milliseconds grace);

/// For facts: 1500 ms are 1.5.
double secondsOf(std::chrono::milliseconds duration);

}  // namespace sweepscope::launch
