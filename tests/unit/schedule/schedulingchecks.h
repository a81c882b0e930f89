#pragma once

#include "unit/schedule/sharedmachine.h"

#include <cstdio>
#include <cstdlib>

/// Ends the program with a message if the condition is false.
#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::fprintf(stderr, "%s:%d: %s does not hold: ", __FILE__, __LINE__, #condition);                         \
            std::fprintf(stderr, __VA_ARGS__);                                                                         \
            std::fprintf(stderr, "\n");                                                                                \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (false)

namespace sweepscope::schedule {

/// Requires that the trial that has just started got only devices it may use, as many as it needs, in its turn, and
/// that no device is overcommitted. `running` is one of `side`'s.
void checkStart(const SharedMachine &machine, const Side &side, const Running &running);
/// Requires that no trial got a GPU that an earlier trial waits for, if our own trials will free it.
void checkOvertaking(const SharedMachine &machine, const std::vector<SweepDemand> &demands, const TrialStart &start,
                     const std::vector<TrialReason> &waiting);
/// Requires that every waiting trial has a reason, and that the reason is true.
void checkReasons(const SharedMachine &machine, const Side &side, const std::vector<SweepDemand> &demands,
                  const Decision &decision);

}  // namespace sweepscope::schedule
