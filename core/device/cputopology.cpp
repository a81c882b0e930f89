#include "device/cputopology.h"

#include "base/files.h"
#include "device/cpusource.h"

#include <algorithm>
#include <filesystem>
#include <hwloc.h>
#include <memory>
#include <sstream>

namespace sweepscope::device {

namespace {

constexpr std::uint64_t mostCgroupBytes = 64 * 1024;

struct Destroy {
    void operator()(hwloc_topology *topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, Destroy>;

Topology load(const std::string &synthetic)
{
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0)
        return nullptr;
    Topology topology(raw);
    if (!synthetic.empty() && hwloc_topology_set_synthetic(raw, synthetic.c_str()) != 0)
        return nullptr;
    return hwloc_topology_load(raw) == 0 ? std::move(topology) : nullptr;
}

std::vector<int> allowedOf(hwloc_const_bitmap_t set, const std::set<int> &allowed)
{
    std::vector<int> cpus;
    for (int cpu = set != nullptr ? hwloc_bitmap_first(set) : -1; cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) {
        if (allowed.contains(cpu))
            cpus.push_back(cpu);
    }
    return cpus;
}

int nodeOf(const hwloc_obj &core)
{
    const int node = core.nodeset != nullptr ? hwloc_bitmap_first(core.nodeset) : 0;
    return std::max(node, 0);
}

/// "max 100000": no limit; "200000 100000": two cores' worth of each period.
double quotaIn(const std::string &file)
{
    const Expected<std::string> content = readFile(file, mostCgroupBytes);
    std::istringstream fields(content.value_or("max"));
    double time = 0;
    double period = 0;
    return fields >> time >> period && time > 0 && period > 0 ? time / period : 0;
}

/// Where version 2 has this process: the line "0::/path".
std::string cgroupIn(const std::string &file)
{
    const Expected<std::string> content = readFile(file, mostCgroupBytes);
    std::istringstream lines(content.value_or(""));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("0::/"))
            return line.substr(3);
    }
    return "/";
}

}  // namespace

std::vector<CpuCore> readCores(const std::set<int> &allowed, const std::string &synthetic)
{
    std::vector<CpuCore> cores;
    std::set<int> missing = allowed;
    const Topology topology = load(synthetic);
    const int count = topology ? hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_CORE) : 0;
    for (int i = 0; i < count; ++i) {
        const hwloc_obj_t core = hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_CORE, static_cast<unsigned>(i));
        std::vector<int> cpus = allowedOf(core->cpuset, allowed);
        for (const int cpu : cpus)
            missing.erase(cpu);
        if (!cpus.empty())
            cores.push_back({std::move(cpus), nodeOf(*core)});
    }
    for (const int cpu : missing)
        cores.push_back({{cpu}, 0});
    return cores;
}

double readCpuQuota(const std::string &root)
{
    double least = 0;
    for (std::filesystem::path group = cgroupIn(root + "/proc/self/cgroup");; group = group.parent_path()) {
        const double quota = quotaIn(root + "/sys/fs/cgroup" + (group / "cpu.max").string());
        if (quota > 0)
            least = least > 0 ? std::min(least, quota) : quota;
        if (group == group.parent_path())
            return least;
    }
}

CpuTopology cpuTopologyHere()
{
    return {readCores(allowedCores()), readCpuQuota()};
}

}  // namespace sweepscope::device
