#include "train/replica.h"

#include "train/model.h"
#include "train/optimizer.h"

#include <algorithm>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

std::int64_t divideUp(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

std::unique_ptr<Network> seededNetwork(const TrainSettings &settings, const TrialData &data,
                                       const std::vector<torch::Device> &devices, int rank)
{
    std::unique_ptr<Network> network = makeNetwork(settings, shapeOf(data), devices);
    // Ranks drop different activations: their batches differ, their noise should too.
    torch::manual_seed(settings.seed + static_cast<std::uint64_t>(rank));
    return network;
}

DistributedDataParallel::Options parallelOptions(const TrainSettings &settings)
{
    DistributedDataParallel::Options options;
    options.limits.others = static_cast<std::int64_t>(settings.bucketMb * 1024 * 1024);
    options.limits.first = std::min(options.limits.first, options.limits.others);
    options.findUnused = settings.findUnused;
    return options;
}

}  // namespace

Replica::Replica(const TrainSettings &settings, const TrialData &data, ProcessGroup &group,
                 const std::vector<torch::Device> &devices)
    : network(seededNetwork(settings, data, devices, group.rank())),
      parallel(network->parameters(), network->buffers(), group, parallelOptions(settings)),
      optimizer(makeOptimizer(settings, tensorsOf(network->parameters()))),
      order(settings, data.sizes.train, group.size(), group.rank(), data.train.targets),
      batchesPerEpoch(divideUp(order.size(), settings.batchSize)),
      stepsPerEpoch(divideUp(batchesPerEpoch, settings.accumulate)),
      schedule(settings, stepsPerEpoch),
      maker(data.kind, data.normalisation, devices.front()),
      stepper(settings, data.task, *network, parallel, *optimizer, group.rank()),
      firstSample(settings.sampling == "contiguous"
                      ? contiguousPartition(data.sizes.train, group.size(), group.rank()).start
                      : 0)
{}

}  // namespace sweepscope::train
