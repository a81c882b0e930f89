#include "train/replica.h"

#include "train/model.h"

#include <algorithm>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// The weights of convolutions; the values stay.
void toChannelsLast(const std::vector<NamedTensor> &parameters)
{
    const torch::NoGradGuard noGrad;
    for (const NamedTensor &item : parameters) {
        torch::Tensor tensor = item.tensor;
        if (tensor.dim() == 4)
            tensor.set_data(tensor.contiguous(torch::MemoryFormat::ChannelsLast));
    }
}

std::unique_ptr<Network> seededNetwork(const TrainSettings &settings, const TrialData &data,
                                       const std::vector<torch::Device> &devices, ProcessGroup &group)
{
    std::unique_ptr<Network> network = makeNetwork(settings, shapeOf(data), devices, &group);
    if (settings.channelsLast)
        toChannelsLast(network->parameters());
    // Ranks drop different activations: their batches differ, their noise should too.
    torch::manual_seed(settings.seed + static_cast<std::uint64_t>(group.rank()));
    return network;
}

DistributedDataParallel::Options parallelOptions(const TrainSettings &settings)
{
    DistributedDataParallel::Options options;
    options.limits.others = static_cast<std::int64_t>(settings.bucketMb * 1024 * 1024);
    options.limits.first = std::min(options.limits.first, options.limits.others);
    options.findUnused = settings.findUnused;
    options.sendsBf16 = settings.exchangePrecision == "bf16";
    return options;
}

Stepper::Figures figuresOf(std::optional<Stepper::Figures> wanted, const Optimizer &optimizer, torch::Device device)
{
    if (!optimizer.canSkip())
        return Stepper::Figures::AtOnce;
    return wanted.value_or(device.is_cuda() ? Stepper::Figures::OneStepLate : Stepper::Figures::AtOnce);
}

}  // namespace

Replica::Replica(const TrainSettings &settings, const TrialData &data, ProcessGroup &group,
                 const std::vector<torch::Device> &devices, std::optional<Stepper::Figures> figures)
    : network(seededNetwork(settings, data, devices, group)),
      parallel(network->parameters(), network->buffers(), group, parallelOptions(settings)),
      optimizer(settings, network->parameters()),
      average(settings.emaDecay, network->parameters()),
      order(settings, data.sizes.train, group.size(), group.rank(), data.train.targets),
      batchesPerEpoch(train::batchesPerEpoch(settings, order.size())),
      stepsPerEpoch((batchesPerEpoch + settings.accumulate - 1) / settings.accumulate),
      steps(stepsOfTraining(settings, stepsPerEpoch)),
      schedule(settings, stepsPerEpoch),
      maker(data.kind, data.normalisation, devices.front(), settings.channelsLast),
      stepper(settings, data.task, *network, parallel, optimizer, group,
              figuresOf(figures, optimizer, devices.front())),
      firstSample(settings.sampling == "contiguous"
                      ? contiguousPartition(data.sizes.train, group.size(), group.rank()).start
                      : 0)
{}

}  // namespace sweepscope::train
