#pragma once

#include "sweep/splitmix.h"

#include <cstdint>

namespace sweepscope::search {

enum class Purpose : std::uint64_t {
    RandomDraw = 1,
    Scrambling,
    TpeCandidates,
    Shuffle,
    Chance,
    GpCandidates,
    GpStarts,
    CmaesDraws,
    Nsga2Draws,
    PbtDraws,
    GpNeighbours,
};

/// Returns random numbers for one purpose of one trial. They depend on nothing else, so that neither the order of
/// suggestions nor a restart changes them.
inline sweep::SplitMix64 randomStream(std::uint64_t sweepSeed, int number, Purpose purpose)
{
    using sweep::SplitMix64;
    const std::uint64_t trial = SplitMix64::mix(sweepSeed ^ (static_cast<std::uint64_t>(number) * SplitMix64::gamma));
    return SplitMix64(SplitMix64::mix(trial + static_cast<std::uint64_t>(purpose) * SplitMix64::gamma));
}

}  // namespace sweepscope::search
