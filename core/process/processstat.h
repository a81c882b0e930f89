#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::process {

/// What /proc/PID/stat says of one process. Times in clock ticks (sysconf(_SC_CLK_TCK)).
struct ProcessStat {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    std::string name;               ///< at most 15 bytes; the process itself alone can change it
    char state = '?';               ///< 'Z' = ended, not yet waited for
    std::uint64_t cpuTicks = 0;     ///< its own, user and system
    std::uint64_t reapedTicks = 0;  ///< of children that it waited for
    std::uint64_t startTime = 0;    ///< ticks since boot: with the pid it names a process for good
    std::uint64_t residentBytes = 0;
};

/// What a process has moved from and to disks, waited-for children included (/proc/PID/io).
struct ProcessIo {
    std::uint64_t readBytes = 0;
    std::uint64_t writtenBytes = 0;
};

/// Empty when the process is gone, somebody else's, or ending.
std::optional<ProcessIo> readProcessIo(pid_t pid, const std::string &procFolder = "/proc");

/// Empty when there is no such process or its line makes no sense.
std::optional<ProcessStat> readProcessStat(pid_t pid, const std::string &procFolder = "/proc");

/// `root` and all its descendants at about this moment, root first; empty when root is gone. Where the kernel offers
/// /proc/PID/task/TID/children only the tree is read, else all of /proc.
std::vector<ProcessStat> readProcessTree(pid_t root, const std::string &procFolder = "/proc");

/// Those of `processes` that are `root` or descend from it, root first.
std::vector<ProcessStat> subtree(const std::vector<ProcessStat> &processes, pid_t root);

/// Every process that is visible, in no order.
std::vector<pid_t> allProcesses(const std::string &procFolder = "/proc");

}  // namespace sweepscope::process
