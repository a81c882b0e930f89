// Data-parallel training with your own module, loop and data: sweepscope_ddp without a sweep.
//
//     torchrun --nproc_per_node 2 --no-python build/release/bin/ddp-example
//
// or, without torchrun, each rank with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT; alone it is one rank.
#include "train/parallel/distributeddataparallel.h"
#include "train/parallel/distributedsampler.h"
#include "train/parallel/rendezvous.h"
#include "train/parallel/weighthash.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <torch/torch.h>

using namespace sweepscope::train;

namespace {

constexpr std::int64_t samples = 1000;
constexpr std::int64_t batchSize = 64;  // of all ranks together

/// y = 3 a - 2 b + 0.5, the same on every rank.
struct Line {
    torch::Tensor inputs;
    torch::Tensor targets;

    Line()
    {
        torch::manual_seed(1);
        inputs = torch::randn({samples, 2});
        targets = inputs.matmul(torch::tensor({3.0F, -2.0F})) + 0.5;
    }
};

void train(ProcessGroup &group)
{
    const Line line;
    torch::manual_seed(group.rank());  // another one on each rank: DistributedDataParallel takes rank 0's weights
    torch::nn::Sequential model(torch::nn::Linear(2, 16), torch::nn::Tanh(), torch::nn::Linear(16, 1));
    model->to(group.device());
    DistributedDataParallel parallel(*model, group, {});
    torch::optim::Adam optimizer(model->parameters(), torch::optim::AdamOptions(0.02));
    const DistributedSampler sampler(samples, group.size(), group.rank(), {.shuffle = true, .seed = 7});

    torch::Tensor loss;
    for (std::int64_t epoch = 0; epoch < 40; ++epoch) {
        for (const torch::Tensor &batch : sampler.epoch(epoch).split(batchSize / group.size())) {
            parallel.zeroGradients();
            parallel.prepareForward();
            const torch::Tensor scores = model->forward(line.inputs.index_select(0, batch).to(group.device()));
            loss = torch::mse_loss(scores.squeeze(1), line.targets.index_select(0, batch).to(group.device()));
            parallel.backward(loss);  // gradients are the mean over ranks
            optimizer.step();
        }
    }
    if (const auto difference = compareWeights(namedParameters(*model), group).difference)
        throw std::runtime_error(*difference);
    torch::Tensor sum = loss.detach().clone();
    group.sum(sum);
    std::printf("rank %d of %d: loss %.6f\n", group.rank(), group.size(), sum.item<double>() / group.size());
    group.barrier();
}

}  // namespace

int main()
{
    const auto environment = readRankEnvironment();
    if (!environment) {
        std::fprintf(stderr, "error: %s\n", environment.error().message.c_str());
        return 2;
    }
    try {
        const auto store = openStore(*environment);
        awaitRanks(store, environment->rank, environment->worldSize, joinTimeout(*environment));
        torch::Device device = torch::kCPU;
        if (lookForGpus().visible > environment->gpu) {
            openGpu(environment->gpu);
            device = torch::Device(torch::kCUDA, static_cast<c10::DeviceIndex>(environment->gpu));
        }
        ProcessGroup group(store, environment->rank, environment->worldSize,
                           {.device = device, .loopback = environment->oneMachine()});
        train(group);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return EXIT_SUCCESS;
}
