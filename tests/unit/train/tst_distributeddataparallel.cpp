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

TEST_CASE("ranksTogetherLearnTheSameAsOneProcessOnTheUnion")
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
        replica = smallNetwork();  // each rank starts with different weights: rank 0's must win
    std::istringstream stream(start);
    torch::load(replicas[0], stream);

    // Small limits: several buckets, some with several tensors. One step sets the gradients to zero without
    // zeroGradients().
    requireRanks(ranks, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential &network = replicas[static_cast<std::size_t>(rank)];
        DistributedDataParallel ddp(*network, group, {.limits = {.first = 16, .others = 300}});
        CHECK(ddp.bucketCount() == 3);
        torch::optim::SGD optimizer(network->parameters(), torch::optim::SGDOptions(0.5).momentum(0.9));
        for (int step = 0; step < steps; ++step) {
            if (step != 2) {
                ddp.zeroGradients();
            } else {  // in the user's own code
                for (torch::Tensor &weight : network->parameters())
                    weight.mutable_grad().zero_();
            }
            ddp.prepareForward();
            ddp.backward(lossOf(network, inputs[step].narrow(0, rank * perRank, perRank),
                                labels[step].narrow(0, rank * perRank, perRank)));
            optimizer.step();
        }
    });
    CHECK(distance(replicas[0], alone) < 1e-6);
    CHECK(distance(replicas[1], replicas[0]) == 0);
    CHECK(distance(replicas[2], replicas[0]) == 0);
}

TEST_CASE("buffersAreCopiedFromRankZeroBeforeEachStep")
{
    std::array<torch::Tensor, 2> means;
    requireRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network;
        network->push_back(torch::nn::BatchNorm1d(3));
        DistributedDataParallel ddp(*network, group, {});
        for (int step = 0; step < 2; ++step) {
            ddp.zeroGradients();
            ddp.prepareForward();
            ddp.backward(
                network->forward(torch::full({4, 3}, rank * 10.0 + step) + torch::arange(12).view({4, 3})).sum());
        }
        ddp.prepareForward();
        means[static_cast<std::size_t>(rank)] = network->named_buffers()["0.running_mean"].clone();
    });
    CHECK(means[0].equal(means[1]));
    CHECK(means[0].abs().sum().item<double>() > 0);
}

TEST_CASE("parameterWithoutGradientIsNamed")
{
    const auto thrown = runRanks(2, [&](int, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        DistributedDataParallel ddp(*network, group, {});
        ddp.backward(network[0]->as<torch::nn::Linear>()->forward(torch::randn({2, 6})).sum());
    });
    CHECK(thrown[0].find("parameter 2.weight got no gradient") != std::string::npos);
    CHECK(thrown[1].find("parameter 2.weight got no gradient") != std::string::npos);
}

TEST_CASE("ranksWithDifferentShapesAreRefusedOnAllRanks")
{
    const auto thrown = runRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network;
        network->push_back(torch::nn::Linear(6, rank == 0 ? 16 : 17));
        const DistributedDataParallel ddp(*network, group, {});
    });
    for (const std::string &sentence : thrown)
        CHECK(sentence.find("0.weight has shape [17, 6] on rank 1 and [16, 6] on rank 0") != std::string::npos);
}

TEST_CASE("ranksWithDifferentNumbersOfParametersAreRefusedOnAllRanks")
{
    const auto thrown = runRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        if (rank == 1)
            network->push_back(torch::nn::Linear(4, 4));
        const DistributedDataParallel ddp(*network, group, {});
    });
    for (const std::string &sentence : thrown)
        CHECK(sentence.find("rank 1 has 6 parameters and buffers, rank 0 has 4") != std::string::npos);
}

TEST_CASE("singleRankGetsItsOwnGradients")
{
    requireRanks(1, [](int, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        const torch::Tensor input = torch::randn({2, 6});
        DistributedDataParallel ddp(*network, group, {});
        ddp.backward(network->forward(input).sum());
        CHECK(network->parameters()[3].grad().allclose(torch::full({4}, 2.0F)));
    });
}

TEST_CASE("gradientsAccumulateUntilTheyAreExchanged")
{
    torch::manual_seed(4);
    const torch::Tensor inputs = torch::randn({2, 3, 5, 6});  // ranks x batches x samples x features
    torch::nn::Sequential alone = smallNetwork();
    std::ostringstream saved;
    torch::save(alone, saved);
    (alone->forward(inputs.reshape({30, 6})).pow(2).sum() / 2).backward();

    requireRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        std::istringstream stream(saved.str());
        torch::load(network, stream);
        DistributedDataParallel ddp(*network, group, {.limits = {.first = 16, .others = 300}});
        for (int step = 0; step < 3; ++step) {  // buckets are rebuilt after the first step
            ddp.zeroGradients();
            for (int batch = 0; batch < 3; ++batch)
                ddp.backward(network->forward(inputs[rank][batch]).pow(2).sum(),
                             batch < 2 ? DistributedDataParallel::Sync::No : DistributedDataParallel::Sync::Yes);
            for (std::size_t i = 0; i < 4; ++i)
                CHECK(network->parameters()[i].grad().allclose(alone->parameters()[i].grad(), 1e-5, 1e-5));
        }
    });
}

TEST_CASE("gradientsAreStoredInTheBuckets")
{
    requireRanks(2, [](int, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        DistributedDataParallel ddp(*network, group, {});
        ddp.backward(network->forward(torch::ones({2, 6})).sum());
        const auto weights = network->parameters();
        REQUIRE(ddp.bucketCount() == 1);
        for (std::size_t i = 1; i < weights.size(); ++i)
            CHECK(weights[i].grad().is_alias_of(weights[0].grad()));
    });
}

TEST_CASE("bucketsFollowTheGradientOrderOfRankZero")
{
    // The layers are used in reverse order of declaration, so their gradients are ready in that order.
    class Backwards : public torch::nn::Module {
    public:
        Backwards()
        {
            for (int i = 0; i < 4; ++i)
                m_layers.push_back(register_module("layer" + std::to_string(i), torch::nn::Linear(8, 8)));
        }
        torch::Tensor forward(torch::Tensor values)
        {
            for (std::size_t i = m_layers.size(); i-- > 0;)
                values = m_layers[i]->forward(values);
            return values;
        }

    private:
        std::vector<torch::nn::Linear> m_layers;
    };
    requireRanks(2, [](int, ProcessGroup &group) {
        Backwards network;
        DistributedDataParallel ddp(network, group, {.limits = {.first = 1, .others = 1}});
        const auto storageOf = [&network](const char *name) {
            return network.named_parameters()[name].grad().data_ptr();
        };
        ddp.backward(network.forward(torch::ones({2, 8})).sum());
        const void *before = storageOf("layer3.weight");
        ddp.zeroGradients();
        ddp.backward(network.forward(torch::ones({2, 8})).sum());
        CHECK(storageOf("layer3.weight") != before);
        const std::vector<std::size_t> order = ddp.readyOrder();
        REQUIRE(order.size() == 8);
        CHECK(order.front() <= 1);  // layer0's weight or bias
        CHECK(order.back() >= 6);   // layer3's
    });
}

TEST_CASE("parametersUnusedOnARankGetTheGradientOfTheOthers")
{
    std::array<torch::Tensor, 2> used;
    requireRanks(2, [&](int rank, ProcessGroup &group) {
        torch::nn::Sequential network;
        network->push_back(torch::nn::Linear(2, 2));  // used by both ranks
        network->push_back(torch::nn::Linear(2, 2));  // used by rank 1 only
        network->push_back(torch::nn::Linear(2, 2));  // unused
        DistributedDataParallel ddp(*network, group, {.findUnused = true});
        for (int step = 0; step < 2; ++step) {
            ddp.zeroGradients();
            torch::Tensor scores = network[0]->as<torch::nn::Linear>()->forward(torch::ones({1, 2}));
            if (rank == 1)
                scores = network[1]->as<torch::nn::Linear>()->forward(torch::ones({1, 2})) + scores;
            ddp.backward(scores.sum());
        }
        const auto weights = network->parameters();
        CHECK(weights[1].grad().allclose(torch::ones({2})));
        CHECK(weights[3].grad().allclose(torch::full({2}, 0.5F)));
        CHECK_FALSE(weights[4].grad().defined());
        used[static_cast<std::size_t>(rank)] = weights[2].grad().clone();
    });
    CHECK(used[0].equal(used[1]));
}

TEST_CASE("votesAndNormAreTheSameOnEveryRank")
{
    using Question = DistributedDataParallel::Question;
    requireRanks(3, [](int rank, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        DistributedDataParallel ddp(*network, group, {.limits = {.first = 16, .others = 300}});
        double expected = 0;
        for (int step = 0; step < 3; ++step) {
            ddp.zeroGradients();
            ddp.vote(Question::Stop, rank == 1 && step == 1 ? 1 : 0);
            ddp.vote(Question::NotFinite, torch::full({}, rank == 2 && step == 2 ? 1.0F : 0.0F));
            ddp.backward(network->forward(torch::ones({2, 6}) * rank).sum());
            CHECK(ddp.votes().equal(torch::tensor({step == 1 ? 1.0F : 0.0F, step == 2 ? 1.0F : 0.0F, 0.0F})));
            expected = 0;
            for (const torch::Tensor &weight : network->parameters())
                expected += weight.grad().pow(2).sum().item<double>();
            CHECK(ddp.gradientNorm().item<double>() == doctest::Approx(std::sqrt(expected)));
        }
    });
}

TEST_CASE("directBackwardIsRefusedWithAMessage")
{
    requireRanks(1, [](int, ProcessGroup &group) {
        torch::nn::Sequential network = smallNetwork();
        const DistributedDataParallel ddp(*network, group, {});
        CHECK_THROWS_WITH_AS(network->forward(torch::ones({2, 6})).sum().backward(),
                             doctest::Contains("call that instead"), c10::Error);
    });
}
