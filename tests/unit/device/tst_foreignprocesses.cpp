#include "device/foreignprocesses.h"
#include "procfolder.h"

#include <doctest/doctest.h>

using namespace sweepscope::device;

namespace {

constexpr std::uint64_t gigabyte = 1'000'000'000;

DeviceProcess process(int pid, std::optional<std::uint64_t> bytes)
{
    return {pid, "anna", "python3", bytes};
}

}  // namespace

TEST_CASE("processes that Sweepscope did not start are foreign")
{
    const ProcFolder proc;
    proc.write("10/environ", std::string("HOME=/root\0SWEEPSCOPE_ATTEMPT_ID=3-1-1\0", 39));
    proc.write("11/environ", std::string("HOME=/root\0X=SWEEPSCOPE_ATTEMPT_ID=\0", 36));
    proc.write("12/environ", "");
    const auto count = [&proc](std::vector<DeviceProcess> processes) {
        return countForeign(processes, proc.path.string());
    };
    CHECK(count({}) == 0.0);
    CHECK(count({process(10, gigabyte)}) == 0.0);
    CHECK(count({process(11, gigabyte)}) == 1.0);
    CHECK(count({process(10, gigabyte), process(11, gigabyte), process(12, gigabyte)}) == 2.0);
    CHECK_MESSAGE(count({process(11, 100'000'000)}) == 0.0, "a desktop");
}

TEST_CASE("of processes that are not visible nothing is claimed")
{
    const ProcFolder proc;
    proc.write("11/environ", "A=b");
    DeviceProcess stranger = process(4711, gigabyte);
    stranger.user.reset();
    CHECK(!countForeign({stranger}, proc.path.string()));
    CHECK(!countForeign({process(11, std::nullopt)}, proc.path.string()));
    CHECK_MESSAGE(countForeign({stranger, process(11, gigabyte)}, proc.path.string()) == 1.0, "one is certain");
}
