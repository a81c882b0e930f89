#include "train/memorymeasurement.h"

#include "parsedsettings.h"
#include "train/allocationmeter.h"

#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;
using namespace std::chrono_literals;

namespace {

sweep::MemoryProfile measured(const std::vector<std::string> &assignments, std::chrono::milliseconds limit = 10s)
{
    const Expected<sweep::MemoryProfile> profile = measureMemory(settings(assignments), limit);
    if (!profile)
        FAIL(profile.error().message);
    return *profile;
}

double keptPerSample(const sweep::MemoryProfile &profile)
{
    double sum = 0;
    for (const auto &layer : profile.layers)
        sum += layer.kept.perSample;
    return sum;
}

}  // namespace

TEST_CASE("meterCountsTensorsByOwnerAndPeak")
{
    const torch::Tensor before = torch::empty({1000});
    AllocationMeter meter;
    meter.setOwner(1);
    torch::Tensor kept = torch::empty({100});
    meter.setOwner(AllocationMeter::noOwner);
    torch::Tensor other = torch::empty({50});
    CHECK(meter.liveOf(1) == 400);
    CHECK(meter.live() == 600);
    other.reset();
    CHECK(meter.live() == 400);
    CHECK(meter.peak() == 600);
    meter.resetPeak();
    CHECK(meter.peak() == 400);
    kept.reset();
    CHECK(meter.liveOf(1) == 0);
    CHECK(meter.live() == 0);
}

TEST_CASE("meterSeesWhatBackwardAllocates")
{
    torch::Tensor weight = torch::zeros({1000}, torch::requires_grad());
    AllocationMeter meter;
    weight.pow(2).sum().backward();
    CHECK(meter.live() == 4000);  // the gradient
    CHECK(meter.peak() >= 8000);
}

TEST_CASE("parametersGradientsAndStateAreExact")
{
    constexpr std::uint64_t parameters = 4 * (64 * 100 + 100 + 100 * 10 + 10);
    const auto adam = measured({"model=mlp", "hidden=100", "optimizer=adam"});
    CHECK(adam.parameters() == parameters);
    CHECK(adam.gradients == parameters + 3 * 4);  // votes travel with the gradients
    CHECK(adam.optimizer >= 2 * parameters);
    CHECK(adam.optimizer <= 2 * parameters + 1000);
    CHECK(adam.canBeSplit);
    CHECK(adam.layers.size() == 4);  // flatten, linear, ReLU, linear
    CHECK(adam.layers[1].parameters == 4 * (64 * 100 + 100));
    CHECK(adam.inputPerSample == 64 * 4);
    CHECK(measured({"model=mlp", "hidden=100", "optimizer=sgd"}).optimizer < 1000);
    const auto momentum = measured({"model=mlp", "hidden=100", "optimizer=sgd", "momentum=0.9"}).optimizer;
    CHECK(momentum >= parameters);
    CHECK(momentum <= parameters + 1000);
}

TEST_CASE("activationsGrowWithTheLayers")
{
    const auto narrow = measured({"model=mlp", "hidden=100", "layers=2"});
    const auto wide = measured({"model=mlp", "hidden=300", "layers=2"});
    // Backward needs what each of the two ReLUs returned.
    CHECK(keptPerSample(wide) - keptPerSample(narrow) == doctest::Approx(2 * 200 * 4));
    CHECK(keptPerSample(narrow) >= 2 * 100 * 4);
    CHECK(narrow.peak.perSample >= keptPerSample(narrow));
}

TEST_CASE("largeBatchesAreForetoldBySmallOnes")
{
    for (const std::vector<std::string> &assignments :
         {std::vector<std::string>{"model=cnn"}, {"model=resnet"}, {"model=mlp", "hidden=512", "optimizer=adamw"}}) {
        std::vector<std::string> large = assignments;
        large.emplace_back("batch_size=256");
        const auto foretold = measured(large, 0ms);
        const auto real = measured(large);
        CHECK(foretold.measuredSizes == std::vector<std::int64_t>{2, 8});
        CHECK(real.measuredSizes == std::vector<std::int64_t>{128, 256});
        CHECK(foretold.peak.at(256) > 0.7 * real.peak.at(256));
        CHECK(foretold.peak.at(256) < 2.5 * real.peak.at(256));
    }
}

TEST_CASE("measurementRefusesAModelThatDoesNotFitTheData")
{
    const auto refused = measureMemory(settings({"model=transformer"}));
    REQUIRE(!refused);
    CHECK(refused.error().code == ErrorCode::BadInput);
}

TEST_CASE("settingsThatCostOrSaveMemoryCount")
{
    const auto plain = measured({"model=resnet", "layers=2", "optimizer=sgd"});
    const auto averaged = measured({"model=resnet", "layers=2", "optimizer=sgd", "ema_decay=0.9"});
    CHECK(averaged.optimizer == plain.optimizer + plain.parameters());
    const auto recomputed = measured({"model=resnet", "layers=2", "optimizer=sgd", "activation_checkpointing=true"});
    CHECK(keptPerSample(recomputed) < keptPerSample(plain) / 2);
    CHECK(recomputed.peak.perSample < plain.peak.perSample);
}
