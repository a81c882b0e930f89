#include "schedule/memoryestimate.h"
#include "schedule/memoryplan.h"
#include "sweep/sweepfile.h"
#include "wording/sentence.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::schedule;

namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

/// Four layers of 100 MiB each, of which every sample keeps 1 MiB; a step needs 50 MiB more for a moment, Adam.
sweep::MemoryProfile fourLayers(std::int64_t batchSize = 64)
{
    sweep::MemoryProfile profile;
    for (int i = 0; i < 4; ++i)
        profile.layers.push_back({100 * mebibyte, 0, {0, 1.0 * mebibyte}});
    profile.gradients = 400 * mebibyte;
    profile.optimizer = 800 * mebibyte;
    profile.update = 10 * mebibyte;
    profile.peak = {50.0 * mebibyte, 4.0 * mebibyte};
    profile.inputPerSample = 0.5 * mebibyte;
    profile.process = 200 * mebibyte;
    profile.data = 30 * mebibyte;
    profile.batchSize = batchSize;
    profile.measuredSizes = {16, 64};
    return profile;
}

DeviceMemory inMebibytes(DeviceMemory memory)
{
    return {memory.parameters / mebibyte, memory.gradients / mebibyte, memory.optimizer / mebibyte,
            memory.activations / mebibyte};
}

MemorySupply gpu(std::uint64_t mebibytes, const std::string &name = "H100")
{
    return {name, true, mebibytes * mebibyte};
}

sweep::SweepSpec specOf(const std::string &run, const std::string &devices = "",
                        const std::string &space = "lr = [0.1]")
{
    const auto parsed = sweep::parseSweep("[sweep]\nname = \"s\"\nobjective = \"val_loss\"\n[space]\n" + space
                                          + "\n[run]\nworker = \"builtin\"\n" + run + "\n[devices]\n" + devices);
    REQUIRE(parsed.problems.empty());
    return parsed.spec;
}

MachineNow machineWith(const std::vector<std::pair<std::string, std::uint64_t>> &gpus)
{
    MachineNow machine;
    for (std::size_t i = 0; i < gpus.size(); ++i)
        machine.devices.push_back({"GPU-" + std::to_string(i), device::Kind::Gpu, static_cast<int>(i), gpus[i].first,
                                   gpus[i].second * mebibyte});
    machine.memoryBytes = 16'384 * mebibyte;
    return machine;
}

}  // namespace

TEST_CASE("ddpHasTheWholeModelOnEachDevice")
{
    const auto devices = memoryOfRank(fourLayers(), {.parallel = "ddp", .ranks = 4}, 64);
    REQUIRE(devices.size() == 1);
    CHECK(inMebibytes(devices[0]) == DeviceMemory{400, 400, 800, 50 + 4 * 64});
}

TEST_CASE("dataParallelSplitsTheBatchAndKeepsTheOptimizerOnTheFirstDevice")
{
    const auto devices = memoryOfRank(fourLayers(), {.parallel = "data_parallel", .ranks = 1, .devices = 4}, 64);
    REQUIRE(devices.size() == 4);
    CHECK(inMebibytes(devices[0]) == DeviceMemory{400, 400, 800, 50 + 4 * 16 + 32});
    CHECK(inMebibytes(devices[3]) == DeviceMemory{400, 400, 0, 50 + 4 * 16});
}

TEST_CASE("stagesShareParametersAndKeepTheirOwnActivations")
{
    for (const char *parallel : {"model", "hybrid"}) {
        const auto devices = memoryOfRank(fourLayers(), {.parallel = parallel, .ranks = 1, .devices = 2}, 64);
        REQUIRE(devices.size() == 2);
        for (const DeviceMemory &device : devices)
            CHECK(inMebibytes(device) == DeviceMemory{200, 200, 400, 2 * 64 + 50});
    }
    // A stage with most of the parameters has most of the memory.
    sweep::MemoryProfile uneven = fourLayers();
    uneven.layers[3].parameters = 1000 * mebibyte;
    const auto devices = memoryOfRank(uneven, {.parallel = "model", .ranks = 1, .devices = 2}, 64);
    CHECK(inMebibytes(devices[0]).parameters == 300);
    CHECK(inMebibytes(devices[1]).parameters == 1000);
}

TEST_CASE("keptActivationsAreTheLeastThatALargeBatchNeeds")
{
    // The peak of small batches was that of the update, which does not grow.
    sweep::MemoryProfile profile = fourLayers();
    profile.peak = {300.0 * mebibyte, 0};
    CHECK(inMebibytes(memoryOfRank(profile, {}, 10)[0]).activations == 300);
    CHECK(inMebibytes(memoryOfRank(profile, {}, 1000)[0]).activations == 4000);
}

TEST_CASE("verdictNamesNeedSupplyAndLargestBatch")
{
    const auto verdict = [](const ParallelLayout &layout, const MemorySupply &supply) {
        return wording::sentence(estimateMemory(fourLayers(), layout, supply).verdict);
    };
    // 512 of CUDA, 1600 of the model, 50 + 4 for each sample
    CHECK(verdict({.ranks = 2}, gpu(512 + 1600 + 50 + 4 * 64))
          == "Ddp, 2 ranks: fits, 2.4 GiB of 2.4 GiB per GPU (H100), batch_size up to 64");
    CHECK(verdict({.ranks = 1}, gpu(512 + 1600 + 50 + 4 * 64 - 1))
          == "Ddp, 1 rank: does not fit, needs 2.4 GiB of 2.4 GiB per GPU (H100); batch_size up to 63 fits");
    CHECK(verdict({.ranks = 1}, gpu(2000)) == "Ddp, 1 rank: does not fit, needs 2.4 GiB of 2 GiB per GPU (H100)");
    CHECK(verdict({.parallel = "model", .ranks = 1, .devices = 4}, gpu(2000))
          == "Model, 1 rank of 4 GPUs: fits, 1 GiB of 2 GiB per GPU (H100), batch_size up to 1038");
    CHECK(verdict({.parallel = "model", .ranks = 1, .devices = 8}, gpu(2000))
          == "Model, 1 rank of 8 GPUs: cannot be used: the model has 4 layers, too few for 8 stages");
    // No batch is larger than a rank's share of the samples.
    sweep::MemoryProfile few = fourLayers(100'000);
    few.samples = 100;
    CHECK(wording::clause(estimateMemory(few, {.ranks = 2}, gpu(512 + 1600 + 50 + 4 * 50)).verdict)
          == "ddp, 2 ranks: fits, 2.3 GiB of 2.3 GiB per GPU (H100), any batch_size");
    CHECK(wording::clause(estimateMemory(few, {.ranks = 2}, gpu(512 + 1600 + 50 + 4 * 49)).verdict)
          == "ddp, 2 ranks: does not fit, needs 2.3 GiB of 2.3 GiB per GPU (H100); batch_size up to 49 fits");
    sweep::MemoryProfile script = fourLayers();
    script.canBeSplit = false;
    CHECK(wording::clause(estimateMemory(script, {.parallel = "hybrid", .ranks = 2, .devices = 2}, gpu(2000)).verdict)
          == "hybrid, 2 ranks of 2 GPUs: cannot be used: this model cannot be split into stages");
}

TEST_CASE("ranksOnTheCpuShareTheMemoryOfTheMachine")
{
    const MemorySupply machine{"this machine", false, 8192 * mebibyte, 2};
    const MemoryEstimate ddp = estimateMemory(fourLayers(), {.ranks = 2}, machine);
    CHECK(ddp.needed / mebibyte == 2 * 2 * (200 + 30 + 1600 + 50 + 4 * 64));
    CHECK(ddp.verdict.code == facts::Code::MemoryShort);
    // Stages of one rank are the same memory.
    const MemoryEstimate model = estimateMemory(fourLayers(), {.parallel = "model", .devices = 4}, machine);
    CHECK(model.needed / mebibyte == 2 * (200 + 30 + 1600 + 50 + 4 * 64));
    CHECK(model.verdict.code == facts::Code::MemoryFits);
}

TEST_CASE("otherLayoutsUseTheSameDevices")
{
    using Layouts = std::vector<ParallelLayout>;
    CHECK(layoutsOf(specOf("ranks = 1"), {}) == Layouts{{"ddp", 1, 1, true}});
    CHECK(layoutsOf(specOf("ranks = 2"), {}) == Layouts{{"ddp", 2, 1, true}, {"data_parallel", 1, 2}, {"model", 1, 2}});
    CHECK(layoutsOf(specOf("ranks = 2\nparallel = \"hybrid\"", "per_rank = 4"), {})
          == Layouts{{"hybrid", 2, 4, true}, {"ddp", 8, 1}, {"data_parallel", 1, 8}, {"model", 1, 8}});
    CHECK(layoutsOf(specOf("ranks = 1\nparallel = \"model\"\nstages = 4"), {}).front()
          == ParallelLayout{"model", 1, 4, true});
    CHECK(layoutsOf(specOf("ranks = 4"), {}).back() == ParallelLayout{"hybrid", 2, 2});
    CHECK(layoutsOf(specOf("", "", "ranks = [1, 4]"), {{"ranks", std::int64_t{4}}}).front().ranks == 4);
}

TEST_CASE("heaviestPointHasTheLargestSizesAndTheHeaviestOptimizer")
{
    const auto points =
        heaviestPoints(specOf("", "",
                              "lr = [0.1, 0.2]\nbatch_size = [16, 256, 64]\nhidden = { int = [8, 512] }\n"
                              "optimizer = [\"sgd\", \"adamw\", \"rmsprop\"]"));
    CHECK(points
          == std::vector<sweep::ParameterSet>{
              {{"batch_size", std::int64_t{256}}, {"hidden", std::int64_t{512}}, {"optimizer", std::string("adamw")}}});
    CHECK(heaviestPoints(specOf("")) == std::vector<sweep::ParameterSet>{{}});
    CHECK(heaviestPoints(specOf("", "", "model = [\"mlp\", \"cnn\"]\ndataset = [\"digits\", \"mnist\", \"cifar10\"]"))
              .size()
          == 4);
}

TEST_CASE("largestOfSeveralModelsIsPlanned")
{
    const auto spec = specOf("ranks = 2", "kind = \"gpu\"", "model = [\"mlp\", \"cnn\", \"linear\"]");
    const MachineNow machine = machineWith({{"H100", 81'920}, {"H100", 81'920}, {"A100", 40'960}});
    int measured = 0;
    const auto plan = planMemory(spec, machine, {}, [&](const sweep::ParameterSet &point) {
        ++measured;
        return Expected<sweep::MemoryProfile>(
            fourLayers(*sweep::find(point, "model") == sweep::ParameterValue("cnn") ? 128 : 8));
    });
    REQUIRE(plan);
    CHECK(measured == 3);
    CHECK(*sweep::find(plan->point, "model") == sweep::ParameterValue("cnn"));
    REQUIRE(plan->estimates.size() == 6);  // three layouts, two models of GPU
    CHECK(plan->estimates[0].layout.isChosen);
    CHECK(plan->estimates[0].verdict.text(facts::Field::Device) == "H100");
    CHECK(plan->estimates[1].verdict.text(facts::Field::Device) == "A100");
}

TEST_CASE("ranksThatShareAGpuShareItsMemory")
{
    const auto neededOf = [](const std::string &devices) {
        const auto plan = planMemory(specOf("backend = \"gloo\"", devices), machineWith({{"H100", 8000}}), {},
                                     [](const auto &) { return Expected<sweep::MemoryProfile>(fourLayers()); });
        REQUIRE(plan);
        return *plan->estimates.front().verdict.integer(facts::Field::Bytes) / static_cast<std::int64_t>(mebibyte);
    };
    CHECK(neededOf("") == 8000);
    CHECK(neededOf("per_gpu = 4") == 2000);
    CHECK(neededOf("per_gpu = 4\nmemory = \"3 GiB\"") == 3072);
}

TEST_CASE("memoryIsUnknownWithoutMeasurement")
{
    const auto fails = [](const auto &) -> Expected<sweep::MemoryProfile> {
        return makeError(ErrorCode::BadInput, "heads: 3 does not divide hidden = 64");
    };
    const auto failed = planMemory(specOf(""), machineWith({}), {}, fails);
    REQUIRE(!failed);
    CHECK(failed.error().message == "heads: 3 does not divide hidden = 64");
    sweep::SweepSpec command = specOf("");
    command.run.worker = sweep::WorkerKind::Command;
    CHECK(planMemory(command, machineWith({}), {}, fails).error().code == ErrorCode::Unsupported);
}
