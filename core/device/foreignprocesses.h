#pragma once

#include "device/reading.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::device {

/// Who computes on a GPU and is none of ours.
struct ForeignUse {
    std::int64_t count = 0;                ///< processes
    std::uint64_t bytes = 0;               ///< of memory, all of them together
    std::optional<DeviceProcess> largest;  ///< with most memory; empty: nobody computes on it
};

/// Who only draws on it, as every desktop does, is in nobody's way. `isNobody`: one of ours, or gone by now.
ForeignUse foreignUse(const std::vector<DeviceProcess> &processes,
                      const std::function<bool(const DeviceProcess &)> &isNobody);

/// How many that are: those that descend from none of our agents. Empty when it cannot be told of all of them and none
/// is certain: seen from a container, processes on a GPU that is ours (`isHeld`) may be ours or not.
std::optional<double> foreignCount(const std::vector<DeviceProcess> &processes, const std::set<pid_t> &agents,
                                   bool isHeld, const std::string &procFolder = "/proc");

/// One of `agents`, or a descendant of one.
bool descendsFrom(pid_t pid, const std::set<pid_t> &agents, const std::string &procFolder = "/proc");

}  // namespace sweepscope::device
