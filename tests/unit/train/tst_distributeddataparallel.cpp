#include "train/parallel/distributeddataparallel.h"

#include "rankthreads.h"

#include <array>
#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope::train;

namespace {

torch::nn::Sequential smallNetwork()
{
    torch::nn::Sequential network;
    network->push_back(torch::nn::Linear(6, 16));
    network->push_back(torch::nn::Tanh());
    network->push_back(torch::nn::Linear(16, 4));
    return network;
}

torch::Tensor lossOf(torch::nn::Sequential &network, const torch::Tensor &inputs, const torch::Tensor &labels)
{
    return torch::nn::functional::cross_entropy(network->forward(inputs), labels);
}

/// Largest absolute difference over all parameters.
double distance(torch::nn::Sequential &a, torch::nn::Sequential &b)
{
    double largest = 0;
    const auto left = a->parameters();
    const auto right = b->parameters();
    for (std::size_t i = 0; i < left.size(); ++i)
        largest = std::max(largest, (left[i] - right[i]).abs().max().item<double>());
    return largest;
}

}  // namespace

TEST_CASE("ranksTogetherLearnWhatOneProcessLearnsFromTheUnion")
{
    constexpr int ranks = 3;
    constexpr int steps = 5;
    constexpr std::int64_t perRank = 4;
    torch::manual_seed(1);
    const torch::Tensor inputs = torch::randn({steps, ranks * perRank, 6});
    const torch::Tensor labels = torch::randint(0, 4, {steps, ranks * perRank}, torch::kInt64);
    torch::nn::Sequential alone = smallNetwork();
    const std::string start = [&] {
        std::ostringstream stream;
        torch::save(alone, stream);
        return stream.str();
    }();
    {
        torch::optim::SGD optimizer(alone->parameters(), torch::optim::SGDOptions(0.5).momentum(0.9));
        for (int step = 0; step < steps; ++step) {
            optimizer.zero_grad();
            lossOf(alone, inputs[step], labels[step]).backward();
            optimizer.step();
        }
    }

    std::array<torch::nn::Sequential, ranks> replicas;
    for (torch::nn::Sequential &replica : replicas)
        replica = smallNetwork();  // other weights on every rank: rank 0's must win
    std::istringstream stream(start);
    torch::load(replicas[0], stream);

    // Small limits: several buckets, some with several tensors. The gradients are also taken away in between.
    requireRanks(ranks, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential &network = replicas[static_cast<std::size_t>(rank)];
        DistributedDataParallel ddp(*network, group, {.first = 16, .others = 300});
        CHECK(ddp.bucketCount() == 3);
        torch::optim::SGD optimizer(network->parameters(), torch::optim::SGDOptions(0.5).momentum(0.9));
        for (int step = 0; step < steps; ++step) {
            ddp.prepareStep();
            if (step == 2)
                network->parameters()[0].mutable_grad().reset();
            lossOf(network, inputs[step].narrow(0, rank * perRank, perRank),
                   labels[step].narrow(0, rank * perRank, perRank))
                .backward();
            ddp.finishStep();
            optimizer.step();
        }
    });
    CHECK(distance(replicas[0], alone) < 1e-6);
    CHECK(distance(replicas[1], replicas[0]) == 0);
    CHECK(distance(replicas[2], replicas[0]) == 0);
}

TEST_CASE("buffersComeFromRankZeroBeforeEachStep")
{
    std::array<torch::Tensor, 2> means;
    requireRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network;
        network->push_back(torch::nn::BatchNorm1d(3));
        DistributedDataParallel ddp(*network, group);
        for (int step = 0; step < 2; ++step) {
            ddp.prepareStep();
            network->forward(torch::full({4, 3}, rank * 10.0 + step) + torch::arange(12).view({4, 3})).sum().backward();
            ddp.finishStep();
        }
        ddp.prepareStep();
        means[static_cast<std::size_t>(rank)] = network->named_buffers()["0.running_mean"].clone();
    });
    CHECK(means[0].equal(means[1]));
    CHECK(means[0].abs().sum().item<double>() > 0);
}

TEST_CASE("parameterWithoutGradientIsNamed")
{
    const auto thrown = runRanks(2, [&](int, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        DistributedDataParallel ddp(*network, group);
        ddp.prepareStep();
        network[0]->as<torch::nn::Linear>()->forward(torch::randn({2, 6})).sum().backward();
        ddp.finishStep();
    });
    CHECK(thrown[0].find("parameter 2.weight got no gradient") != std::string::npos);
    CHECK(thrown[1].find("parameter 2.weight got no gradient") != std::string::npos);
}

TEST_CASE("ranksWithOtherShapesAreRefusedEverywhere")
{
    const auto thrown = runRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network;
        network->push_back(torch::nn::Linear(6, rank == 0 ? 16 : 17));
        const DistributedDataParallel ddp(*network, group);
    });
    for (const std::string &sentence : thrown)
        CHECK(sentence.find("0.weight has shape [17, 6] on rank 1 and [16, 6] on rank 0") != std::string::npos);
}

TEST_CASE("ranksWithOtherNumbersOfParametersAreRefusedEverywhere")
{
    const auto thrown = runRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        if (rank == 1)
            network->push_back(torch::nn::Linear(4, 4));
        const DistributedDataParallel ddp(*network, group);
    });
    for (const std::string &sentence : thrown)
        CHECK(sentence.find("rank 1 has 6 parameters and buffers, rank 0 has 4") != std::string::npos);
}

TEST_CASE("aRankAloneGetsItsOwnGradients")
{
    requireRanks(1, [](int, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        const torch::Tensor input = torch::randn({2, 6});
        DistributedDataParallel ddp(*network, group);
        ddp.prepareStep();
        network->forward(input).sum().backward();
        ddp.finishStep();
        CHECK(network->parameters()[3].grad().allclose(torch::full({4}, 2.0F)));
    });
}
