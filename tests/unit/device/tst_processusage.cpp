#include "process/processusage.h"
#include "procfolder.h"

#include <doctest/doctest.h>
#include <unistd.h>

using namespace sweepscope::process;

namespace {
constexpr std::int64_t second = 1'000'000'000;
const long ticksPerSecond = ::sysconf(_SC_CLK_TCK);
const auto pageBytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}  // namespace

TEST_CASE("a process whose name looks like fields is parsed")
{
    const ProcFolder proc;
    proc.writeStat({.pid = 12, .parent = 3, .ticks = 40, .reaped = 5, .pages = 7, .name = ") S 1 (evil) R 2"});
    const auto stat = readProcessStat(12, proc.path.string());
    REQUIRE(stat.has_value());
    CHECK(stat->parent == 3);
    CHECK(stat->group == 77);
    CHECK(stat->state == 'S');
    CHECK(stat->cpuTicks == 40);
    CHECK(stat->reapedTicks == 5);
    CHECK(stat->startTime == 5000);
    CHECK(stat->residentBytes == 7 * pageBytes);
}

TEST_CASE("a truncated line is not parsed")
{
    const ProcFolder proc;
    proc.write("5/stat", "5 (a) S 1 2");
    CHECK_FALSE(readProcessStat(5, proc.path.string()).has_value());
    CHECK_FALSE(readProcessStat(6, proc.path.string()).has_value());
}

TEST_CASE("a tree contains children and grandchildren, and no other process")
{
    const ProcFolder proc;
    proc.writeStat({.pid = 10});
    proc.writeStat({.pid = 11, .parent = 10});
    proc.writeStat({.pid = 12, .parent = 11});
    proc.writeStat({.pid = 20});
    proc.writeStat({.pid = 21, .parent = 20});
    const auto check = [&] {
        const auto tree = readProcessTree(10, proc.path.string());
        REQUIRE(tree.size() == 3);
        CHECK(tree[0].pid == 10);
        CHECK(tree[1].pid == 11);
        CHECK(tree[2].pid == 12);
    };
    check();
    SUBCASE("also if the kernel lists the children of a thread")
    {
        proc.write("10/task/10/children", "");
        proc.write("10/task/15/children", "11 ");
        proc.write("11/task/11/children", "12 13 ");
        check();
    }
}

TEST_CASE("cyclic parents do not make an endless tree")
{
    const ProcFolder proc;
    proc.writeStat({.pid = 10, .parent = 11});
    proc.writeStat({.pid = 11, .parent = 10});
    CHECK(readProcessTree(10, proc.path.string()).size() == 2);
}

TEST_CASE("CPU and memory are summed over a process and its descendants")
{
    const ProcFolder proc;
    proc.writeStat({.pid = 10, .ticks = 100, .pages = 10});
    proc.writeStat({.pid = 11, .parent = 10, .ticks = 50, .pages = 5});
    ProcessUsage usage(10, proc.path.string());
    CHECK_FALSE(usage.sample(second).has_value());

    proc.writeStat({.pid = 10, .ticks = 100 + ticksPerSecond, .pages = 10});
    proc.writeStat({.pid = 11, .parent = 10, .ticks = 50 + ticksPerSecond / 2, .pages = 6});
    const auto sample = usage.sample(2 * second);
    REQUIRE(sample.has_value());
    CHECK(sample->cpuPercent == doctest::Approx(150));
    CHECK(sample->residentBytes == 16 * pageBytes);
}

TEST_CASE("the time of an ended child is counted exactly once")
{
    const ProcFolder proc;
    proc.writeStat({.pid = 10, .ticks = 0});
    proc.writeStat({.pid = 11, .parent = 10, .ticks = 500});
    ProcessUsage usage(10, proc.path.string());
    usage.sample(second);

    std::filesystem::remove_all(proc.path / "11");
    proc.writeStat({.pid = 10, .ticks = 0, .reaped = 500 + ticksPerSecond});
    CHECK(usage.sample(2 * second)->cpuPercent == doctest::Approx(100));
}

TEST_CASE("an orphan that leaves the tree does not make the load negative")
{
    const ProcFolder proc;
    proc.writeStat({.pid = 10, .ticks = 10});
    proc.writeStat({.pid = 11, .parent = 10, .ticks = 500});
    ProcessUsage usage(10, proc.path.string());
    usage.sample(second);
    proc.writeStat({.pid = 11, .parent = 1, .ticks = 500});
    CHECK(usage.sample(2 * second)->cpuPercent == 0);
}

TEST_CASE("an ended process has no usage")
{
    const ProcFolder proc;
    ProcessUsage usage(10, proc.path.string());
    CHECK_FALSE(usage.sample(second).has_value());
    CHECK_FALSE(usage.sample(2 * second).has_value());
}

TEST_CASE("this process uses memory, and CPU time while it works")
{
    ProcessUsage usage(::getpid());
    CHECK_FALSE(usage.sample(second).has_value());
    // Wait until the kernel has counted ten ticks of work.
    const std::uint64_t before = readProcessStat(::getpid())->cpuTicks;
    volatile unsigned work = 0;
    while (readProcessStat(::getpid())->cpuTicks < before + 10) {
        for (int i = 0; i < 100'000; ++i)
            work = work + 1;
    }
    const auto sample = usage.sample(2 * second);
    REQUIRE(sample.has_value());
    CHECK(sample->cpuPercent >= 10.0 * 100 / static_cast<double>(ticksPerSecond));
    CHECK(sample->residentBytes > 100'000);
}

TEST_CASE("the disk traffic of a tree is known if that of all its processes is")
{
    const ProcFolder proc;
    const auto writeIo = [&proc](int pid, long read, long written) {
        proc.write(std::to_string(pid) + "/io",
                   "rchar: 99\nwchar: 99\nsyscr: 1\nsyscw: 1\nread_bytes: " + std::to_string(read)
                       + "\nwrite_bytes: " + std::to_string(written) + "\ncancelled_write_bytes: 0\n");
    };
    proc.writeStat({.pid = 10});
    proc.writeStat({.pid = 11, .parent = 10});
    writeIo(10, 1000, 0);
    writeIo(11, 500, 100);
    ProcessUsage usage(10, proc.path.string());
    CHECK_FALSE(usage.sample(5 * second).has_value());
    writeIo(10, 3000, 0);
    writeIo(11, 500, 300);
    const auto sample = usage.sample(7 * second);
    REQUIRE(sample.has_value());
    CHECK(sample->readBytesPerSecond == 1000.0);
    CHECK(sample->writtenBytesPerSecond == 100.0);
    SUBCASE("a process without the values")
    {
        std::filesystem::remove(proc.path / "11/io");
        CHECK_FALSE(usage.sample(8 * second).value().readBytesPerSecond.has_value());
    }
    SUBCASE("an ended process removes its share")
    {
        std::filesystem::remove_all(proc.path / "11");
        CHECK_FALSE(usage.sample(8 * second).value().writtenBytesPerSecond.has_value());
        CHECK(usage.sample(9 * second).value().writtenBytesPerSecond == 0.0);
    }
}
