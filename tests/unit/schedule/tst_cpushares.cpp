#include "schedule/allocator.h"
#include "schedule/cpushares.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace sweepscope;
using namespace sweepscope::device;
using namespace sweepscope::schedule;

namespace {

using Cpus = std::vector<std::vector<int>>;

/// Two nodes with four cores of two threads each: node 0 has CPUs 0 to 7, node 1 has 8 to 15.
CpuTopology twoNodes()
{
    return {readCores(
        [] {
            std::set<int> all;
            for (int cpu = 0; cpu < 16; ++cpu)
                all.insert(cpu);
            return all;
        }(),
        "numa:2 core:4 pu:2")};
}

std::set<int> node(int number)
{
    std::set<int> cpus;
    for (int cpu = 8 * number; cpu < 8 * number + 8; ++cpu)
        cpus.insert(cpu);
    return cpus;
}

CpuPlace onCpu(int first)
{
    CpuPlace place;
    place.first = first;
    return place;
}

/// Returns the place of GPU `part` of `neighbours` at the node.
CpuPlace onGpu(int nodeNumber, int part, int neighbours)
{
    return {node(nodeNumber), neighbours, neighbours, part, -1};
}

bool areDisjoint(const Cpus &lists)
{
    std::set<int> seen;
    std::size_t count = 0;
    for (const std::vector<int> &list : lists) {
        seen.insert(list.begin(), list.end());
        count += list.size();
    }
    return seen.size() == count;
}

}  // namespace

TEST_CASE("ranks of a trial have separate cores, and a thread per core")
{
    CpuShares shares(twoNodes());
    const CpuGrant grant = shares.assign("a", {onCpu(0), onCpu(1)}, 2, {});
    CHECK(grant.threads == 4);
    CHECK(grant.cpus == Cpus{{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}});
}

TEST_CASE("concurrent trials have different cores")
{
    CpuShares shares(twoNodes());
    const CpuGrant first = shares.assign("a", {onCpu(0), onCpu(1)}, 4, {});
    const CpuGrant second = shares.assign("b", {onCpu(2), onCpu(3)}, 4, {});
    CHECK(first.threads == 2);
    Cpus all = first.cpus;
    all.insert(all.end(), second.cpus.begin(), second.cpus.end());
    CHECK(areDisjoint(all));
    shares.release("a");
    const CpuGrant third = shares.assign("c", {onCpu(0), onCpu(1)}, 4, {});
    CHECK(third.threads == 2);
    all = third.cpus;
    all.insert(all.end(), second.cpus.begin(), second.cpus.end());
    CHECK(areDisjoint(all));
}

TEST_CASE("cores of an adopted trial are not reused")
{
    CpuShares shares(twoNodes());
    shares.adopt("a", {{0, 1, 2, 3}});
    const CpuGrant grant = shares.assign("b", {onCpu(0)}, 4, {});
    CHECK(grant.cpus == Cpus{{4, 5, 6, 7}});
}

TEST_CASE("a rank is near its GPU, in that GPU's share, and all GPUs of a node have a share")
{
    CpuShares shares(twoNodes());
    const CpuGrant grant = shares.assign("a", {onGpu(1, 1, 2)}, 4, {});
    CHECK(grant.threads == 2);
    CHECK(grant.cpus == Cpus{{12, 13, 14, 15}});
    CHECK(shares.assign("b", {onGpu(1, 0, 2)}, 4, {}).cpus == Cpus{{8, 9, 10, 11}});
    CHECK_MESSAGE((CpuShares(twoNodes()).assign("a", {onGpu(0, 0, 1)}, 1, {}).cpus == Cpus{{0, 1, 2, 3, 4, 5, 6, 7}}),
                  "alone it has all that is near, and no more");
}

TEST_CASE("with less than a core per rank, ranks are not bound")
{
    CpuShares shares(twoNodes());
    const CpuGrant grant = shares.assign("a", {onCpu(0), onCpu(1)}, 9, {});
    CHECK(grant.threads == 1);
    CHECK(grant.cpus == Cpus{{}, {}});
    CHECK_MESSAGE((shares.assign("b", {onGpu(0, 0, 5), onGpu(0, 1, 5)}, 5, {}).cpus == Cpus{{}, {}}),
                  "five GPUs near four cores");
}

TEST_CASE("a cgroup's CPU time limit reduces the threads and disables binding")
{
    CpuTopology limited = twoNodes();
    limited.quota = 4.5;
    CpuShares shares(limited);
    const CpuGrant grant = shares.assign("a", {onCpu(0), onCpu(1)}, 2, {});
    CHECK(grant.threads == 2);
    CHECK(grant.cpus == Cpus{{}, {}});
    limited.quota = 100;
    CHECK(CpuShares(limited).assign("a", {onCpu(0)}, 1, {}).threads == 8);
}

TEST_CASE("the user sets the number of cores, or disables binding")
{
    CpuShares shares(twoNodes());
    CpuWishes wishes;
    wishes.coresPerRank = 3;
    const CpuGrant three = shares.assign("a", {onCpu(0)}, 1, wishes);
    CHECK(three.threads == 3);
    CHECK(three.cpus == Cpus{{0, 1, 2, 3, 4, 5}});
    wishes.bind = false;
    CHECK(shares.assign("b", {onCpu(0)}, 1, wishes).cpus == Cpus{{}});
    CpuWishes threads;
    threads.leastCores = 6;
    const CpuGrant six = CpuShares(twoNodes()).assign("a", {onCpu(0)}, 4, threads);
    CHECK_MESSAGE(six.threads == 2, "what the person's own OMP_NUM_THREADS does not say is as ever");
    CHECK(six.cpus.front().size() == 12);
    CpuWishes many;
    many.coresPerRank = 4096;
    CHECK_MESSAGE((CpuShares(twoNodes()).assign("a", {onCpu(0)}, 1, many).cpus == Cpus{{}}), "more than there are");
}

TEST_CASE("on an unknown machine ranks are not bound")
{
    CpuShares shares;
    const CpuGrant grant = shares.assign("a", {onCpu(0)}, 1, {});
    CHECK(grant.threads == 1);
    CHECK(grant.cpus == Cpus{{}});
}

TEST_CASE("cores used by another engine are shared last, and do not change the number of threads")
{
    const Cpus theirs{{0, 1, 2, 3}, {8, 9}};
    const CpuGrant first = CpuShares(twoNodes()).assign("a", {onCpu(0), onCpu(1)}, 4, {}, theirs);
    CHECK(first.threads == 2);
    CHECK(first.cpus == Cpus{{4, 5, 6, 7}, {10, 11, 12, 13}});
    const CpuGrant all = CpuShares(twoNodes()).assign("a", {onCpu(0), onCpu(1)}, 2, {}, theirs);
    CHECK(all.threads == 4);
    CHECK(all.cpus == Cpus{{4, 5, 10, 11, 12, 13, 14, 15}, {0, 1, 2, 3, 4, 5, 6, 7}});
}

TEST_CASE("a rank's number of threads is independent of other trials, and its GPUs determine its cores")
{
    std::vector<Device> devices;
    for (int i = 0; i < 4; ++i) {
        Device gpu{"GPU-" + std::to_string(i), Kind::Gpu, i, "H200"};
        gpu.nearCpus = node(i / 2);
        devices.push_back(gpu);
    }
    Allocator allocator(devices, nullptr, twoNodes());
    Request request;
    request.concurrent = 100;  // but only four have a GPU at the same time
    Cpus all;
    for (const char *holder : {"1/1", "1/2", "1/3", "1/4"}) {
        const auto allocation = allocator.allocate(holder, request);
        REQUIRE(allocation.has_value());
        CHECK(allocation->cpu.threads == 2);
        const bool isSecondNode = allocation->perRank.front().front() >= "GPU-2";
        CHECK((allocation->cpu.cpus.front().front() >= 8) == isSecondNode);
        all.insert(all.end(), allocation->cpu.cpus.begin(), allocation->cpu.cpus.end());
    }
    CHECK(areDisjoint(all));
    const int cpu = all.front().front();  // of the first holder's rank
    CHECK(allocator.holdersOfCore({"cpu", Kind::Cpu, cpu, "a core"}) == std::vector<std::string>{"1/1"});
    allocator.release("1/1");
    CHECK(allocator.holdersOfCore({"cpu", Kind::Cpu, cpu, "a core"}).empty());
    request.concurrent = 1;
    const auto alone = allocator.allocate("2/1", request);
    REQUIRE(alone.has_value());
    CHECK_MESSAGE(alone->cpu.threads == 4, "all that is near its GPU");
}
