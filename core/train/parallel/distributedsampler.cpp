#include "train/parallel/distributedsampler.h"

#include "train/data/randomsplit.h"

#include <torch/torch.h>

namespace sweepscope::train {

namespace {

std::int64_t divideUp(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

}  // namespace

DistributedSampler::DistributedSampler(std::int64_t count, int ranks, int rank, Options options)
    : m_count(count),
      m_ranks(ranks),
      m_rank(rank),
      m_options(options),
      m_samples(options.dropLast ? count / ranks : divideUp(count, ranks))
{
    TORCH_CHECK(count >= 0 && ranks >= 1 && rank >= 0 && rank < ranks, "no such rank: ", rank, " of ", ranks);
}

torch::Tensor DistributedSampler::epoch(std::int64_t number) const
{
    torch::Tensor order = m_options.shuffle
                              ? randomPermutation(m_count, m_options.seed + static_cast<std::uint64_t>(number))
                              : torch::arange(m_count, torch::kInt64);
    const std::int64_t total = m_samples * m_ranks;
    if (total > m_count)
        order = order.repeat({divideUp(total, m_count)});
    return order.narrow(0, 0, total).slice(0, m_rank, total, m_ranks).contiguous();
}

}  // namespace sweepscope::train
