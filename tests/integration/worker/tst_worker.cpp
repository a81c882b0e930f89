#include "workerrun.h"

#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>

using namespace sweepscope;

namespace {

const std::vector<std::string> learnDigits{"--seed", "7",         "--set", "dataset=digits",
                                           "--set",  "model=mlp", "--set", "optimizer=adam",
                                           "--set",  "lr=0.01",   "--set", "epochs=10"};

/// So long that only a request or a fault ends it.
const std::vector<std::string> trainOn{"--set", "epochs=100000", "--set", "lr=0.001"};

double last(const series::FeedSeries &reported, const char *name)
{
    const series::Series *found = reported.find(name);
    REQUIRE(found != nullptr);
    REQUIRE_FALSE(found->empty());
    return found->back().value;
}

RankResult runAlone(const std::vector<std::string> &arguments,
                    const std::map<std::string, std::string> &environment = {})
{
    WorkerRun run(arguments, {.launched = false, .environment = environment});
    return run.wait()[0];
}

}  // namespace

TEST_CASE("twoRanksLearnDigitsAndReportIt")
{
    WorkerRun run(learnDigits, {.ranks = 2});
    const auto results = run.wait();
    INFO(results[0].log);
    INFO(results[1].log);
    REQUIRE(results[0].exitCode == 0);
    REQUIRE(results[1].exitCode == 0);
    CHECK(results[0].log.find("epoch 10/10") != std::string::npos);

    // 1,258 training images, 629 a rank, batches of 32: 20 steps an epoch.
    const series::FeedSeries first = run.reported(0);
    const series::FeedSeries second = run.reported(1);
    for (const series::FeedSeries *rank : {&first, &second}) {
        CHECK(last(*rank, "total_steps") == 200);
        for (const char *name : {"loss", "accuracy", "lr", "step_time", "data_wait", "samples_per_second"}) {
            CAPTURE(name);
            REQUIRE(rank->find(name) != nullptr);
            CHECK(rank->find(name)->size() == 200);
            CHECK(rank->find(name)->front().step == 1);
            CHECK(rank->find(name)->back().step == 200);
        }
        CHECK(rank->find("val_loss")->size() == 10);
        CHECK(rank->find("val_accuracy")->front().step == 20);
        CHECK(last(*rank, "val_accuracy") >= 0.95);
        CHECK(last(*rank, "test_accuracy") >= 0.93);
        CHECK(last(*rank, "lr") == 0.01);
        CHECK(rank->find("step_time")->unit() == "s");
        CHECK(rank->find("samples_per_second")->unit() == "samples/s");
        CHECK(std::count_if(rank->events().begin(), rank->events().end(),
                            [](const feed::Event &event) { return event.kind == feed::EventKind::Epoch; })
              == 10);
        CHECK(rank->droppedRecords() == 0);
    }
    CHECK(last(first, "val_loss") == last(second, "val_loss"));
    CHECK(first.find("loss")->front().value != second.find("loss")->front().value);
}

TEST_CASE("sameSeedGivesTheSameCurve")
{
    std::vector<double> losses;
    for (int i = 0; i < 2; ++i) {
        WorkerRun run(learnDigits, {.ranks = 2});
        REQUIRE(run.wait()[0].exitCode == 0);
        losses.push_back(last(run.reported(0), "val_loss"));
    }
    CHECK(losses[0] == losses[1]);
}

TEST_CASE("ranksMeetOverTcpWithoutAnAttemptFolder")
{
    WorkerRun run({"--set", "epochs=1"}, {.ranks = 2, .attemptFolder = false});
    for (const RankResult &result : run.wait()) {
        INFO(result.log);
        CHECK(result.exitCode == 0);
    }
}

TEST_CASE("aRankAloneNeedsNoEnvironment")
{
    const RankResult result = runAlone({"--set", "epochs=1", "--set", "model=cnn", "--set", "train_samples=64"});
    INFO(result.log);
    CHECK(result.exitCode == 0);
    CHECK(result.lastLine().find("test_loss") == 0);
}

TEST_CASE("terminationOfOneRankEndsAllAfterTheStep")
{
    WorkerRun run(trainOn, {.ranks = 2});
    run.waitForSteps(5);
    run.signal(1, SIGTERM);
    const auto results = run.wait();
    for (const RankResult &result : results) {
        INFO(result.log);
        CHECK(result.exitCode == 143);
        CHECK(result.lastLine().find("stopped on request after step") == 0);
    }
    CHECK(run.reported(0).find("loss")->back().step == run.reported(1).find("loss")->back().step);
}

TEST_CASE("stopRequestInTheRingEndsTheTrial")
{
    WorkerRun run(trainOn, {.ranks = 2});
    run.waitForSteps(5);
    run.requestStop();
    for (const RankResult &result : run.wait())
        CHECK(result.exitCode == 143);
}

TEST_CASE("lossOfARankFailsTheOthersWithASentence")
{
    WorkerRun run(trainOn, {.ranks = 2});
    run.waitForSteps(5);
    run.signal(1, SIGKILL);
    const auto results = run.wait();
    CHECK(results[1].exitCode == 128 + SIGKILL);
    CHECK(results[0].exitCode == 1);
    CHECK(results[0].lastLine().find("error: lost another rank at step ") == 0);
    const series::FeedSeries reported = run.reported(0);
    REQUIRE_FALSE(reported.events().empty());
    CHECK(reported.events().back().kind == feed::EventKind::Error);
}

TEST_CASE("nanLossFailsTheTrialAndNamesTheStep")
{
    WorkerRun run({"--set", "lr=1000", "--set", "layers=4", "--set", "epochs=50"}, {.ranks = 2});
    const auto results = run.wait();
    const bool named = std::any_of(results.begin(), results.end(), [](const RankResult &result) {
        return result.lastLine().find("error: loss is nan at step ") == 0;
    });
    CHECK(named);
    for (const RankResult &result : results) {
        INFO(result.log);
        CHECK(result.exitCode == 1);
    }
}

TEST_CASE("badInputIsASentenceAndExitCodeTwo")
{
    const auto refused = [](const std::vector<std::string> &arguments, const std::string &sentence,
                            const std::map<std::string, std::string> &environment = {}) {
        const RankResult result = runAlone(arguments, environment);
        CAPTURE(sentence);
        INFO(result.log);
        CHECK(result.exitCode == 2);
        CHECK(result.lastLine().find("error: ") == 0);
        CHECK(result.lastLine().find(sentence) != std::string::npos);
    };
    refused({"--set", "epochs=none"}, "epochs must be a whole number of at least 1");
    refused({"--set", "dataset=mnist"}, "SWEEPSCOPE_MNIST");
    refused({"--set", "dataset=mnist", "--set", "data_folder=/nowhere"}, "lacks train-images-idx3-ubyte");
    refused({"--fast"}, "--fast");
    refused({"--backend", "mpi"}, "mpi");
    refused({}, "RANK and WORLD_SIZE", {{"RANK", "0"}});
}

TEST_CASE("helpNamesEverySettingAndItsDefault")
{
    const RankResult result = runAlone({"--help"});
    CHECK(result.exitCode == 0);
    for (const char *word : {"--seed", "--backend", "--set", "batch_size", "momentum", "torchrun", "[digits]", "143"})
        CHECK(result.log.find(word) != std::string::npos);
}
