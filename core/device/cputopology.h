#pragma once

#include <set>
#include <string>
#include <vector>

namespace sweepscope::device {

/// A core of the machine: its hardware threads, as the kernel numbers them, and the NUMA node that it is in.
struct CpuCore {
    std::vector<int> cpus;
    int node = 0;
};

/// The cores that a program may have, in the order in which they lie in the machine.
struct CpuTopology {
    std::vector<CpuCore> cores;
    double quota = 0;  ///< cores' worth of time that the cgroup allows; 0 = no limit
};

/// Reads the cores with hwloc, without CPUs that are not `allowed`. If hwloc fails, each CPU counts as a core.
/// `synthetic` is a machine for tests, as hwloc describes one: "numa:2 core:4 pu:2".
std::vector<CpuCore> readCores(const std::set<int> &allowed, const std::string &synthetic = "");

/// What cgroups (version 2) leave this process of the processors' time, in cores; 0 = all of it. `root` is for tests.
double readCpuQuota(const std::string &root = "");

/// Returns the CPUs that this process and its children may use: those of its affinity mask, within the limits of its
/// cgroup.
CpuTopology cpuTopologyHere();

}  // namespace sweepscope::device
