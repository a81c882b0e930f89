#include "device/cpusource.h"
#include "device/cputopology.h"
#include "process/cpulist.h"

#include "procfolder.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace sweepscope::device;
using namespace sweepscope::process;

namespace {

std::set<int> firstCpus(int count)
{
    std::set<int> cpus;
    for (int cpu = 0; cpu < count; ++cpu)
        cpus.insert(cpu);
    return cpus;
}

}  // namespace

TEST_CASE("CPU lists are written in Linux's format")
{
    CHECK(cpuListText({}).empty());
    CHECK(cpuListText({8, 0, 1, 3, 1}) == "0-1,3,8");
    CHECK(parseCpuList("0-1,3,8\n") == std::vector<int>{0, 1, 3, 8});
    CHECK(parseCpuList("") == std::vector<int>());
    for (const char *wrong : {"-1", "1-", "3-1", "a", "0-99999999", "1,,2", "0 1", "1.5", "99999999999999999999"})
        CHECK_FALSE(parseCpuList(wrong).has_value());
    CHECK(parseCpuList("0-3,0-3", 8) == std::vector<int>{0, 1, 2, 3});
    CHECK_FALSE(parseCpuList("0-3,0-3,0", 8).has_value());
    CHECK_FALSE(parseCpuList("8", 8).has_value());
}

TEST_CASE("cores are listed with their threads and their node")
{
    const std::vector<CpuCore> cores = readCores(firstCpus(16), "numa:2 core:4 pu:2");
    REQUIRE(cores.size() == 8);
    CHECK(cores.front().cpus == std::vector<int>{0, 1});
    CHECK(cores.front().node == 0);
    CHECK(cores.back().cpus == std::vector<int>{14, 15});
    CHECK(cores.back().node == 1);
}

TEST_CASE("only allowed CPUs are used, and all of them")
{
    const std::vector<CpuCore> cores = readCores({1, 2, 3, 700}, "numa:2 core:4 pu:2");
    REQUIRE(cores.size() == 3);
    CHECK(cores[0].cpus == std::vector<int>{1});
    CHECK(cores[1].cpus == std::vector<int>{2, 3});
    CHECK(cores[2].cpus == std::vector<int>{700});
    CHECK(readCores({0, 1}, "this is no machine").size() == 2);
}

TEST_CASE("the topology of this machine has all allowed CPUs")
{
    std::set<int> found;
    for (const CpuCore &core : cpuTopologyHere().cores)
        found.insert(core.cpus.begin(), core.cpus.end());
    CHECK(found == allowedCores());
}

TEST_CASE("the CPU time limit is the smallest one of the cgroup and its parents")
{
    const ProcFolder root;
    CHECK(readCpuQuota(root.path) == 0);
    root.write("proc/self/cgroup", "3:cpuset:/\n0::/box/job\n");
    CHECK(readCpuQuota(root.path) == 0);
    root.write("sys/fs/cgroup/box/job/cpu.max", "max 100000\n");
    CHECK(readCpuQuota(root.path) == 0);
    root.write("sys/fs/cgroup/box/cpu.max", "250000 100000\n");
    CHECK(readCpuQuota(root.path) == doctest::Approx(2.5));
    root.write("sys/fs/cgroup/cpu.max", "800000 100000\n");
    CHECK(readCpuQuota(root.path) == doctest::Approx(2.5));
    root.write("sys/fs/cgroup/box/cpu.max", "garbage\n");
    CHECK(readCpuQuota(root.path) == doctest::Approx(8));
}
