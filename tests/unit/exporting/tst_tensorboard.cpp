#include "exporting/tensorboard.h"

#include "base/files.h"
#include "exporting/eventfile.h"
#include "feed/logwriter.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <string>

using namespace sweepscope;
using namespace sweepscope::exporting;

namespace {

sweep::SweepRecord boardSweep()
{
    sweep::SweepRecord sweep;
    sweep.name = "digits";
    sweep.folder = "0001-digits";
    sweep.objective = "loss";
    sweep.parameterNames = {"lr"};
    sweep.created = 5'000'000'000;
    return sweep;
}

sweep::TrialRecord boardTrial(int number, int attempts, int firstAttempt)
{
    sweep::TrialRecord trial;
    trial.number = number;
    trial.attempts = attempts;
    trial.firstAttempt = firstAttempt;
    trial.ranks = 2;
    trial.state = sweep::TrialState::Running;
    trial.started = 7'000'000'000;
    trial.parameters = {{"lr", 0.5}};
    return trial;
}

void writeCurves(const std::filesystem::path &file, int series, int points)
{
    std::filesystem::create_directories(file.parent_path());
    auto log = feed::LogWriter::open(file, {0, 1, 0, "a"});
    REQUIRE(log.has_value());
    for (int i = 0; i < series; ++i) {
        const auto id = log->declare("loss" + (i == 0 ? std::string() : std::to_string(i)));
        for (int step = 0; step < points; ++step)
            log->write(id, step, step, step);
    }
    REQUIRE(log->flush().has_value());
}

std::set<std::string> filesIn(const std::filesystem::path &folder)
{
    std::set<std::string> names;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file())
            names.insert(entry.path().lexically_relative(folder).string());
    }
    return names;
}

}  // namespace

TEST_CASE("a sweep without trials has only the experiment")
{
    const TemporaryFolder folder;
    REQUIRE(exportTensorBoard({folder.path / "workspace"}, boardSweep(), {}, folder.path / "runs").has_value());
    CHECK(filesIn(folder.path / "runs") == std::set<std::string>{"events.out.tfevents.5.sweepscope.experiment"});
}

TEST_CASE("attempts that a trial started over, and other ranks, have runs of their own")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = boardSweep();
    for (int attempt = 1; attempt <= 3; ++attempt)
        writeCurves(workspace.attempt(sweep.folder, 2, attempt).rankFeed(0), 1, 2);
    writeCurves(workspace.attempt(sweep.folder, 2, 3).rankFeed(1), 1, 2);
    const std::vector<sweep::TrialRecord> trials{boardTrial(1, 0, 0), boardTrial(2, 3, 2)};  // the first one is queued

    const std::set<std::string> expected{
        "events.out.tfevents.5.sweepscope.experiment",
        "trial-0002/events.out.tfevents.7.sweepscope.session",
        "trial-0002/attempt-1/events.out.tfevents.7.sweepscope.attempt-1",
        "trial-0002/events.out.tfevents.7.sweepscope.attempt-2",
        "trial-0002/events.out.tfevents.7.sweepscope.attempt-3",
    };
    REQUIRE(exportTensorBoard(workspace, sweep, trials, folder.path / "runs").has_value());
    CHECK(filesIn(folder.path / "runs") == expected);
    auto withRanks = expected;
    withRanks.insert("trial-0002/rank-1/events.out.tfevents.7.sweepscope.attempt-3");
    REQUIRE(exportTensorBoard(workspace, sweep, trials, folder.path / "all", {}, {true, 0}).has_value());
    CHECK(filesIn(folder.path / "all") == withRanks);

    const std::string curve =
        readFile(folder.path / "runs/trial-0002/events.out.tfevents.7.sweepscope.attempt-3", 1 << 20).value();
    CHECK(curve
          == recordOf(versionEvent(7'000'000'000)) + recordOf(scalarEvent("loss", 0, 0, 0))
                 + recordOf(scalarEvent("loss", 1, 1, 1)));
}

TEST_CASE("each of several long curves is reduced")
{
    const TemporaryFolder folder;
    const WorkspaceLayout workspace{folder.path / "workspace"};
    const auto sweep = boardSweep();
    writeCurves(workspace.attempt(sweep.folder, 1, 1).rankFeed(0), 3, 1000);
    REQUIRE(
        exportTensorBoard(workspace, sweep, {boardTrial(1, 1, 1)}, folder.path / "runs", {}, {false, 10}).has_value());
    const std::string curves =
        readFile(folder.path / "runs/trial-0001/events.out.tfevents.7.sweepscope.attempt-1", 1 << 20).value();
    std::string expected = recordOf(versionEvent(7'000'000'000));
    for (const char *tag : {"loss", "loss1", "loss2"}) {
        for (const int step : {0, 499, 500, 999})  // two groups
            expected += recordOf(scalarEvent(tag, step, step, step));
    }
    CHECK(curves == expected);
}

TEST_CASE("a folder with contents is refused and stays as it is")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path / "other") << "x";
    const auto result = exportTensorBoard({folder.path / "workspace"}, boardSweep(), {}, folder.path);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::BadInput);
    CHECK(result.error().message.find("is not empty") != std::string::npos);
    CHECK(filesIn(folder.path) == std::set<std::string>{"other"});
    CHECK_FALSE(exportTensorBoard({folder.path / "workspace"}, boardSweep(), {}, folder.path / "other").has_value());
}
