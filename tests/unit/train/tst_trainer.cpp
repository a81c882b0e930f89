#include "train/trainer.h"

#include "parsedsettings.h"
#include "rankthreads.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <array>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

/// A problem that linear layers can solve: the class is the position of the bright column.
TrialData columns(std::int64_t count)
{
    TrialData data;
    const torch::Tensor labels = torch::arange(count, torch::kInt64).remainder(10);
    torch::Tensor images = torch::zeros({count, 1, 10, 10}, torch::kUInt8);
    for (std::int64_t i = 0; i < count; ++i)
        images[i][0].select(1, labels[i].item<std::int64_t>()).fill_(16);
    data.train = {images, labels};
    data.validation = {images, labels};
    data.test = {images, labels};
    data.outputs = 10;
    data.normalisation = {torch::full({1}, 1.6F), torch::full({1}, 4.8F)};
    return data;
}

/// Nothing finite can be computed from it.
TrialData infinite()
{
    TrialData data = columns(103);
    data.normalisation.deviation.fill_(0);
    return data;
}

/// Where to store checkpoints, and the one to resume from; not part of the settings.
struct Checkpoints {
    std::filesystem::path folder{};
    std::filesystem::path from{};
};

struct Run {
    std::vector<TrainingEnd> ends;
    std::vector<std::int64_t> steps;
    std::vector<std::string> log;  ///< of rank 0
    std::vector<std::string> thrown;
};

/// Trains on threads. Rank 0 requests a stop once it has begun `stopStep`; the last rank has the additional setting
/// `lastRankAlso`.
Run runTraining(int ranks, const std::vector<std::string> &assignments, std::int64_t stopStep = 0,
                const std::string &lastRankAlso = {}, const Checkpoints &checkpoints = {})
{
    Run run;
    run.ends.resize(static_cast<std::size_t>(ranks), TrainingEnd::Completed);
    run.steps.resize(static_cast<std::size_t>(ranks));
    run.thrown = runRanks(ranks, [&](int rank, ProcessGroup &group) {
        StepReporter reporter(std::nullopt);
        std::int64_t asked = 0;
        std::vector<std::string> mine = assignments;
        if (rank == ranks - 1 && !lastRankAlso.empty())
            mine.push_back(lastRankAlso);
        Trainer::Options options;
        if (!checkpoints.folder.empty())
            options.checkpoints = CheckpointFolder(checkpoints.folder);
        if (!checkpoints.from.empty())
            options.resumeFrom = {checkpoints.from};
        options.devices.assign(2, torch::Device(torch::kCPU));
        Trainer trainer(settings(mine), columns(103), group, reporter,
                        {.stopRequested = [&] { return rank == 0 && ++asked == stopStep; },
                         .log =
                             [&](const std::string &line) {
                                 if (rank == 0)
                                     run.log.push_back(line);
                             }},
                        options);
        const auto index = static_cast<std::size_t>(rank);
        try {
            run.ends[index] = trainer.run();
        } catch (...) {
            run.steps[index] = trainer.step();
            throw;
        }
        run.steps[index] = trainer.step();
    });
    return run;
}

double testAccuracy(const Run &run)
{
    REQUIRE_FALSE(run.log.empty());
    const std::string &line = run.log.back();
    const std::string name = "test_accuracy ";
    REQUIRE(line.find(name) != std::string::npos);
    return std::stod(line.substr(line.find(name) + name.size()));
}

}  // namespace

TEST_CASE("trainingLearnsAndCountsSteps")
{
    const Run run = runTraining(2, {"model=linear", "epochs=5", "batch_size=8", "optimizer=adam", "lr=0.05"});
    CHECK(run.thrown == std::vector<std::string>{"", ""});
    CHECK(run.steps == std::vector<std::int64_t>{35, 35});  // 5 epochs of 52 padded samples per rank in batches of 8
    REQUIRE(run.log.size() == 8);
    CHECK(run.log[6].find("communication: ") == 0);
    CHECK(run.log.back().find("test_accuracy 1.0000") != std::string::npos);
}

TEST_CASE("figuresThatComeLateChangeNothing")
{
    if (!Optimizer::isFused())
        return;
    const std::vector<std::vector<std::string>> cases{
        {"model=mlp", "dropout=0.5", "momentum=0.9", "clip_norm=0.5", "val_every=3", "check_every=4"},
        {"model=cnn", "optimizer=adamw", "accumulate=2", "max_steps=9", "checkpoint_every=2"},
        {"model=resnet", "optimizer=adam", "nan_policy=skip"},
    };
    for (const auto &assignments : cases) {
        CAPTURE(assignments[0]);
        // Lines of JSON without their times, and the weights.
        const auto outcome = [&](Stepper::Figures figures) {
            std::vector<std::string> lines;
            const TemporaryFolder folder;
            requireRanks(1, [&](int, ProcessGroup &group) {
                std::vector<std::string> all{"epochs=2", "batch_size=8", "lr=0.01"};
                all.insert(all.end(), assignments.begin(), assignments.end());
                StepReporter reporter(std::nullopt);
                REQUIRE(reporter.writeLinesTo(folder.path() / "lines"));
                Trainer trainer(settings(all), columns(103), group, reporter,
                                {.stopRequested = [] { return false; }, .log = [](const std::string &) {}},
                                {.checkpoints = CheckpointFolder(folder.path()), .figures = figures});
                CHECK(trainer.run() == TrainingEnd::Completed);
                trainer.finishCheckpoints();
            });
            std::ifstream file(folder.path() / "lines");
            for (std::string line; std::getline(file, line);) {
                const auto from = line.find("\"time\"");
                lines.push_back(from == std::string::npos ? line
                                                          : line.substr(0, from) + line.substr(line.find("\"loss\"")));
                lines.back() = lines.back().substr(0, lines.back().find("\"step_time\""));
            }
            std::ifstream weights(folder.path() / "best.safetensors", std::ios::binary);
            lines.emplace_back(std::istreambuf_iterator<char>(weights), std::istreambuf_iterator<char>());
            return lines;
        };
        const auto late = outcome(Stepper::Figures::OneStepLate);
        CHECK(late.size() > 10);
        CHECK(late == outcome(Stepper::Figures::AtOnce));
    }
}

TEST_CASE("ranksStopAfterTheSameStepWhenOneIsAskedTo")
{
    const Run run = runTraining(3, {"model=linear", "epochs=50", "batch_size=8"}, 12);
    CHECK(run.thrown == std::vector<std::string>{"", "", ""});
    CHECK(std::count(run.ends.begin(), run.ends.end(), TrainingEnd::Stopped) == 3);
    CHECK(run.steps == std::vector<std::int64_t>{12, 12, 12});
}

TEST_CASE("nonFiniteValuesEndTraining")
{
    const Run run = runTraining(1, {"model=mlp", "epochs=50", "batch_size=8", "lr=1000", "layers=4"});
    const std::string step = " at step " + std::to_string(run.steps[0]);
    CAPTURE(run.thrown[0]);  // which of the two overflows first depends on the processor
    CHECK((run.thrown[0] == "gradients are not finite" + step || run.thrown[0] == "loss is nan" + step));
    CHECK(run.steps[0] > 1);
}

TEST_CASE("singleRankIsIndependentOfTheTrialBefore")
{
    const std::vector<std::string> assignments{"model=mlp", "epochs=2", "dropout=0.5"};
    CHECK(runTraining(1, assignments).log.back() == runTraining(1, assignments).log.back());
}

TEST_CASE("divergedReplicasFailTheTrialAfterTheEpoch")
{
    const Run run = runTraining(3, {"model=linear", "epochs=5", "batch_size=8", "lr=0.1"}, 0, "lr=0.2");
    for (const std::string &sentence : run.thrown)
        CHECK(sentence
              == "after epoch 1 (step 5) the weights of rank 2 differ from the other ranks', first in 1.weight");
}

TEST_CASE("weightsAreComparedAtTheSetInterval")
{
    const Run run =
        runTraining(2, {"model=linear", "epochs=5", "batch_size=8", "lr=0.1", "check_every=3"}, 0, "lr=0.2");
    for (const std::string &sentence : run.thrown)
        CHECK(sentence == "after step 3 the weights of ranks 0 and 1 differ, first in 1.weight");
}

TEST_CASE("resumedTrialEqualsAnUninterruptedOne")
{
    // One rank: threads of one process share a generator, which real ranks have separately (tst_worker has two ranks).
    // The cases cover everything with a state: momentum, dropout's random numbers, the position in the epoch, the
    // schedule, batch norm.
    const std::vector<std::vector<std::string>> cases{
        {"model=mlp", "epochs=4", "batch_size=8", "dropout=0.5", "lr=0.1", "momentum=0.9", "schedule=cosine"},
        {"model=cnn", "epochs=4", "batch_size=4", "optimizer=adamw", "accumulate=2", "augment=crop_flip"},
        {"model=resnet", "epochs=3", "batch_size=8", "optimizer=rmsprop", "lr=0.001", "loader_threads=2"},
    };
    for (const auto &assignments : cases) {
        CAPTURE(assignments[0]);
        const TemporaryFolder folder;
        const Run whole = runTraining(1, assignments);
        const Run cut = runTraining(1, assignments, 9, {}, {.folder = folder.path()});
        REQUIRE(cut.thrown == std::vector<std::string>{""});
        REQUIRE(cut.ends.front() == TrainingEnd::Stopped);
        const Run rest =
            runTraining(1, assignments, 0, {}, {.folder = folder.path(), .from = folder.path() / "last.pt"});
        REQUIRE(rest.thrown == std::vector<std::string>{""});
        CHECK(rest.steps == whole.steps);
        CHECK(rest.log.front() == "resumed from " + (folder.path() / "last.pt").string() + " after step 9");
        const auto scores = [](const std::string &line) { return line.substr(line.find("loss")); };
        CHECK(scores(rest.log.back()) == scores(whole.log.back()));
        CHECK(std::filesystem::exists(folder.path() / "best.safetensors"));
    }
}

TEST_CASE("resumedTrialKeepsItsOwnSettings")
{
    const TemporaryFolder folder;
    const auto assignments = [](const char *optimizer, const char *setting) {
        return std::vector<std::string>{"model=mlp", "epochs=2", "batch_size=8", "lr=0.001", optimizer, setting};
    };
    const std::vector<std::array<const char *, 3>> cases{{"optimizer=sgd", "momentum=0.9", "momentum=0.1"},
                                                         {"optimizer=rmsprop", "momentum=0.5", "momentum=0"},
                                                         {"optimizer=adam", "weight_decay=0", "weight_decay=5"},
                                                         {"optimizer=adamw", "weight_decay=0", "weight_decay=5"},
                                                         {"optimizer=adagrad", "weight_decay=0", "weight_decay=5"}};
    for (const auto &[optimizer, before, after] : cases) {
        CAPTURE(std::string(optimizer));
        const Checkpoints resumed{.from = folder.path() / "last.pt"};
        runTraining(1, assignments(optimizer, before), 9, {}, {.folder = folder.path()});
        const Run same = runTraining(1, assignments(optimizer, before), 0, {}, resumed);
        const Run other = runTraining(1, assignments(optimizer, after), 0, {}, resumed);
        REQUIRE(other.thrown == std::vector<std::string>{""});
        CHECK(other.log.front() == same.log.front());
        CHECK(other.log.back() != same.log.back());
    }
}

TEST_CASE("bestWeightsAreKeptAcrossARetry")
{
    const TemporaryFolder folder;
    const CheckpointFolder first(folder.path() / "1");
    const CheckpointFolder second(folder.path() / "2");
    // With a learning rate of 0 no epoch is better than the first, so the second attempt writes no best weights.
    const std::vector<std::string> assignments{"model=linear", "epochs=4", "batch_size=8", "lr=0"};
    REQUIRE(runTraining(1, assignments, 30, {}, {.folder = folder.path() / "1"}).ends.front() == TrainingEnd::Stopped);
    REQUIRE(std::filesystem::exists(first.best()));
    const Run rest = runTraining(1, assignments, 0, {}, {.folder = folder.path() / "2", .from = first.last()});
    REQUIRE(rest.thrown == std::vector<std::string>{""});
    REQUIRE(rest.log.front().find("resumed from ") == 0);
    REQUIRE(std::filesystem::exists(second.best()));
    CHECK(std::filesystem::file_size(second.best()) == std::filesystem::file_size(first.best()));
}

TEST_CASE("checkpointThatDoesNotMatchIsRefused")
{
    const TemporaryFolder folder;
    const std::vector<std::string> assignments{"model=linear", "epochs=1", "batch_size=8"};
    REQUIRE(runTraining(2, assignments, 0, {}, {.folder = folder.path()}).thrown == std::vector<std::string>{"", ""});
    const std::filesystem::path last = folder.path() / "last.pt";
    const Run other = runTraining(2, {"model=mlp", "epochs=1"}, 0, {}, {.from = last});
    CHECK(other.thrown == std::vector<std::string>{"", ""});
    CHECK(other.log.front()
          == "warning: " + last.string()
                 + " does not fit the settings (model = linear, now mlp); training starts over");
    folder.writeText("last.pt", "no checkpoint");
    const Run damaged = runTraining(2, assignments, 0, {}, {.from = last});
    CHECK(damaged.thrown == std::vector<std::string>{"", ""});
    CHECK(damaged.log.front() == "warning: " + last.string() + " has no zip directory; training starts over");
}

TEST_CASE("damagedCheckpointGivesWayToTheOneBefore")
{
    const TemporaryFolder folder;
    const std::vector<std::string> assignments{"model=mlp", "epochs=4", "batch_size=8", "checkpoint_every=3"};
    const Checkpoints keeping{.folder = folder.path()};
    REQUIRE(runTraining(2, assignments, 8, {}, keeping).ends.front() == TrainingEnd::Stopped);
    const CheckpointFolder files(folder.path());
    REQUIRE(files.existing() == std::vector<std::filesystem::path>{files.last(), files.previous()});
    // One bit in the middle, where the weights are.
    std::fstream file(files.last(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(std::filesystem::file_size(files.last()) / 2));
    const auto byte = static_cast<char>(file.peek() ^ 0x40);
    file.put(byte);
    file.close();
    const auto resumed = [&](const std::vector<std::filesystem::path> &from) {
        std::vector<std::string> log;
        runRanks(1, [&](int, ProcessGroup &group) {
            StepReporter reporter(std::nullopt);
            Trainer::Options options;
            options.resumeFrom = from;
            Trainer(
                settings(assignments), columns(103), group, reporter,
                {.stopRequested = [] { return true; }, .log = [&](const std::string &line) { log.push_back(line); }},
                options)
                .run();
        });
        return log;
    };
    const auto log = resumed(files.existing());
    REQUIRE(log.size() > 1);
    CHECK(log[0].find("warning: " + files.last().string() + " is damaged in ") == 0);
    CHECK(log[0].find("; an earlier checkpoint is used") != std::string::npos);
    CHECK(log[1].find("resumed from " + files.previous().string() + " after step 6 (ranks = 2, now 1)") == 0);
}

TEST_CASE("trainingGoesOnWithOtherRanksAndBatches")
{
    const TemporaryFolder folder;
    const Checkpoints keeping{.folder = folder.path()};
    const std::vector<std::string> assignments{"model=mlp", "epochs=4", "batch_size=8", "optimizer=adam", "lr=0.02"};
    // 5 of the 7 steps of the second epoch: 40 of a rank's 52 samples.
    REQUIRE(runTraining(2, assignments, 12, {}, keeping).ends.front() == TrainingEnd::Stopped);
    std::vector<std::string> others = assignments;
    others[2] = "batch_size=5";
    const Run rest = runTraining(1, others, 0, {}, {.from = folder.path() / "last.pt"});
    CHECK(rest.thrown == std::vector<std::string>{""});
    CHECK(rest.log.front().find(" after step 12 (ranks = 2, now 1, batch_size = 8, now 5)") != std::string::npos);
    // 80 of 103 samples are done: 16 of 21 batches, and two epochs follow, whatever was counted before.
    CHECK(rest.steps == std::vector<std::int64_t>{12 + 5 + 2 * 21});
    CHECK(testAccuracy(rest) > 0.9);
    others[2] = "batch_size=52";  // larger: 2 steps an epoch, of which the trial has counted more already
    CHECK(runTraining(1, others, 0, {}, {.from = folder.path() / "last.pt"}).steps
          == std::vector<std::int64_t>{12 + 1 + 4});
}

TEST_CASE("newestCheckpointOfATrialsAttemptsIsFound")
{
    const TemporaryFolder folder;
    const auto attempt = [&](const char *name) { return folder.path() / name; };
    CHECK(findCheckpoints(attempt("3")).empty());
    for (const char *name : {"1", "2", "10", "notes"}) {
        CHECK(CheckpointFolder::ofAttempt(attempt(name))
                  .writeLast([](const ByteSink &sink) { sink("x", 1); })
                  .has_value());
    }
    const auto files = [&](const std::vector<const char *> &attempts) {
        std::vector<std::filesystem::path> all;
        for (const char *name : attempts)
            all.push_back(attempt(name) / "checkpoint" / "last.pt");
        return all;
    };
    CHECK(findCheckpoints(attempt("3")) == files({"2", "1"}));
    CHECK(findCheckpoints(attempt("2")) == files({"2", "1"}));
    CHECK(findCheckpoints(attempt("11")) == files({"10", "2", "1"}));
    CHECK(findCheckpoints(attempt("notes")) == files({"notes"}));
}

TEST_CASE("nonFiniteStepsAreSkippedOrEndTraining")
{
    const std::vector<std::string> wild{"model=mlp", "epochs=2", "batch_size=8", "lr=1000", "layers=4"};
    std::vector<std::string> skipping = wild;
    skipping.push_back("nan_policy=skip");
    const Run skipped = runTraining(2, skipping);
    CHECK(skipped.steps == std::vector<std::int64_t>{14, 14});
    const auto says = [](const Run &run, const std::string &words) {
        return std::any_of(run.log.begin(), run.log.end(),
                           [&](const std::string &line) { return line.find(words) != std::string::npos; });
    };
    CHECK(says(skipped, "; the step is skipped"));
    std::vector<std::string> stopping = wild;
    stopping.push_back("nan_policy=stop");
    const Run stopped = runTraining(2, stopping);
    CHECK(stopped.steps[0] < 14);
    CHECK(stopped.steps[0] == stopped.steps[1]);
    CHECK(says(stopped, "; training stops"));
    CHECK(stopped.log.back().find("test_loss") == 0);
}

TEST_CASE("trialOfWhichNothingFiniteComesFails")
{
    const auto thrownBy = [](const std::string &epochs, std::vector<std::string> &log) {
        return runRanks(1, [&](int, ProcessGroup &group) {
            StepReporter reporter(std::nullopt);
            Trainer(settings({"model=linear", "batch_size=8", "nan_policy=skip", epochs}), infinite(), group, reporter,
                    {.stopRequested = [] { return false; },
                     .log = [&log](const std::string &line) { log.push_back(line); }})
                .run();
        })[0];
    };
    std::vector<std::string> log;
    CHECK(thrownBy("epochs=1", log) == "test_loss is nan after step 13");
    CHECK(log.back().find("test_loss nan  test_accuracy ") == 0);
    CHECK(thrownBy("epochs=5", log) == "loss is nan at step 20, and 20 steps in a row were skipped");
}

TEST_CASE("trainingEndsEarlyWithoutABetterLoss")
{
    const Run run = runTraining(2, {"model=linear", "epochs=50", "batch_size=8", "lr=0", "early_stop=3"});
    CHECK(run.thrown == std::vector<std::string>{"", ""});
    // the first epoch is the best; three more follow, of 7 steps each
    CHECK(run.steps == std::vector<std::int64_t>{28, 28});
}

TEST_CASE("everyKindOfParallelismLearns")
{
    const std::vector<std::string> common{"model=mlp", "epochs=5", "batch_size=8", "optimizer=adam", "lr=0.02"};
    const auto with = [&](const std::string &setting, const std::string &another = "threads=0") {
        std::vector<std::string> all = common;
        all.insert(all.end(), {setting, another});
        return all;
    };
    for (const auto &assignments :
         {with("sampling=weighted"), with("sampling=contiguous"), with("parallel=hybrid", "micro_batches=3"),
          with("precision=bf16"), with("schedule=one_cycle"), with("label_smoothing=0.1", "drop_last=true")}) {
        CAPTURE(assignments[5]);
        const Run run = runTraining(2, assignments);
        CHECK(run.thrown == std::vector<std::string>{"", ""});
        CHECK(testAccuracy(run) > 0.9);
    }
    for (const auto &assignments : {with("parallel=data_parallel"), with("parallel=model", "micro_batches=2")})
        CHECK(testAccuracy(runTraining(1, assignments)) > 0.9);
    for (const char *optimizer : {"optimizer=rmsprop", "optimizer=adagrad", "optimizer=adamw"})
        CHECK(testAccuracy(runTraining(1, with(optimizer))) > 0.9);
}

TEST_CASE("channelsLastDoesNotChangeWhatIsLearned")
{
    const std::vector<std::string> plain{"model=resnet", "epochs=1", "batch_size=8", "optimizer=adam", "lr=0.0001"};
    std::vector<std::string> last = plain;
    last.push_back("channels_last=true");
    const auto loss = [](const Run &run) {
        REQUIRE(run.thrown == std::vector<std::string>{""});
        const std::string &line = run.log.back();
        return std::stod(line.substr(line.find("test_loss ") + 10));
    };
    // One rank: threads of one process would draw their initial weights from one generator.
    CHECK(loss(runTraining(1, last)) == doctest::Approx(loss(runTraining(1, plain))).epsilon(0.001));
}

TEST_CASE("trainingEndsAfterTheSetStepsAndValidatesAtTheSetInterval")
{
    const std::vector<std::string> base{"model=linear", "epochs=5", "batch_size=8", "optimizer=adam", "lr=0.05"};
    std::vector<std::string> short_ = base;
    short_.insert(short_.end(), {"max_steps=10", "val_every=4"});
    const Run run = runTraining(2, short_);
    CHECK(run.thrown == std::vector<std::string>{"", ""});
    CHECK(run.steps == std::vector<std::int64_t>{10, 10});
    std::vector<std::string> validated;
    for (const std::string &line : run.log) {
        if (line.find("  val_loss ") != std::string::npos)
            validated.push_back(line.substr(0, line.find("  val_loss ")));
    }
    CHECK(validated == std::vector<std::string>{"step 4", "step 8", "step 10"});

    std::vector<std::string> dropping = base;
    dropping.insert(dropping.end(), {"drop_last_batch=true", "epochs=2"});
    CHECK(runTraining(2, dropping).steps == std::vector<std::int64_t>{12, 12});  // 52 samples a rank: 6 whole batches
    std::vector<std::string> stopping = base;
    stopping.insert(stopping.end(), {"lr=0", "val_every=2", "early_stop=3"});
    CHECK(runTraining(2, stopping).steps == std::vector<std::int64_t>{8, 8});  // the first is the best, three follow
}
