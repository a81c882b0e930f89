#include "train/stepper.h"

#include "parsedsettings.h"
#include "rankthreads.h"
#include "train/models/layerednetwork.h"
#include "train/models/replicatednetwork.h"
#include "train/optimizer.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <torch/torch.h>

using namespace sweepscope;
using namespace sweepscope::train;

namespace {

std::unique_ptr<Network> normalisingNetwork()
{
    torch::nn::Sequential layers;
    layers->push_back(torch::nn::Linear(3, 4));
    layers->push_back(torch::nn::BatchNorm1d(4));
    layers->push_back(torch::nn::Linear(4, 2));
    return std::make_unique<LayeredNetwork>(layers, std::vector<torch::Device>{torch::kCPU});
}

Batch batchOf(double first)
{
    Batch batch{torch::arange(12, torch::kFloat32).view({4, 3}) / 7, torch::tensor({0, 1, 1, 0}, torch::kInt64)};
    batch.inputs[0][0] = first;
    return batch;
}

std::vector<torch::Tensor> copies(const std::vector<NamedTensor> &tensors)
{
    std::vector<torch::Tensor> all;
    for (const NamedTensor &item : tensors)
        all.push_back(item.tensor.detach().clone());
    return all;
}

bool equal(const std::vector<torch::Tensor> &a, const std::vector<torch::Tensor> &b)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i].equal(b[i]))
            return false;
    }
    return a.size() == b.size();
}

}  // namespace

TEST_CASE("skippedStepLeavesRunningStatisticsUnchanged")
{
    const TrainSettings skipping = settings({"nan_policy=skip", "lr=0.1"});
    requireRanks(2, [&](int rank, ProcessGroup &group) {
        const auto network = normalisingNetwork();
        network->train(true);
        DistributedDataParallel parallel(network->parameters(), network->buffers(), group, {});
        Optimizer optimizer(skipping, network->parameters());
        Stepper stepper(skipping, Task::Classification, *network, parallel, optimizer, rank);
        const auto run = [&](double first) { return stepper.run([&] { return batchOf(first); }, 1, 0.1, false); };
        CHECK(run(1).finite);
        const auto buffers = copies(network->buffers());
        const auto weights = copies(network->parameters());
        REQUIRE(buffers.size() == 3);
        // Only one rank has the bad sample.
        const Stepper::Outcome bad = run(rank == 1 ? std::numeric_limits<double>::quiet_NaN() : 1);
        CHECK_FALSE(bad.finite);
        CHECK(bad.notFiniteLosses == 1);
        CHECK(bad.notFiniteRank == 1);
        CHECK(equal(copies(network->buffers()), buffers));
        CHECK(equal(copies(network->parameters()), weights));
        CHECK(run(1).finite);
        CHECK_FALSE(equal(copies(network->buffers()), buffers));
        CHECK(network->buffers()[0].tensor.isfinite().all().item<bool>());
    });
}

TEST_CASE("normsOfHalfPrecisionGradientsDoNotOverflow")
{
    requireRanks(1, [](int, ProcessGroup &group) {
        const torch::Tensor weight = torch::zeros({4}, torch::kFloat16).requires_grad_();
        DistributedDataParallel parallel({{"weight", weight}}, {}, group, {});
        parallel.zeroGradients();
        // Its square exceeds float16's maximum of 65,504.
        parallel.backward((weight.to(torch::kFloat32) * 300).sum());
        CHECK(parallel.gradientNorm() == doctest::Approx(600));
        CHECK(parallel.clipGradients(60) == doctest::Approx(600));
        CHECK(weight.grad()[0].item<float>() == doctest::Approx(30).epsilon(0.01));
        CHECK(parallel.clipGradients(100) == doctest::Approx(60).epsilon(0.01));
        CHECK(weight.grad()[0].item<float>() == doctest::Approx(30).epsilon(0.01));
    });
}

TEST_CASE("replicasOnTheCpuDropTheSameValuesEachTime")
{
    const auto scores = [] {
        std::vector<std::unique_ptr<Network>> replicas;
        const std::vector<torch::Device> devices(4, torch::Device(torch::kCPU));
        for (const torch::Device &device : devices) {
            torch::manual_seed(5);
            torch::nn::Sequential layers;
            layers->push_back(torch::nn::Linear(64, 256));
            layers->push_back(torch::nn::Dropout(0.5));
            layers->push_back(torch::nn::Linear(256, 256));
            layers->push_back(torch::nn::Dropout(0.5));
            replicas.push_back(std::make_unique<LayeredNetwork>(layers, std::vector<torch::Device>{device}));
        }
        ReplicatedNetwork network(std::move(replicas), devices);
        network.train(true);
        torch::manual_seed(7);
        return network.forward(torch::ones({256, 64}));
    };
    const torch::Tensor first = scores();
    for (int i = 0; i < 20; ++i)
        CHECK(scores().equal(first));
}
