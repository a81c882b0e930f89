#include "workerrun.h"

#include "diagnosis/rule.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

using namespace sweepscope;

namespace {

const std::vector<std::string> learnDigits{"--seed", "7",         "--set", "dataset=digits",
                                           "--set",  "model=mlp", "--set", "optimizer=adam",
                                           "--set",  "lr=0.01",   "--set", "epochs=10"};

/// Long enough that only a request or a fault ends it.
const std::vector<std::string> trainOn{"--set", "epochs=100000", "--set", "lr=0.001"};

double last(const series::FeedSeries &reported, const char *name)
{
    const series::Series *found = reported.find(name);
    REQUIRE(found != nullptr);
    REQUIRE_FALSE(found->empty());
    return found->back().value;
}

/// Returns the numbers of the steps in a trace, each of which contains the optimizer's update.
std::set<int> stepsOf(const std::filesystem::path &trace)
{
    std::ifstream file(trace);
    REQUIRE(file.is_open());
    const nlohmann::json events = nlohmann::json::parse(file).at("traceEvents");
    const std::string mark = "ProfilerStep#";
    std::set<int> steps;
    for (const nlohmann::json &step : events) {
        if (step.value("ph", "") != "X" || step.value("name", "").rfind(mark, 0) != 0)
            continue;
        const double begin = step.at("ts");
        const double end = begin + step.at("dur").get<double>();
        const auto isInStep = [&](const nlohmann::json &event) {
            return event.value("ph", "") == "X" && event.value("name", "").rfind("aten::_fused_sgd", 0) == 0
                   && event.at("ts") >= begin && event.at("ts") <= end;
        };
        CHECK(std::any_of(events.begin(), events.end(), isInStep));
        steps.insert(std::stoi(step.at("name").get<std::string>().substr(mark.size())));
    }
    return steps;
}

std::set<int> range(int first, int last)
{
    std::set<int> numbers;
    for (int number = first; number <= last; ++number)
        numbers.insert(number);
    return numbers;
}

/// Returns the first and last step of "trace of steps 31 to 40: trace-rank-0.json".
std::pair<int, int> stepsIn(const std::string &text)
{
    std::pair<int, int> steps{};
    REQUIRE(std::sscanf(text.c_str(), "trace of steps %d to %d", &steps.first, &steps.second) == 2);
    return steps;
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
        for (const char *name : {"loss", "accuracy", "lr", "grad_norm", "step_time", "data_wait", "compute_time",
                                 "comm_wait", "comm_overlap", "samples_per_second"}) {
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

TEST_CASE("dataOrderAndWeightsOfRanksCanBeDiagnosed")
{
    const auto verdicts = [](const char *sampling, std::size_t epochsTold) {
        WorkerRun run({"--set", "dataset=digits", "--set", "epochs=3", "--set", "check_every=15", "--set", sampling},
                      {.ranks = 2});
        REQUIRE(run.wait()[0].exitCode == 0);
        const series::FeedSeries first = run.reported(0);
        const series::FeedSeries second = run.reported(1);
        diagnosis::AttemptEvidence evidence;
        for (const series::FeedSeries *feed : {&first, &second}) {
            diagnosis::RankEvidence rank;
            rank.rank = feed == &first ? 0 : 1;
            for (const char *name : {"weights_hash", "sample_order"}) {
                REQUIRE(feed->find(name) != nullptr);
                rank.curves.push_back(feed->find(name));
            }
            // Steps 15, 20, 30, 40, 45 and 60; the last one is also the end of an epoch.
            CHECK(feed->find("weights_hash")->size() == 7);
            CHECK(feed->find("sample_order")->size() == epochsTold);
            CHECK(feed->find("sample_order")->front().step == 1);
            evidence.ranks.push_back(std::move(rank));
        }
        std::map<std::string, std::string> said;
        for (const diagnosis::Rule &rule : diagnosis::rules()) {
            const diagnosis::Outcome outcome = rule.examine(evidence);
            said[rule.name] = !outcome.findings().empty() ? "found"
                              : outcome.missing().empty() ? "clear"
                                                          : outcome.missing();
        }
        return said;
    };
    for (const char *sampling : {"sampling=shuffle", "sampling=weighted", "sampling=contiguous"}) {
        CAPTURE(sampling);
        const auto said = verdicts(sampling, 3);
        for (const char *rule : {"diverged-replicas", "same-samples", "same-order"}) {
            CAPTURE(rule);
            CHECK(said.at(rule) == "clear");
        }
    }
    // A sampling order that is constant on request is no missing set_epoch.
    const auto said = verdicts("sampling=sequential", 1);
    CHECK(said.at("same-samples") == "clear");
    CHECK(said.at("same-order") == "only one epoch was reported");
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

TEST_CASE("overlapDoesNotChangeTheLoss")
{
    // Buckets so small that each gradient is sent separately during backward, and one bucket for all of them.
    const auto losses = [](const char *bucket) {
        WorkerRun run({"--set", "epochs=3", "--set", "layers=3", "--set", "momentum=0.9", "--set", bucket},
                      {.ranks = 2});
        for (const RankResult &result : run.wait()) {
            INFO(result.log);
            REQUIRE(result.exitCode == 0);
        }
        const series::FeedSeries reported = run.reported(1);
        std::vector<double> values;
        for (std::size_t i = 0; i < reported.find("loss")->size(); ++i)
            values.push_back(reported.find("loss")->sample(i).value);
        return values;
    };
    const std::vector<double> together = losses("bucket_mb=1000");
    CHECK(together.size() == 60);
    CHECK(losses("bucket_mb=0.01") == together);
}

TEST_CASE("paddedSamplesCountOnceInScores")
{
    // Nothing is learnt, so every number of ranks must give the same score; 269 and 270 samples are no multiples of 4.
    const auto scores = [](int ranks) {
        WorkerRun run({"--set", "epochs=1", "--set", "lr=0"}, {.ranks = ranks});
        for (const RankResult &result : run.wait()) {
            INFO(result.log);
            REQUIRE(result.exitCode == 0);
        }
        const series::FeedSeries reported = run.reported(ranks - 1);
        return std::pair(last(reported, "val_loss"), last(reported, "test_loss"));
    };
    const auto [validation, test] = scores(1);
    for (const int ranks : {3, 4}) {
        CHECK(scores(ranks).first == doctest::Approx(validation).epsilon(1e-6));
        CHECK(scores(ranks).second == doctest::Approx(test).epsilon(1e-6));
    }
}

TEST_CASE("partOfTheDataPerRankTrainsAndScoresAll")
{
    WorkerRun run({"--set", "epochs=10", "--set", "optimizer=adam", "--set", "lr=0.01", "--set", "sampling=contiguous"},
                  {.ranks = 3});
    for (const RankResult &result : run.wait()) {
        INFO(result.log);
        REQUIRE(result.exitCode == 0);
    }
    const series::FeedSeries reported = run.reported(2);
    CHECK(last(reported, "test_accuracy") >= 0.93);
    CHECK(last(reported, "test_loss") == last(run.reported(0), "test_loss"));
}

TEST_CASE("ranksMeetOverTcpWithoutAnAttemptFolder")
{
    WorkerRun run({"--set", "epochs=1"}, {.ranks = 2, .attemptFolder = false});
    for (const RankResult &result : run.wait()) {
        INFO(result.log);
        CHECK(result.exitCode == 0);
    }
}

TEST_CASE("singleRankNeedsNoEnvironment")
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

TEST_CASE("terminationLeavesACheckpointOfTheLastStep")
{
    std::string folder = (std::filesystem::temp_directory_path() / "tst_stopped.XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    std::vector<std::string> arguments = trainOn;
    arguments.insert(arguments.end(), {"--checkpoints", folder});
    WorkerRun stopped(arguments, {.ranks = 2});
    stopped.waitForSteps(5);
    stopped.signal(0, SIGTERM);
    CHECK(stopped.wait()[0].exitCode == 143);
    const std::int64_t step = stopped.reported(0).find("loss")->back().step;
    WorkerRun resumed(arguments, {.ranks = 2});
    resumed.waitForSteps(step + 2);
    resumed.requestStop();
    const auto results = resumed.wait();
    std::filesystem::remove_all(folder);
    INFO(results[0].log);
    CHECK(results[0].log.find("after step " + std::to_string(step)) != std::string::npos);
    CHECK(resumed.reported(0).find("loss")->front().step == step + 1);
}

TEST_CASE("stopRequestInTheRingEndsTheTrial")
{
    WorkerRun run(trainOn, {.ranks = 2});
    run.waitForSteps(5);
    run.requestStop();
    for (const RankResult &result : run.wait())
        CHECK(result.exitCode == 143);
}

TEST_CASE("lossOfARankFailsTheOthersWithAMessage")
{
    WorkerRun run(trainOn, {.ranks = 2});
    run.waitForSteps(5);
    run.signal(1, SIGKILL);
    const auto results = run.wait();
    CHECK(results[1].exitCode == 128 + SIGKILL);
    CHECK(results[0].exitCode == 1);
    CHECK(results[0].lastLine().find("error: lost another rank at step ") == 0);
    CHECK(results[0].lastLine().find(": rank 1 is gone") != std::string::npos);
    const series::FeedSeries reported = run.reported(0);
    REQUIRE_FALSE(reported.events().empty());
    CHECK(reported.events().back().kind == feed::EventKind::Error);
}

TEST_CASE("frozenRankIsDetectedAndNamed")
{
    std::vector<std::string> arguments = trainOn;
    arguments.insert(arguments.end(), {"--set", "peer_timeout=3"});
    WorkerRun run(arguments, {.ranks = 3});
    run.waitForSteps(5);
    run.signal(2, SIGSTOP);
    run.waitForEvent(0, feed::EventKind::Error);
    run.waitForEvent(1, feed::EventKind::Error);
    run.signal(2, SIGKILL);
    const auto results = run.wait();
    for (const int rank : {0, 1}) {
        const RankResult &result = results[static_cast<std::size_t>(rank)];
        INFO(result.log);
        CHECK(result.exitCode == 1);
        CHECK(result.lastLine().find(": rank 2 has not responded for 3 s") != std::string::npos);
    }
}

TEST_CASE("ranksFrozenTogetherContinue")
{
    std::vector<std::string> arguments = trainOn;
    arguments.insert(arguments.end(), {"--set", "peer_timeout=5"});
    WorkerRun run(arguments, {.ranks = 2});
    run.waitForSteps(5);
    run.signal(0, SIGSTOP);
    run.signal(1, SIGSTOP);
    run.waitUntilStopped();
    std::this_thread::sleep_for(std::chrono::seconds(8));  // longer than a rank may be silent
    const std::int64_t before = run.reported(0).find("loss")->back().step;
    run.signal(0, SIGCONT);
    run.signal(1, SIGCONT);
    run.waitForSteps(before + 10);
    run.requestStop();
    for (const RankResult &result : run.wait()) {
        INFO(result.log);
        CHECK(result.exitCode == 143);
    }
}

TEST_CASE("killedTrialResumesToTheSameResult")
{
    const std::vector<std::string> settings{
        "--seed", "5",           "--set", "epochs=12",          "--set", "momentum=0.9",
        "--set",  "dropout=0.3", "--set", "checkpoint_every=7", "--set", "model=mlp"};
    std::string pattern = (std::filesystem::temp_directory_path() / "tst_resume.XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    std::vector<std::string> keeping = settings;
    keeping.insert(keeping.end(), {"--checkpoints", pattern});

    WorkerRun whole(settings, {.ranks = 2});
    REQUIRE(whole.wait()[0].exitCode == 0);
    WorkerRun killed(keeping, {.ranks = 2});
    killed.waitForEvent(0, feed::EventKind::Checkpoint);
    killed.signal(0, SIGKILL);
    killed.signal(1, SIGKILL);
    CHECK(killed.wait()[0].exitCode == 128 + SIGKILL);
    WorkerRun resumed(keeping, {.ranks = 2});
    const auto results = resumed.wait();
    std::filesystem::remove_all(pattern);
    INFO(results[0].log);
    CHECK(results[0].exitCode == 0);
    CHECK(results[0].log.find("resumed from ") != std::string::npos);
    CHECK(last(resumed.reported(0), "test_loss") == last(whole.reported(0), "test_loss"));
    CHECK(last(resumed.reported(1), "loss") == last(whole.reported(1), "loss"));
}

TEST_CASE("errorsAreWrittenToTheErrorFile")
{
    std::string path = (std::filesystem::temp_directory_path() / "tst_errorfile.XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    const std::filesystem::path file = std::filesystem::path(path) / "error.json";
    runAlone({"--set", "epochs=none"}, {{"TORCHELASTIC_ERROR_FILE", file.string()}});
    runAlone({"--set", "epochs=zero"}, {{"TORCHELASTIC_ERROR_FILE", file.string()}});  // the first error stays
    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    std::filesystem::remove_all(path);
    CHECK(content.str().find("--set epochs=none: epochs must be an integer") != std::string::npos);
    CHECK(content.str().find("\"timestamp\":\"") != std::string::npos);
}

TEST_CASE("metricsAreWrittenAsJsonLines")
{
    std::string path = (std::filesystem::temp_directory_path() / "tst_metrics.XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    WorkerRun run({"--set", "epochs=1", "--metrics", path + "/rank-{rank}.jsonl"}, {.ranks = 2});
    run.wait();
    for (const char *name : {"/rank-0.jsonl", "/rank-1.jsonl"}) {
        std::ifstream file(path + name);
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);)
            lines.push_back(line);
        REQUIRE(lines.size() == 22);  // 20 steps, validation, test
        CHECK(lines.front().find("{\"step\": 1, \"time\": ") == 0);
        CHECK(lines.back().find("{\"step\": 20, \"test_loss\": ") == 0);
    }
    std::filesystem::remove_all(path);
}

TEST_CASE("nonFiniteValuesFailTheTrialAndNameTheStep")
{
    WorkerRun run({"--set", "lr=1000", "--set", "layers=4", "--set", "epochs=50"}, {.ranks = 2});
    const auto results = run.wait();
    const bool named = std::any_of(results.begin(), results.end(), [](const RankResult &result) {
        return result.lastLine().find("error: gradients are not finite at step ") == 0
               || result.lastLine().find("error: loss is ") == 0;
    });
    CHECK(named);
    for (const RankResult &result : results) {
        INFO(result.log);
        CHECK(result.exitCode == 1);
    }
}

TEST_CASE("gpuThatWasGivenAndCannotBeUsedFailsTheRank")
{
    const RankResult result =
        runAlone({"--set", "epochs=1"}, {{"SWEEPSCOPE_DEVICES", "GPU-none"}, {"CUDA_VISIBLE_DEVICES", ""}});
    INFO(result.log);
    CHECK(result.exitCode == 1);
    CHECK(result.lastLine().find("error: device mismatch: this rank was given GPU-none, but cannot use it: ") == 0);
}

TEST_CASE("rankThatWaitsForAnotherSaysInWhichCollective")
{
    std::vector<std::string> patient = trainOn;
    patient.insert(patient.end(), {"--set", "peer_timeout=60"});
    WorkerRun run(patient, {.ranks = 2});
    run.waitForSteps(3);
    run.signal(1, SIGSTOP);
    run.waitForEvent(0, feed::EventKind::Message);
    const series::FeedSeries first = run.reported(0);
    const auto waiting = std::find_if(first.events().begin(), first.events().end(), [](const feed::Event &event) {
        return event.text.starts_with("waiting in all-reduce ");
    });
    REQUIRE(waiting != first.events().end());
    CHECK(waiting->step == first.find("loss")->back().step);
    run.signal(1, SIGCONT);
    run.requestStop();
    for (const RankResult &result : run.wait())
        CHECK(result.exitCode == 143);
}

TEST_CASE("badInputIsReportedWithExitCodeTwo")
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
    refused({"--set", "epochs=none"}, "epochs must be an integer of at least 1");
    refused({"--set", "model=cnn", "--set", "dataset=csv"}, "data_file: dataset csv needs the file");
    refused({"--set", "model=transformer"}, "model: transformer needs dataset text");
    refused({"--set", "parallel=data_parallel"}, "uses one process, but there are 2 ranks",
            {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", "1"}});
    const std::map<std::string, std::string> firstOfTwo{
        {"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", "1"}};
    refused({"--set", "drop_last=true", "--set", "train_samples=1"}, "1 training samples are too few for 2 ranks",
            firstOfTwo);
    refused({"--set", "sampling=contiguous", "--set", "train_samples=1"}, "gives each rank its own samples",
            firstOfTwo);
    refused({"--set", "model=torchscript", "--set", "model_file=/dev/null"}, "is not a TorchScript file");
    refused({}, "RANK=2: expected an integer from 0 to 1", {{"RANK", "2"}, {"WORLD_SIZE", "2"}});
    refused({"inspect", "--rank", "3", "--world-size", "2"}, "no such rank");
    refused({"--set", "dataset=mnist"}, "SWEEPSCOPE_MNIST");
    refused({"--set", "dataset=mnist", "--set", "data_folder=/nowhere"}, "lacks train-images-idx3-ubyte");
    refused({"--fast"}, "--fast");
    refused({"--backend", "mpi"}, "mpi");
    refused({"--backend", "nccl", "--set", "device=cpu"},
            "backend: nccl cannot be used, because rank 0 computes on the CPU");
    refused({"--set", "device=cuda"}, "device: cuda needs an NVIDIA GPU, but ", {{"CUDA_VISIBLE_DEVICES", ""}});
    refused({}, "RANK and WORLD_SIZE", {{"RANK", "0"}});
}

TEST_CASE("ranksTraceOnRequestFromTheSameMoment")
{
    std::vector<std::string> arguments = trainOn;
    arguments.insert(arguments.end(), {"--set", "optimizer=sgd"});
    WorkerRun run(arguments, {.ranks = 2});
    run.waitForSteps(5);
    run.requestTrace(10);
    const std::string first = run.waitForEvent(0, "trace");
    const std::string second = run.waitForEvent(1, "trace");
    if (first.rfind("no trace: ", 0) == 0) {  // this LibTorch has no profiler that writes files
        CHECK(first.find("USE_KINETO") != std::string::npos);
        CHECK(second == first);
        CHECK_FALSE(std::filesystem::exists(run.folder() / "trace-rank-0.json"));
    } else {
        const auto [begin, end] = stepsIn(first);
        CHECK(end == begin + 9);
        const auto [secondBegin, secondEnd] = stepsIn(second);
        CHECK(std::abs(secondBegin - begin) <= 1);  // the moment may fall between the starts of a step on two ranks
        CHECK(secondEnd == secondBegin + 9);
        CHECK(first.find(": trace-rank-0.json") != std::string::npos);
        CHECK(stepsOf(run.folder() / "trace-rank-0.json") == range(begin, end));
        CHECK(stepsOf(run.folder() / "trace-rank-1.json") == range(secondBegin, secondEnd));

        run.requestTrace(2);
        const auto [later, last] = stepsIn(run.waitForEvent(0, "trace-rank-0-2.json"));
        CHECK(later > end);
        CHECK(stepsOf(run.folder() / "trace-rank-0-2.json") == range(later, last));
    }
    const std::int64_t before = run.reported(0).find("loss")->back().step;
    run.waitForSteps(before + 5);
    run.requestStop();
    for (const RankResult &rank : run.wait())
        CHECK(rank.exitCode == 143);
}

TEST_CASE("traceOfTrainingThatIsStoppedHasItsStepsUntilThen")
{
    std::vector<std::string> arguments = trainOn;
    arguments.insert(arguments.end(), {"--set", "optimizer=sgd"});
    WorkerRun run(arguments, {});
    run.waitForSteps(5);
    run.requestTrace(1000);
    const auto begun = std::chrono::steady_clock::now() + std::chrono::milliseconds(1600);
    while (std::chrono::steady_clock::now() < begun)
        run.waitForSteps(run.reported(0).find("loss")->back().step + 1);
    run.requestStop();
    CHECK(run.wait()[0].exitCode == 143);
    const std::string text = run.waitForEvent(0, "trace");
    INFO(text);
    if (text.find("USE_KINETO") != std::string::npos)
        return;  // this LibTorch has no profiler that writes files
    const auto [begin, end] = stepsIn(text);
    CHECK(stepsOf(run.folder() / "trace-rank-0.json") == range(begin, end));
}

TEST_CASE("helpNamesEverySettingAndItsDefault")
{
    const RankResult result = runAlone({"--help"});
    CHECK(result.exitCode == 0);
    for (const char *word : {"--seed", "--backend", "--set", "batch_size", "momentum", "torchrun", "[digits]", "143"})
        CHECK(result.log.find(word) != std::string::npos);
}
