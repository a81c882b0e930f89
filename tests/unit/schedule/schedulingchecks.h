#pragma once

#include "unit/schedule/sharedmachine.h"

#include <cstdio>
#include <cstdlib>

/// Ends the program with what is wrong.
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

/// What has just started got what it may have, all of it, in its turn, and nobody has too much; `running` is one of `side`'s.
void checkStart(const SharedMachine &machine, const Side &side, const Running &running);
/// Nobody gets a GPU for which a trial before it waits, if that comes free by ours.
void checkOvertaking(const SharedMachine &machine, const std::vector<SweepDemand> &demands, const TrialStart &start,
                     const std::vector<TrialReason> &waiting);
/// Whatever waits is told why, and what it is told is true.
void checkReasons(const SharedMachine &machine, const Side &side, const std::vector<SweepDemand> &demands,
                  const Decision &decision);

}  // namespace sweepscope::schedule
