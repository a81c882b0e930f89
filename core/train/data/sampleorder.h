#pragma once

#include "train/data/dataset.h"

#include <cstdint>
#include <torch/types.h>

namespace sweepscope::train {

/// One rank's contiguous part of `count` samples: the first count % ranks ranks have one more.
struct Partition {
    std::int64_t start = 0;
    std::int64_t size = 0;
};
Partition contiguousPartition(std::int64_t count, int ranks, int rank);

/// `draws` indices of 0 … weights.size(0)-1, the same that list(WeightedRandomSampler(weights, draws, replacement=True,
/// generator=torch.Generator().manual_seed(seed))) gives. `weights`: float64.
torch::Tensor weightedIndices(const torch::Tensor &weights, std::int64_t draws, std::uint64_t seed);

/// For each sample 1 / (samples of its class), float64: all classes are drawn equally often.
torch::Tensor balancingWeights(const torch::Tensor &classes);

/// BadInput when sampling, drop_last and drop_last_batch leave a rank without samples, or need classes that `data` has not.
Expected<void> checkSampling(const TrainSettings &settings, const TrialData &data, int ranks);

/// Batches of an epoch with `samples` per rank.
std::int64_t batchesPerEpoch(const TrainSettings &settings, std::int64_t samples);

/// Which training samples a rank sees in an epoch, and in which order. settings.sampling:
///   shuffle, sequential  DistributedSampler with and without shuffling
///   weighted             every ranks-th of size() * ranks weighted draws, seeded by seed + epoch
///   contiguous           the rank's own Partition, permuted by seed + epoch; repeated from its front (or cut, with
///                        drop_last) so that all ranks have equally many
class SampleOrder {
public:
    /// `classes`: targets of the training part, needed for weighted.
    SampleOrder(const TrainSettings &settings, std::int64_t count, int ranks, int rank, const torch::Tensor &classes);

    /// Samples of the rank in one epoch.
    std::int64_t size() const;
    /// Indices into the training part; epochs count from 0.
    torch::Tensor epoch(std::int64_t number) const;

private:
    TrainSettings m_settings;
    std::int64_t m_count;
    int m_ranks;
    int m_rank;
    torch::Tensor m_weights;
};

}  // namespace sweepscope::train
