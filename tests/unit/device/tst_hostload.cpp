#include "device/hostload.h"
#include "procfolder.h"

#include <doctest/doctest.h>

using namespace sweepscope::device;
using namespace std::chrono_literals;

namespace {

constexpr auto devHead = "Inter-|   Receive                |  Transmit\n face |bytes packets |bytes packets\n";

}  // namespace

TEST_CASE("memory that programs can get is not used; there may be no swap")
{
    const ProcFolder root;
    root.write("proc/meminfo", "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    600 kB\n"
                               "SwapTotal:         0 kB\nSwapFree:          0 kB\n");
    const HostLoad load = HostLoadReader("/tmp", root.path).read({});
    CHECK(load.memoryBytes == 1000 * 1024);
    CHECK(load.memoryUsedBytes == 400 * 1024);
    CHECK(load.swapBytes == 0);
    CHECK(load.swapUsedBytes == 0);
    CHECK_FALSE(load.receivedBytesPerSecond.has_value());
}

TEST_CASE("network rates are those of the cards since the last reading")
{
    const ProcFolder root;
    root.write("sys/class/net/eth0/device", "");
    const auto write = [&](const char *eth, const char *bridge) {
        root.write("proc/net/dev", std::string(devHead) + "    lo: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0\n  eth0: "
                                       + eth + " 0 0 0 0 0 0\ndocker0: " + bridge + " 0 0 0 0 0 0\n");
    };
    HostLoadReader reader("/tmp", root.path);
    const std::chrono::steady_clock::time_point start{};
    write("1000 5 0 0 0 0 0 0 200 3", "70 1 0 0 0 0 0 0 70 1");
    CHECK_FALSE(reader.read(start).receivedBytesPerSecond.has_value());
    write("5000 5 0 0 0 0 0 0 300 3", "99 1 0 0 0 0 0 0 99 1");
    HostLoad load = reader.read(start + 2s);
    CHECK(load.receivedBytesPerSecond == 2000);
    CHECK(load.sentBytesPerSecond == 50);

    // A card was removed and came back: its count begins again.
    write("10 5 0 0 0 0 0 0 1 3", "99 1 0 0 0 0 0 0 99 1");
    CHECK_FALSE(reader.read(start + 3s).receivedBytesPerSecond.has_value());
    write("110 5 0 0 0 0 0 0 1 3", "99 1 0 0 0 0 0 0 99 1");
    load = reader.read(start + 4s);
    CHECK(load.receivedBytesPerSecond == 100);
    CHECK(load.sentBytesPerSecond == 0);
}

TEST_CASE("what cannot be read is empty")
{
    const ProcFolder root;
    const HostLoad nothing = HostLoadReader(root.path / "missing", root.path).read({});
    for (const HostQuantity &quantity : hostQuantities())
        CHECK_FALSE((nothing.*quantity.value).has_value());
    const HostLoad disk = HostLoadReader(root.path, root.path).read({});
    REQUIRE(disk.diskBytes.has_value());
    CHECK(*disk.diskFreeBytes <= *disk.diskBytes);
}
