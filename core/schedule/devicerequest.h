#pragma once

#include "facts/fact.h"
#include "schedule/cpushares.h"
#include "schedule/gpuchoice.h"
#include "schedule/gpuleases.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// What a trial requests from the allocator, and what is chosen for it.
namespace sweepscope::schedule {

struct Request {
    int ranks = 1;
    int perRank = 1;
    sweep::DeviceKind kind = sweep::DeviceKind::Auto;  ///< Auto: GPUs if there are any, else CPU slots
    int cpuSlots = 0;                                  ///< 0 = one per core; more = cores are shared round-robin
    GpuWishes gpus{};
    TrialName trial{};  ///< the name that other engines see
    /// GPUs reserved for an earlier trial, and why it comes first: BehindOlderSweep or BehindPriority.
    std::map<std::string, facts::Fact> reserved{};
    int concurrent = 1;  ///< trials of the sweep that may run at once
    CpuWishes cpu{};
    std::vector<std::string> machines{};  ///< as DevicesSection::machines
    std::string home{};                   ///< the machine that has the trial's checkpoint; empty: none
    int nodes = 1;                        ///< machines that the trial runs on at once

    std::int64_t needed() const { return std::int64_t{ranks} * perRank; }
};

/// Devices chosen for a request, and the leases that keep other engines off them.
struct Choice {
    std::vector<std::string> ids;  ///< rank after rank
    std::vector<Lease> leases{};
    std::unique_ptr<GpuLeases::Taking> taking{};  ///< excludes other engines until it is destroyed
};

}  // namespace sweepscope::schedule
