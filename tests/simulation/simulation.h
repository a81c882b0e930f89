#pragma once

#include "simulation/mutations.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::simulation {

/// What one seed came to.
struct Outcome {
    std::vector<Violation> violations;
    std::uint64_t events = 0;
    std::uint64_t writes = 0;
    int kills = 0;
    std::uint64_t digest = 0;         ///< of all that happened: the same in a second run of the seed
    std::vector<std::string> script;  ///< what people and faults did
};

/// One sweep from its launch to its end: people, kills, full disks and clock jumps first, then none of them, and it must
/// end. Everything is drawn from the seed.
Outcome simulate(std::uint64_t seed, Mutation mutation = Mutation::None);

}  // namespace sweepscope::simulation
