#include "diagnosis/attemptfiles.h"

#include "feed/logwriter.h"
#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>
#include <fstream>
#include <stdlib.h>

using namespace sweepscope;
using namespace sweepscope::diagnosis;

namespace {

constexpr std::int64_t start = 1'700'000'000'000'000'000;
constexpr std::int64_t second = 1'000'000'000;

struct AttemptFolder {
    std::filesystem::path path;
    AttemptFolder()
    {
        char name[] = "/tmp/sweepscope-diagnosis-XXXXXX";
        path = ::mkdtemp(name);
        launch::LaunchSpec spec;
        spec.attemptId = "1-7-1";
        spec.argv = {"true"};
        spec.workingFolder = "/";
        spec.ranks = 2;
        spec.devices = {{"GPU-a"}, {"cpu:1"}};
        REQUIRE(launch::writeLaunchSpec(spec, place().layout.launchFile()).has_value());
    }
    ~AttemptFolder() { std::filesystem::remove_all(path); }
    AttemptFolder(const AttemptFolder &) = delete;
    AttemptFolder &operator=(const AttemptFolder &) = delete;

    AttemptPlace place(bool isRunning = false) const { return {{path}, 7, 1, isRunning}; }
    WorkspaceLayout workspace() const { return {path}; }
    DeviceHistories histories() const { return DeviceHistories(workspace()); }

    void happened(int seconds, launch::AttemptEventKind kind, int rank = -1, const facts::Fact &reason = {},
                  launch::FailureKind failure = launch::FailureKind::Hang) const
    {
        auto log = launch::AttemptEventLog::open(place().layout.eventsFile());
        REQUIRE(log.has_value());
        launch::AttemptEvent event;
        event.time = start + seconds * second;
        event.kind = kind;
        event.rank = rank;
        event.reason = reason;
        if (kind == launch::AttemptEventKind::FirstError)
            event.failure = failure;
        REQUIRE(log->append(event).has_value());
    }

    void writeDevices(const std::string &machine = {}) const
    {
        const std::filesystem::path feed = workspace().devicesFeed(machine);
        std::filesystem::create_directories(feed.parent_path());
        auto log = feed::LogWriter::open(feed, {-1, 0, start, "devices"});
        REQUIRE(log.has_value());
        const auto write = [&log](const char *name, int seconds, double value) {
            log->write(log->declare(name, ""), seconds, start + seconds * second, value);
        };
        for (int i = 0; i < 60; ++i) {
            write("GPU-a.utilization", i, i);
            write("monitor.cpu", i, 0.5);
        }
        write("GPU-a.sm_clock_max", 30, 1980);
        write("GPU-a.pcie_width", 5, 16);
        write("GPU-a.simulated", 0, 1);
        REQUIRE(log->flush().has_value());
    }
};

}  // namespace

TEST_CASE("rows of a GPU have the values known at their time")
{
    const AttemptFolder folder;
    folder.writeDevices();
    const DeviceHistory history(folder.workspace().devicesFeed());
    CHECK(history.damage().empty());
    const auto rows = history.rows("GPU-a", start + 10 * second, start + 20 * second);
    REQUIRE(rows.size() == 11);
    CHECK(rows.front().time == start + 10 * second);
    CHECK(rows.front().utilization == 10.0);
    CHECK_MESSAGE(rows.front().smClockMax == 1980.0, "a maximum is the same before it is told");
    CHECK(rows.front().pcieWidth == 16.0);
    CHECK_MESSAGE(!rows.back().pcieWidth, "what was read long ago is not known any more");
    CHECK(!rows.front().memory);
    CHECK(history.isSimulated("GPU-a"));
    CHECK(!history.isSimulated("GPU-b"));
    CHECK(history.rows("GPU-b", start, start + 60 * second).empty());
    CHECK(history.rows("GPU-a", start - 60 * second, start - second).empty());
    CHECK(history.rows("GPU-a", start + 70 * second, start + 80 * second).empty());
    CHECK(history.monitor(start + 10 * second, start + 20 * second).size() == 11);
    CHECK(DeviceHistory(folder.path / "none").rows("GPU-a", start, start + second).empty());
}

TEST_CASE("attempt is read with its GPUs for the time that it ran")
{
    const AttemptFolder folder;
    folder.writeDevices();
    folder.happened(10, launch::AttemptEventKind::AgentStarted);
    folder.happened(20, launch::AttemptEventKind::FirstError, 1, facts::Code::Hung);
    folder.happened(20, launch::AttemptEventKind::Ended);
    DeviceHistories devices = folder.histories();
    const auto files = AttemptFiles::read(folder.place(true), devices, start + 50 * second);
    REQUIRE(files.has_value());
    const AttemptEvidence &evidence = files->evidence();
    CHECK(evidence.trial == 7);
    CHECK_MESSAGE(!evidence.now, "it has ended, though nobody has told the database yet");
    REQUIRE(evidence.ranks.size() == 2);
    REQUIRE(evidence.gpus.size() == 1);
    CHECK(evidence.gpus[0].rank == 0);
    CHECK(evidence.gpus[0].simulated);
    CHECK(evidence.gpus[0].rows.size() == 11);
    CHECK(evidence.monitor.size() == 11);
    REQUIRE(evidence.hang.has_value());
    CHECK(evidence.hang->rank == 1);
}

TEST_CASE("a rank that did nothing after another exited is a hang")
{
    const AttemptFolder folder;
    folder.happened(10, launch::AttemptEventKind::AgentStarted);
    folder.happened(20, launch::AttemptEventKind::FirstError, 1, facts::Code::ExitedEarly,
                    launch::FailureKind::EarlyExit);
    folder.happened(20, launch::AttemptEventKind::Ended);
    DeviceHistories devices = folder.histories();
    const auto files = AttemptFiles::read(folder.place(true), devices, start + 50 * second);
    REQUIRE(files.has_value());
    REQUIRE(files->evidence().hang.has_value());
    CHECK(files->evidence().hang->rank == 1);
}

TEST_CASE("output is read if a completed trial reported nothing")
{
    const AttemptFolder folder;
    std::ofstream(folder.path / "rank-0.log") << "epoch 1 loss: 0.5 val_acc: 0.9\n";
    DeviceHistories devices = folder.histories();
    AttemptPlace place = folder.place();
    place.objective = {"val_loss", false};
    const auto printed = [&] {
        const auto files = AttemptFiles::read(place, devices, start);
        REQUIRE(files.has_value());
        return files->evidence().objective->printed;
    };
    CHECK(printed() == std::vector<std::string>{"loss", "val_acc"});
    place.objective->isReported = true;
    CHECK(printed().empty());

    sweep::SweepRecord sweep;
    sweep.objective = "val_loss";
    sweep::TrialRecord trial;
    trial.number = 1;
    trial.attempts = 2;
    trial.state = sweep::TrialState::Completed;
    const std::vector<AttemptPlace> places = attemptsOf(folder.workspace(), sweep, {trial});
    REQUIRE(places.size() == 2);
    CHECK(!places[0].objective);
    CHECK(!places[1].objective->isReported);
    trial.state = sweep::TrialState::Failed;
    CHECK(!attemptsOf(folder.workspace(), sweep, {trial})[1].objective);
}

TEST_CASE("a run and a probe need no objective; a search that learns does")
{
    const AttemptFolder folder;
    sweep::SweepRecord sweep;
    sweep.objective = "loss";
    sweep::TrialRecord trial;
    trial.number = 1;
    trial.attempts = 1;
    trial.state = sweep::TrialState::Completed;
    sweep::SweepSpec spec = sweep::makeRun("serve", {"true"}, {});
    const auto objective = [&] {
        sweep.toml = sweep::toToml(spec);
        return attemptsOf(folder.workspace(), sweep, {trial}).front().objective;
    };
    CHECK(objective()->isReported);
    spec.space.push_back({});
    spec.space.back().name = "lr";
    spec.space.back().values = {0.1, 0.2};
    CHECK(!objective()->isReported);
    CHECK(!objective()->isNeeded);
    spec.stop.emplace().target = 0.5;
    CHECK(objective()->isNeeded);
    spec.stop.reset();
    spec.method = sweep::SearchMethod::Tpe;
    spec.trials = 4;
    CHECK(objective()->isNeeded);
    spec.method = sweep::SearchMethod::Grid;
    spec.trials = 0;
    spec.probe.emplace().parameter = "lr";
    CHECK(objective()->isReported);
}

TEST_CASE("attempt on several machines is read as a whole")
{
    const AttemptFolder folder;
    folder.writeDevices();
    folder.writeDevices("gpu1");
    const AttemptLayout other = folder.place().layout.ofRanks(2, 3);
    std::filesystem::create_directory(other.folder);
    launch::LaunchSpec spec = launch::readLaunchSpec(folder.place().layout.launchFile()).value();
    spec.node = launch::NodePart{0, 2, 0, 4, "10.0.0.1", 29500};
    REQUIRE(launch::writeLaunchSpec(spec, folder.place().layout.launchFile()).has_value());
    spec.node = launch::NodePart{1, 2, 2, 4, "10.0.0.1", 29500};
    spec.machine = "gpu1";
    spec.devices = {{"cpu:0"}, {"GPU-a"}};
    REQUIRE(launch::writeLaunchSpec(spec, other.launchFile()).has_value());
    folder.happened(10, launch::AttemptEventKind::AgentStarted);
    {
        auto log = launch::AttemptEventLog::open(other.eventsFile());
        launch::AttemptEvent hung;
        hung.time = start + 20 * second;
        hung.kind = launch::AttemptEventKind::FirstError;
        hung.failure = launch::FailureKind::Hang;
        hung.rank = 3;
        hung.reason = facts::Code::Hung;
        REQUIRE(log->append(hung).has_value());
    }
    auto feed = feed::LogWriter::open(folder.place().layout.rankFeed(3), {3, 4, start, "1-7-1"});
    feed->write(feed->declare("loss", ""), 0, start + 15 * second, 1);
    REQUIRE(feed->flush().has_value());

    DeviceHistories devices = folder.histories();
    const auto files = AttemptFiles::read(folder.place(true), devices, start + 50 * second);
    REQUIRE(files.has_value());
    const AttemptEvidence &evidence = files->evidence();
    REQUIRE(evidence.ranks.size() == 4);
    CHECK(evidence.ranks[3].lastStep() == 0);
    REQUIRE(evidence.gpus.size() == 2);
    CHECK(evidence.gpus[0].id == "GPU-a");
    CHECK(evidence.gpus[1].id == "GPU-a@gpu1");
    CHECK(evidence.gpus[1].rank == 3);
    CHECK(!evidence.gpus[1].rows.empty());
    REQUIRE(evidence.hang.has_value());
    CHECK(evidence.hang->rank == 3);
}

TEST_CASE("missing or damaged feeds are read as far as possible")
{
    const AttemptFolder folder;
    std::ofstream(folder.place().layout.rankFeed(1)) << std::string(5000, 'x');
    DeviceHistories devices = folder.histories();
    const auto report = diagnose(folder.place(), devices, start);
    REQUIRE(report.has_value());
    CHECK(report->findings.empty());
    CHECK(report->damage.find("rank-1.feed") != std::string::npos);
}

TEST_CASE("attempt without its launch file is an error")
{
    const AttemptFolder folder;
    folder.happened(0, launch::AttemptEventKind::AgentStarted);
    std::filesystem::remove(folder.place().layout.launchFile());
    DeviceHistories devices = folder.histories();
    const auto report = diagnose(folder.place(), devices, start);
    REQUIRE(!report.has_value());
    CHECK(report.error().message.find("launch.json") != std::string::npos);
}

TEST_CASE("an imported attempt has neither launch file nor events")
{
    const AttemptFolder folder;
    std::filesystem::remove(folder.place().layout.launchFile());
    DeviceHistories devices = folder.histories();
    const auto report = diagnose(folder.place(), devices, start);
    REQUIRE(!report.has_value());
    CHECK(report.error().message == "Imported; how it was started is not known");
}
