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
    bool isWaiting = false;            ///< it reported in its last step that it waits in a collective
};

/// Reads the steps of the living ranks from their logs (or indexes, if they exist).
std::vector<RankStep> readRankSteps(const AttemptLayout &layout, const std::vector<RankProcess> &ranks);
RankStep readRankStep(const AttemptLayout &layout, const RankProcess &rank);

/// What is wrong, and with which rank; -1: no single one.
struct RankFault {
    int rank = -1;
    facts::Fact reason;
};

/// Describes which ranks are behind the others once none reports steps any more.
RankFault describeHang(const std::vector<RankStep> &steps, std::chrono::milliseconds silence,
                       std::chrono::milliseconds longest);

/// `left` ended normally, and then the ranks `idle` did nothing for `grace`. They are at fault, unless their steps or
/// reports show that they wait for `left`. `lastWords`: the last output of an idle rank, if there is only one.
RankFault describeEarlyExit(const RankStep &left, const std::vector<RankStep> &idle, std::chrono::milliseconds grace,
                            const std::string &lastWords);

/// Converts for facts: 1500 ms is 1.5.
double secondsOf(std::chrono::milliseconds duration);

}  // namespace sweepscope::launch
