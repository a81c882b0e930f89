#include "train/data/sampleorder.h"

#include "train/data/randomsplit.h"
#include "train/parallel/distributedsampler.h"

#include <ATen/CPUGeneratorImpl.h>
#include <algorithm>
#include <string>
#include <torch/torch.h>

namespace sweepscope::train {

Partition contiguousPartition(std::int64_t count, int ranks, int rank)
{
    const std::int64_t each = count / ranks;
    const std::int64_t more = count % ranks;
    return {rank * each + std::min<std::int64_t>(rank, more), each + (rank < more ? 1 : 0)};
}

torch::Tensor weightedIndices(const torch::Tensor &weights, std::int64_t draws, std::uint64_t seed)
{
    if (draws == 0)
        return torch::empty({0}, torch::kInt64);
    return torch::multinomial(weights, draws, /*replacement=*/true, at::detail::createCPUGenerator(seed));
}

torch::Tensor balancingWeights(const torch::Tensor &classes)
{
    const torch::Tensor counts = torch::bincount(classes).to(torch::kFloat64);
    return counts.reciprocal().index_select(0, classes);
}

Expected<void> checkSampling(const TrainSettings &settings, const TrialData &data, int ranks)
{
    const std::string few =
        std::to_string(data.sizes.train) + " training samples are too few for " + std::to_string(ranks) + " ranks";
    if (settings.sampling == "contiguous" && data.sizes.train < ranks)
        return makeError(ErrorCode::BadInput, "sampling: contiguous gives each rank its own samples, but " + few
                                                  + "; use fewer ranks, or sampling = shuffle");
    if (settings.dropLast && data.sizes.train < ranks)
        return makeError(ErrorCode::BadInput,
                         "drop_last: " + few
                             + ", so nothing is left to train on; use fewer ranks, or drop_last = false");
    const std::int64_t mine = settings.dropLast ? data.sizes.train / ranks : (data.sizes.train + ranks - 1) / ranks;
    if (settings.dropLastBatch && mine < settings.batchSize)
        return makeError(ErrorCode::BadInput, "drop_last_batch: each rank has " + std::to_string(mine)
                                                  + " training samples, which is less than one batch of "
                                                  + std::to_string(settings.batchSize));
    if (settings.sampling == "weighted" && (data.task != Task::Classification || data.kind == SampleKind::Tokens))
        return makeError(ErrorCode::BadInput,
                         "sampling: weighted needs a classification task with one class per sample");
    return {};
}

std::int64_t batchesPerEpoch(const TrainSettings &settings, std::int64_t samples)
{
    return (samples + (settings.dropLastBatch ? 0 : settings.batchSize - 1)) / settings.batchSize;
}

SampleOrder::SampleOrder(const TrainSettings &settings, std::int64_t count, int ranks, int rank,
                         const torch::Tensor &classes)
    : m_settings(settings), m_count(count), m_ranks(ranks), m_rank(rank)
{
    TORCH_CHECK(settings.sampling != "contiguous" || count >= ranks, "sampling = contiguous: ", count,
                " training samples are too few for ", ranks, " ranks");
    if (settings.sampling == "weighted") {
        TORCH_CHECK(classes.dim() == 1 && !classes.is_floating_point(),
                    "sampling = weighted needs a classification task with one class per sample");
        m_weights = balancingWeights(classes.cpu());
    }
}

std::int64_t SampleOrder::size() const
{
    return m_settings.dropLast ? m_count / m_ranks : (m_count + m_ranks - 1) / m_ranks;
}

torch::Tensor SampleOrder::epoch(std::int64_t number) const
{
    const std::uint64_t seed = m_settings.seed + static_cast<std::uint64_t>(number);
    if (m_settings.sampling == "weighted")
        return weightedIndices(m_weights, size() * m_ranks, seed)
            .slice(0, m_rank, size() * m_ranks, m_ranks)
            .contiguous();
    if (m_settings.sampling == "contiguous") {
        const Partition part = contiguousPartition(m_count, m_ranks, m_rank);
        const torch::Tensor order = randomPermutation(part.size, seed) + part.start;
        return torch::cat({order, order}).narrow(0, 0, size()).contiguous();
    }
    const DistributedSampler sampler(
        m_count, m_ranks, m_rank,
        {.shuffle = m_settings.sampling == "shuffle", .seed = m_settings.seed, .dropLast = m_settings.dropLast});
    return sampler.epoch(number);
}

}  // namespace sweepscope::train
