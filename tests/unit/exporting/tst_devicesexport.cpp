#include "exporting/sweepexport.h"

#include "base/files.h"
#include "feed/logwriter.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::uint64_t mostBytes = 1024 * 1024;

feed::LogWriter openFeed(const std::filesystem::path &file)
{
    std::filesystem::create_directories(file.parent_path());
    return feed::LogWriter::open(file, {-1, 0, 0, "devices"}).value();
}

}  // namespace

TEST_CASE("device readings during a sweep are written, and simulated ones are marked")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    sweep::SweepRecord sweep;
    sweep.name = "digits";
    sweep.folder = "0001-digits";
    sweep.created = 10 * second;
    sweep.ended = 20 * second;
    sweep::TrialRecord trial;
    trial.number = 7;
    trial.attempts = 1;
    trial.ranks = 2;
    {
        auto log = openFeed(workspace.devicesFeed());
        const auto simulated = log.declare("GPU-a.simulated"), power = log.declare("GPU-a.power", "W");
        const auto amd = log.declare("amd:0000:c1:00.0.power", "W");
        log.write(simulated, 5, 5 * second, 1);
        log.write(power, 9, 9 * second, 100);
        log.write(power, 12, 12 * second, 612.5);
        log.write(amd, 13, 13 * second, 200);
        log.write(power, 21, 21 * second, 90);
        REQUIRE(log.flush().has_value());
        auto host = openFeed(workspace.attempt(sweep.folder, 7, 1).hostFeed());
        host.write(host.declare("rank1.cpu", "%"), 0, 11 * second, 99);
        REQUIRE(host.flush().has_value());
    }
    const auto file = folder.path / "devices.csv";
    REQUIRE(exportDevices(workspace, sweep, {trial}, file).has_value());
    CHECK(readFile(file, mostBytes).value()
          == "sweep,trial,attempt,rank,device,series,time,value,simulated\r\n"
             "digits,,,,GPU-a,power,1970-01-01T00:00:12.000000000Z,612.5,true\r\n"
             "digits,,,,amd:0000:c1:00.0,power,1970-01-01T00:00:13.000000000Z,200,false\r\n"
             "digits,7,1,1,,cpu,1970-01-01T00:00:11.000000000Z,99,false\r\n");
}

TEST_CASE("readings of other machines come from their feeds, and devices are named as in trials")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    sweep::TrialRecord trial;
    trial.number = 1;
    trial.devices = {"cpu:3@gpu1"};
    {
        auto log = openFeed(workspace.devicesFeed("gpu1"));
        log.write(log.declare("cpu:3.utilization", "%"), 1, second, 50);
        REQUIRE(log.flush().has_value());
        auto other = openFeed(workspace.devicesFeed("gpu2"));  // no trial ran there
        other.write(other.declare("cpu:3.utilization", "%"), 1, second, 60);
        REQUIRE(other.flush().has_value());
    }
    const auto file = folder.path / "devices.csv";
    REQUIRE(exportDevices(workspace, {}, {trial}, file).has_value());
    CHECK(readFile(file, mostBytes).value()
          == "sweep,trial,attempt,rank,device,series,time,value,simulated\r\n"
             ",,,,cpu:3@gpu1,utilization,1970-01-01T00:00:01.000000000Z,50,false\r\n");
}

TEST_CASE("a sweep without device readings has a table without rows")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "devices.csv";
    REQUIRE(exportDevices({folder.path / "workspace"}, {}, {}, file).has_value());
    CHECK(readFile(file, mostBytes).value() == "sweep,trial,attempt,rank,device,series,time,value,simulated\r\n");
}
