#include "train/stepper.h"

#include "parsedsettings.h"
#include "rankthreads.h"
#include "train/models/layerednetwork.h"
#include "train/models/replicatednetwork.h"
#include "train/optimizer.h"

#include <chrono>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <thread>
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

std::vector<torch::Tensor> statesIn(const c10::IValue &dictionary)
{
    std::vector<torch::Tensor> all;
    for (const auto &parameter : dictionary.toGenericDict().at("state").toGenericDict()) {
        for (const auto &state : parameter.value().toGenericDict())
            all.push_back(state.value().toTensor());
    }
    return all;
}

}  // namespace

TEST_CASE("skippedStepChangesNothing")
{
    const double notANumber = std::numeric_limits<double>::quiet_NaN();
    std::vector<Stepper::Figures> whens{Stepper::Figures::AtOnce};
    if (Optimizer::isFused())
        whens.push_back(Stepper::Figures::OneStepLate);
    for (const Stepper::Figures when : whens) {
        for (const char *optimizing : {"optimizer=sgd", "optimizer=adam", "optimizer=adamw", "optimizer=adagrad"}) {
            CAPTURE(optimizing);
            CAPTURE(when == Stepper::Figures::AtOnce);
            const TrainSettings skipping = settings({"nan_policy=skip", "momentum=0.9", "lr=0.1", optimizing});
            requireRanks(2, [&](int rank, ProcessGroup &group) {
                const auto network = normalisingNetwork();
                network->train(true);
                DistributedDataParallel parallel(network->parameters(), network->buffers(), group, {});
                Optimizer optimizer(skipping, network->parameters());
                Stepper stepper(skipping, Task::Classification, *network, parallel, optimizer, group, when);
                std::int64_t steps = 0;
                const auto run = [&](double first) {
                    const auto now = stepper.run(
                        ++steps, [&] { return batchOf(first); }, 1, 0.1, false);
                    return now ? *now : stepper.finish().value();
                };
                CHECK(run(1).finite);
                const auto buffers = copies(network->buffers());
                const auto weights = copies(network->parameters());
                const c10::IValue state = optimizer.stateDict().deepcopy();
                REQUIRE(buffers.size() == 3);
                // Only one rank has the bad sample.
                const Stepper::Outcome bad = run(rank == 1 ? notANumber : 1);
                CHECK(bad.step == 2);
                CHECK_FALSE(bad.finite);
                CHECK(bad.notFiniteLosses == 1);
                CHECK(bad.notFiniteRank == 1);
                CHECK(equal(copies(network->buffers()), buffers));
                CHECK(equal(copies(network->parameters()), weights));
                CHECK(equal(statesIn(optimizer.stateDict()), statesIn(state)));
                CHECK(run(1).finite);
                CHECK_FALSE(equal(copies(network->buffers()), buffers));
                CHECK(network->buffers()[0].tensor.isfinite().all().item<bool>());
            });
        }
    }
}

TEST_CASE("lateFiguresBelongToTheStepBefore")
{
    if (!Optimizer::isFused())
        return;
    const TrainSettings chosen = settings({"lr=0.1"});
    requireRanks(1, [&](int, ProcessGroup &group) {
        const auto losses = [&](Stepper::Figures when) {
            torch::manual_seed(3);
            const auto network = normalisingNetwork();
            DistributedDataParallel parallel(network->parameters(), network->buffers(), group, {});
            Optimizer optimizer(chosen, network->parameters());
            Stepper stepper(chosen, Task::Classification, *network, parallel, optimizer, group, when);
            std::vector<double> all;
            const auto keep = [&all](const std::optional<Stepper::Outcome> &outcome) {
                if (!outcome)
                    return;
                CHECK(outcome->step == static_cast<std::int64_t>(all.size() + 1));
                CHECK(outcome->figures.learningRate == doctest::Approx(0.01 * static_cast<double>(outcome->step)));
                CHECK(outcome->stop == (outcome->step == 3));
                all.push_back(outcome->figures.loss);
            };
            for (int step = 1; step <= 5; ++step)
                keep(stepper.run(
                    step, [&] { return batchOf(step); }, 1, 0.01 * step, step == 3));
            CHECK(all.size() == (when == Stepper::Figures::AtOnce ? 5 : 4));
            keep(stepper.finish());
            CHECK_FALSE(stepper.finish().has_value());
            return all;
        };
        CHECK(losses(Stepper::Figures::OneStepLate) == losses(Stepper::Figures::AtOnce));
    });
}

TEST_CASE("partsOfAStepMakeUpTheWhole")
{
    const TrainSettings chosen = settings({"lr=0.1"});
    requireRanks(2, [&](int, ProcessGroup &group) {
        const auto network = normalisingNetwork();
        DistributedDataParallel parallel(network->parameters(), network->buffers(), group, {});
        Optimizer optimizer(chosen, network->parameters());
        Stepper stepper(chosen, Task::Classification, *network, parallel, optimizer, group, Stepper::Figures::AtOnce);
        const auto slowBatch = [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            return batchOf(1);
        };
        const StepFigures figures = stepper.run(1, slowBatch, 2, 0.1, false).value().figures;
        CHECK(figures.dataWaitSeconds >= 0.04);
        CHECK(figures.dataWaitSeconds + figures.computeSeconds + figures.commWaitSeconds
              == doctest::Approx(figures.stepSeconds));
        for (const double part : {figures.forwardSeconds, figures.backwardSeconds, figures.updateSeconds})
            CHECK(part > 0);
        CHECK(figures.forwardSeconds + figures.backwardSeconds + figures.updateSeconds
              <= figures.computeSeconds * 1.0001);
        REQUIRE(figures.bucketSeconds.size() == parallel.bucketCount());
        CHECK(figures.bucketSeconds.front() > 0);
        CHECK_FALSE(figures.copySeconds.has_value());
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
        CHECK(parallel.gradientNorm().item<double>() == doctest::Approx(600));
        CHECK(parallel.clipGradients(60).item<double>() == doctest::Approx(600));
        CHECK(weight.grad()[0].item<float>() == doctest::Approx(30).epsilon(0.01));
        CHECK(parallel.clipGradients(100).item<double>() == doctest::Approx(60).epsilon(0.01));
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
