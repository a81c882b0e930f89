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

/// The compute processes on a GPU that are not ours.
struct ForeignUse {
    std::int64_t count = 0;                ///< processes
    std::uint64_t bytes = 0;               ///< of memory, all of them together
    std::optional<DeviceProcess> largest;  ///< uses the most memory; nullopt if there is none
};

/// Ignores processes that only draw, as every desktop does. `isNobody` returns true for a process that is ours or gone.
ForeignUse foreignUse(const std::vector<DeviceProcess> &processes,
                      const std::function<bool(const DeviceProcess &)> &isNobody);

/// Counts the processes that descend from none of our agents. Returns nullopt if none is certainly foreign and some are
/// undecided: in a container, processes on a GPU that is ours (`isHeld`) may be ours or not.
std::optional<double> foreignCount(const std::vector<DeviceProcess> &processes, const std::set<pid_t> &agents,
                                   bool isHeld, const std::string &procFolder = "/proc");

/// One of `agents`, or a descendant of one.
bool descendsFrom(pid_t pid, const std::set<pid_t> &agents, const std::string &procFolder = "/proc");

}  // namespace sweepscope::device
