#pragma once

#include <cstdint>
#include <torch/types.h>

namespace sweepscope::train {

/// The rule of torch.utils.data.DistributedSampler (torch/utils/data/distributed.py), index for index. All ranks get
/// the same number of samples: ceil(count / ranks), or, with dropLast, what divides evenly.
class DistributedSampler {
public:
    struct Options {
        bool shuffle = true;
        std::uint64_t seed = 0;
        bool dropLast = false;
    };

    DistributedSampler(std::int64_t count, int ranks, int rank, Options options);

    /// Samples of one rank in one epoch.
    std::int64_t size() const { return m_samples; }

    /// This rank's indices (int64, of 0 … count-1): a permutation seeded by seed + epoch (or the natural order), padded
    /// from its own front or cut to size() * ranks, every ranks-th from `rank` on.
    torch::Tensor epoch(std::int64_t number) const;

private:
    std::int64_t m_count;
    int m_ranks;
    int m_rank;
    Options m_options;
    std::int64_t m_samples;
};

}  // namespace sweepscope::train
