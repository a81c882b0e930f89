#include "train/trainer.h"

#include "rankthreads.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope::train;

namespace {

/// A problem that linear layers solve: the class is where the bright column is.
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
    data.classes = 10;
    data.pixelMean = 1.6;
    data.pixelDeviation = 4.8;
    return data;
}

TrainSettings settings(const std::vector<std::string> &assignments)
{
    const auto parsed = parseSettings(assignments, 3);
    REQUIRE(parsed.has_value());
    return *parsed;
}

struct Run {
    std::vector<TrainingEnd> ends;
    std::vector<std::int64_t> steps;
    std::vector<std::string> log;  ///< of rank 0
    std::vector<std::string> thrown;
};

/// Train on threads. Rank 0 asks to stop once it has begun `stopStep`; the last rank gets `lastRankAlso` on top.
Run train(int ranks, const std::vector<std::string> &assignments, std::int64_t stopStep = 0,
          const std::string &lastRankAlso = {})
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
        Trainer trainer(settings(mine), columns(103), group, reporter,
                        {.stopRequested = [&] { return rank == 0 && ++asked == stopStep; },
                         .log =
                             [&](const std::string &line) {
                                 if (rank == 0)
                                     run.log.push_back(line);
                             }});
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

}  // namespace

TEST_CASE("trainingLearnsAndCountsSteps")
{
    const Run run = train(2, {"model=linear", "epochs=5", "batch_size=8", "optimizer=adam", "lr=0.05"});
    CHECK(run.thrown == std::vector<std::string>{"", ""});
    CHECK(run.steps == std::vector<std::int64_t>{35, 35});  // 52 padded samples of a rank in batches of 8, five times
    REQUIRE(run.log.size() == 7);
    CHECK(run.log.back().find("test_accuracy 1.0000") != std::string::npos);
}

TEST_CASE("ranksStopAfterTheSameStepWhenOneIsAsked")
{
    const Run run = train(3, {"model=linear", "epochs=50", "batch_size=8"}, 12);
    CHECK(run.thrown == std::vector<std::string>{"", "", ""});
    CHECK(std::count(run.ends.begin(), run.ends.end(), TrainingEnd::Stopped) == 3);
    CHECK(run.steps == std::vector<std::int64_t>{12, 12, 12});
}

TEST_CASE("lossThatIsNoNumberEndsTraining")
{
    const Run run = train(1, {"model=mlp", "epochs=50", "batch_size=8", "lr=1000", "layers=4"});
    CHECK(run.thrown[0] == "loss is nan at step " + std::to_string(run.steps[0]));
    CHECK(run.steps[0] > 1);
}

TEST_CASE("aRankAloneTrainsTheSameWhateverRanTheTrialBefore")
{
    const std::vector<std::string> assignments{"model=mlp", "epochs=2", "dropout=0.5"};
    CHECK(train(1, assignments).log.back() == train(1, assignments).log.back());
}

TEST_CASE("replicasThatDriftedApartFailTheTrialAfterTheEpoch")
{
    const Run run = train(3, {"model=linear", "epochs=5", "batch_size=8", "lr=0.1"}, 0, "lr=0.2");
    for (const std::string &sentence : run.thrown)
        CHECK(sentence
              == "after epoch 1 (step 5) the weights of rank 2 differ from the other ranks', first in 1.weight");
}
