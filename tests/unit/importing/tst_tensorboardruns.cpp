#include "importing/tensorboardruns.h"

#include "exporting/eventfile.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace sweepscope;
using exporting::recordOf;
using importing::readRuns;
using importing::Study;
using importing::StudyState;

namespace {

constexpr WallNs second = 1'000'000'000;

class RunsFolder {
public:
    RunsFolder()
    {
        std::string name = "/tmp/sweepscope-runs-XXXXXX";
        path = std::filesystem::path(::mkdtemp(name.data())) / "runs";
        std::filesystem::create_directory(path);
    }
    ~RunsFolder() { std::filesystem::remove_all(path.parent_path()); }
    RunsFolder(const RunsFolder &) = delete;
    RunsFolder &operator=(const RunsFolder &) = delete;

    void write(const std::string &run, const std::string &name, const std::string &records) const
    {
        std::filesystem::create_directories(path / run);
        std::ofstream(path / run / name, std::ios::binary) << recordOf(exporting::versionEvent(0)) << records;
    }

    std::filesystem::path path;
};

std::string scalars(const std::string &tag, std::int64_t firstStep, const std::vector<double> &values, WallNs start)
{
    std::string records;
    for (std::size_t i = 0; i < values.size(); ++i)
        records += recordOf(exporting::scalarEvent(tag, firstStep + static_cast<std::int64_t>(i),
                                                   start + static_cast<WallNs>(i) * second, values[i]));
    return records;
}

std::string session(const sweep::ParameterSet &parameters, WallNs start)
{
    return recordOf(exporting::sessionStartEvent(parameters, "group", start));
}

std::vector<double> valuesOf(const Study &study, std::size_t trial, const std::string &series)
{
    const importing::StudyCurves curves = study.curvesOf(trial);
    std::vector<double> values;
    for (const importing::StudyPoint &point : curves.at(series))
        values.push_back(point.value);
    return values;
}

}  // namespace

TEST_CASE("each folder with scalars is a trial, in the order of their times")
{
    const RunsFolder runs;
    runs.write("a", "events.out.tfevents.1", scalars("loss", 1, {3, 2}, 50 * second));
    runs.write("deep/b", "events.out.tfevents.1", scalars("loss", 1, {5}, 20 * second));
    runs.write("empty", "events.out.tfevents.1", "");
    runs.write("other", "notes.txt", scalars("loss", 1, {5}, 20 * second));
    const auto study = readRuns(runs.path);
    REQUIRE(study);
    CHECK(study->name == "runs");
    REQUIRE(study->trials.size() == 2);
    CHECK(study->trials[0].mark.note == "deep/b");
    CHECK(study->trials[1].mark.note == "a");
    CHECK(study->trials[1].state == StudyState::Complete);
    CHECK(study->trials[1].started == 50 * second);
    CHECK(study->trials[1].completed == 51 * second);
    CHECK(valuesOf(*study, 1, "loss") == std::vector<double>{3, 2});
    CHECK(study->objectives.front().name == "loss");
    // Without hyperparameters, the folder tells runs apart.
    CHECK(*sweep::find(study->trials[1].parameters, "run") == sweep::ParameterValue(std::string("a")));
    importing::ImportedSweep imported = importing::sweepOf(*study);
    CHECK_FALSE(importing::sweepFileOf(imported).empty());
}

TEST_CASE("files of a run are joined, and a later one replaces the steps that it repeats")
{
    const RunsFolder runs;
    runs.write("a", "events.out.tfevents.1", scalars("loss", 1, {5, 4, 3, 2}, second));
    runs.write("a", "events.out.tfevents.2", scalars("loss", 3, {30, 20}, 10 * second) + scalars("lr", 9, {1}, second));
    const auto study = readRuns(runs.path);
    REQUIRE(study);
    CHECK(valuesOf(*study, 0, "loss") == std::vector<double>{5, 4, 30, 20});
    CHECK(valuesOf(*study, 0, "lr") == std::vector<double>{1});
}

TEST_CASE("hyperparameters become the space")
{
    const RunsFolder runs;
    for (int i = 0; i < 60; ++i)
        runs.write(
            "run" + std::to_string(i), "events.out.tfevents.1",
            session({{"lr", 0.001 * (i + 1)},
                     {"optimizer.name", std::string(i % 2 == 0 ? "sgd" : "adam")},
                     {"layers", std::int64_t{3}},
                     {"mixed", i == 0 ? sweep::ParameterValue(true) : sweep::ParameterValue(std::int64_t{1})}},
                    (i + 1) * second)
                + scalars("loss", 1, {1}, (i + 1) * second)
                + recordOf(exporting::sessionEndEvent(
                    i == 3 ? exporting::SessionStatus::Failure : exporting::SessionStatus::Success, 99 * second)));
    const auto study = readRuns(runs.path);
    REQUIRE(study);
    REQUIRE(study->space.size() == 4);
    CHECK(study->space[0].name == "layers");
    CHECK(study->space[0].values == std::vector<sweep::ParameterValue>{std::int64_t{3}});
    CHECK(study->space[1].name == "lr");
    CHECK(study->space[1].kind == sweep::DimensionKind::Linear);
    CHECK(study->space[1].low == 0.001);
    CHECK(study->space[1].high == 0.06);
    CHECK(study->space[3].name == "optimizer_name");
    CHECK(study->space[3].kind == sweep::DimensionKind::Choice);
    CHECK(*sweep::find(study->trials[0].parameters, "mixed") == sweep::ParameterValue(std::string("true")));
    CHECK(*sweep::find(study->trials[1].parameters, "mixed") == sweep::ParameterValue(std::string("1")));
    CHECK(study->trials[3].state == StudyState::Fail);
    CHECK(study->trials[3].completed == 99 * second);
    CHECK(study->notes
          == std::vector<std::string>{"The values of mixed are strings.",
                                      "The parameter optimizer.name is called optimizer_name."});
    importing::ImportedSweep imported = importing::sweepOf(*study);
    CHECK_FALSE(importing::sweepFileOf(imported).empty());
}

TEST_CASE("folders within a run are a part of it")
{
    const RunsFolder runs;
    // Keras: phases only.
    runs.write("keras/train", "events.out.tfevents.1", scalars("epoch_loss", 1, {3}, second));
    runs.write("keras/validation", "events.out.tfevents.1", scalars("epoch_loss", 1, {4}, second));
    // torch: add_scalars() and add_hparams() of one run.
    runs.write("torch", "events.out.tfevents.1", scalars("loss", 1, {1}, 2 * second));
    runs.write("torch/loss_train", "events.out.tfevents.1", scalars("loss", 1, {2}, 2 * second));
    runs.write("torch/1700000000.5", "events.out.tfevents.1",
               session({{"lr", 0.5}}, 2 * second) + scalars("hp/accuracy", 1, {0.5}, 2 * second));
    // tensorboardX: add_scalars().
    runs.write("torch/losses/train", "events.out.tfevents.1", scalars("losses", 1, {7}, 2 * second));
    // torch: add_hparams() for each of several configurations.
    runs.write("many", "events.out.tfevents.1", scalars("loss", 1, {1}, 3 * second));
    for (const char *each : {"many/1", "many/2"})
        runs.write(each, "events.out.tfevents.1",
                   session({{"lr", 0.25}}, 4 * second) + scalars("loss", 1, {2}, 4 * second));
    const auto study = readRuns(runs.path);
    REQUIRE(study);
    REQUIRE(study->trials.size() == 5);
    CHECK(study->trials[0].mark.note == "keras");
    CHECK(valuesOf(*study, 0, "train/epoch_loss") == std::vector<double>{3});
    CHECK(valuesOf(*study, 0, "validation/epoch_loss") == std::vector<double>{4});
    CHECK(study->trials[1].mark.note == "torch");
    CHECK(valuesOf(*study, 1, "loss") == std::vector<double>{1});
    CHECK(valuesOf(*study, 1, "loss_train/loss") == std::vector<double>{2});
    CHECK(valuesOf(*study, 1, "losses/train/losses") == std::vector<double>{7});
    CHECK(valuesOf(*study, 1, "hp/accuracy") == std::vector<double>{0.5});
    CHECK(*sweep::find(study->trials[1].parameters, "lr") == sweep::ParameterValue(0.5));
    CHECK(study->trials[2].mark.note == "many");
    CHECK(study->trials[3].mark.note == "many/1");
    CHECK(study->trials[4].mark.note == "many/2");
}

TEST_CASE("the folder itself may be the only run, but is not the run of those in it")
{
    const RunsFolder runs;
    runs.write("", "events.out.tfevents.1", scalars("loss", 1, {1}, second));
    CHECK(readRuns(runs.path)->trials.size() == 1);
    CHECK(readRuns(runs.path)->trials.front().mark.note == "runs");
    runs.write("a", "events.out.tfevents.1", scalars("loss", 1, {1}, 2 * second));
    runs.write("b", "events.out.tfevents.1", scalars("loss", 1, {1}, 3 * second));
    CHECK(readRuns(runs.path)->trials.size() == 3);
}

TEST_CASE("damage is noted, and what came before is kept")
{
    const RunsFolder runs;
    std::string records = scalars("loss", 1, {3, 2, 1}, second);
    records[records.size() - 10] = static_cast<char>(records[records.size() - 10] ^ 1);
    runs.write("a", "events.out.tfevents.1", records);
    const auto study = readRuns(runs.path);
    REQUIRE(study);
    CHECK(valuesOf(*study, 0, "loss") == std::vector<double>{3, 2});
    REQUIRE(study->notes.size() == 1);
    CHECK(study->notes.front().find("tfevents.1: the checksum of the record at byte ") != std::string::npos);
}

TEST_CASE("a torn end is no error")
{
    const RunsFolder runs;
    std::string records = scalars("loss", 1, {3, 2, 1}, second);
    records.resize(records.size() - 10);
    runs.write("a", "events.out.tfevents.1", records);
    const auto study = readRuns(runs.path);
    REQUIRE(study);
    CHECK(valuesOf(*study, 0, "loss") == std::vector<double>{3, 2});
    CHECK(study->notes.empty());
}

TEST_CASE("the objective is the chosen one, that of HParams, or the most likely by its name")
{
    const RunsFolder runs;
    runs.write("a", "events.out.tfevents.1",
               scalars("train/loss", 1, {1}, second) + scalars("eval/loss", 1, {1}, second)
                   + scalars("lr", 1, {1}, second) + scalars("eval/acc", 1, {1}, second)
                   + scalars("hp_metric", 0, {-1}, second));
    CHECK(readRuns(runs.path)->objectives.front().name == "eval/loss");
    const auto chosen = readRuns(runs.path, {"eval/acc", {}});
    CHECK(chosen->objectives.front().name == "eval/acc");
    CHECK(chosen->objectives.front().goal == sweep::Goal::Maximize);
    CHECK(readRuns(runs.path, {"lr", sweep::Goal::Maximize})->objectives.front().goal == sweep::Goal::Maximize);
    CHECK(readRuns(runs.path, {"nothing", {}}).error().message == "has no series 'nothing'");
    runs.write("", "events.out.tfevents.0", recordOf(exporting::experimentEvent({}, {"hp_metric", "eval/acc"}, 0)));
    CHECK(readRuns(runs.path)->objectives.front().name == "eval/acc");
}

TEST_CASE("without a likely objective, the series are named")
{
    CHECK(importing::likelyObjective({{"lr", 3}, {"epoch", 3}}, 3).empty());
    CHECK(importing::likelyObjective({{"lr", 3}}, 3) == "lr");
    CHECK(importing::likelyObjective({{"loss", 3}, {"val_loss", 1}}, 3) == "loss");
    const RunsFolder runs;
    runs.write("a", "events.out.tfevents.1", scalars("lr", 1, {1}, second) + scalars("epoch", 1, {1}, second));
    CHECK(readRuns(runs.path).error().message
          == "has no series that is an objective by its name: choose one with --objective: epoch, lr");
    runs.write("a", "events.out.tfevents.1", "");
    CHECK(readRuns(runs.path).error().message == "has no event files with scalars");
}
