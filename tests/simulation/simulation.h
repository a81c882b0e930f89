#pragma once

#include "simulation/mutations.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::simulation {

/// The result of one seed.
struct Outcome {
    std::vector<Violation> violations;
    std::uint64_t events = 0;
    std::uint64_t writes = 0;
    int kills = 0;
    std::uint64_t digest = 0;         ///< of everything that happened: equal in a second run of the seed
    std::vector<std::string> script;  ///< the actions of users and faults
};

/// Simulates one sweep from its launch to its end: first with users, kills, full disks and clock jumps, then without,
/// and it must end. Everything is drawn from the seed.
Outcome simulate(std::uint64_t seed, Mutation mutation = Mutation::None);

}  // namespace sweepscope::simulation
