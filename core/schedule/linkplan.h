#pragma once

#include "device/device.h"
#include "device/gputopology.h"
#include "sweep/linktest.h"

#include <optional>
#include <string>
#include <vector>

namespace sweepscope::schedule {

/// Returns what the topology promises of the links between the first GPUs of a trial's ranks, without measurements. nullopt
/// for a single rank, for ranks that share a GPU or have none, and for MIG instances, which have no links.
std::optional<sweep::LinkTest> plannedLinkTest(const std::vector<std::vector<std::string>> &perRank,
                                               const std::vector<device::Device> &devices,
                                               const device::GpuTopology &topology);

}  // namespace sweepscope::schedule
