#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sweepscope::process {

/// One process according to /proc/PID/stat. Times in clock ticks (sysconf(_SC_CLK_TCK)).
struct ProcessStat {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    std::string name;               ///< at most 15 bytes; only the process itself can change it
    char state = '?';               ///< 'Z' = ended, but not reaped
    std::uint64_t cpuTicks = 0;     ///< of the process itself, user and system
    std::uint64_t reapedTicks = 0;  ///< of children that it waited for
    std::uint64_t startTime = 0;    ///< ticks since boot: with the pid it identifies a process uniquely
    std::uint64_t residentBytes = 0;
};

/// Bytes that a process has transferred from and to disks, including reaped children (/proc/PID/io).
struct ProcessIo {
    std::uint64_t readBytes = 0;
    std::uint64_t writtenBytes = 0;
};

/// Returns nullopt if the process is gone, ending, or another user's.
std::optional<ProcessIo> readProcessIo(pid_t pid, const std::string &procFolder = "/proc");

/// Returns nullopt if there is no such process or its line is malformed.
std::optional<ProcessStat> readProcessStat(pid_t pid, const std::string &procFolder = "/proc");

/// Returns `root` and all its descendants at about this moment, root first; empty if root is gone. Reads only the tree
/// if the kernel has /proc/PID/task/TID/children, else all of /proc.
std::vector<ProcessStat> readProcessTree(pid_t root, const std::string &procFolder = "/proc");

/// Returns those of `processes` that are `root` or descend from it, root first.
std::vector<ProcessStat> subtree(const std::vector<ProcessStat> &processes, pid_t root);

/// Returns every visible process, unordered.
std::vector<pid_t> allProcesses(const std::string &procFolder = "/proc");

}  // namespace sweepscope::process
