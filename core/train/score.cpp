#include "train/score.h"

#include "train/data/dataset.h"

#include <algorithm>
#include <cmath>
#include <torch/torch.h>

namespace sweepscope::train {

namespace {

/// Of the first and, if it counts classes, the second kind of task.
enum Sum : std::size_t { LossSum, CorrectSum, Top5Sum, HitSums, PredictedSums, ActualSums, NegativeBins, PositiveBins };
/// Per number to predict, of a regression.
enum NumberSum : std::size_t { AbsoluteSum = 1, SquaredSums, TargetSums, TargetSquares };
constexpr std::size_t sumCount = 8;

/// Of the difference of two scores, its logit: the ROC curve has a point per bin.
constexpr std::int64_t bins = 16'384;
constexpr double widestLogit = 32;
constexpr std::int64_t mostForTop = 5;

torch::Tensor counted(const torch::Tensor &indices, std::int64_t size)
{
    // Not bincount(), which waits for a GPU to learn the largest index.
    return torch::zeros({size}, indices.options().dtype(torch::kFloat64))
        .index_add_(0, indices, torch::ones(indices.sizes(), indices.options().dtype(torch::kFloat64)));
}

/// Of class 1 if there are two, else the mean over the classes that occur, as in scikit-learn.
double f1Of(const torch::Tensor &hits, const torch::Tensor &predicted, const torch::Tensor &actual)
{
    const auto of = [&](std::int64_t index) {
        const auto sum = predicted[index].item<double>() + actual[index].item<double>();
        return sum > 0 ? 2 * hits[index].item<double>() / sum : 0;
    };
    if (hits.numel() == 2)
        return of(1);
    double sum = 0;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < hits.numel(); ++i) {
        if (predicted[i].item<double>() + actual[i].item<double>() > 0) {
            sum += of(i);
            ++count;
        }
    }
    return count > 0 ? sum / static_cast<double>(count) : 0;
}

/// The share of pairs of a negative and a positive sample in which the positive one has the larger score; half of those
/// in one bin.
double aucOf(const torch::Tensor &negatives, const torch::Tensor &positives)
{
    const torch::Tensor below = negatives.cumsum(0) - negatives;
    const auto pairs = (positives * (below + negatives / 2)).sum().item<double>();
    return pairs / (negatives.sum().item<double>() * positives.sum().item<double>());
}

}  // namespace

std::vector<std::string> validationScores(Task task, SampleKind kind, std::int64_t outputs)
{
    if (task == Task::Regression)
        return {"val_loss", "val_mae", "val_r2"};
    std::vector<std::string> names{"val_loss", "val_accuracy"};
    if (outputs > mostForTop)
        names.emplace_back("val_top5_accuracy");
    if (kind != SampleKind::Tokens)
        names.emplace_back("val_f1");
    if (kind != SampleKind::Tokens && outputs == 2)
        names.emplace_back("val_auc");
    return names;
}

Expected<void> checkBestBy(const TrainSettings &settings, const TrialData &data)
{
    const std::vector<std::string> names = validationScores(data.task, data.kind, data.outputs);
    if (std::ranges::find(names, settings.bestBy) != names.end())
        return {};
    std::string known;
    for (const std::string &name : names)
        known += (known.empty() ? "" : ", ") + name;
    return makeError(ErrorCode::BadInput,
                     "best_by: " + settings.bestBy + " does not exist for this data; available: " + known);
}

ScoreSums::ScoreSums(Task task, SampleKind kind, std::int64_t outputs)
    : m_task(task),
      m_outputs(outputs),
      m_countsClasses(task == Task::Classification && kind != SampleKind::Tokens),
      m_sums(sumCount)
{}

void ScoreSums::add(const torch::Tensor &loss, const torch::Tensor &scores, const torch::Tensor &targets)
{
    std::vector<torch::Tensor> parts(sumCount);
    parts[LossSum] = loss.to(torch::kFloat64).reshape({1});
    if (m_task == Task::Classification)
        countClasses(parts, scores.reshape({-1, scores.size(-1)}), targets.reshape({-1}));
    else
        sumNumbers(parts, scores.reshape({targets.size(0), -1}).to(torch::kFloat64),
                   targets.reshape({targets.size(0), -1}).to(torch::kFloat64));
    // All at once: a batch that does not fit into memory leaves no traces.
    m_targets += targets.numel();
    for (std::size_t i = 0; i < sumCount; ++i) {
        if (parts[i].defined())
            m_sums[i] = m_sums[i].defined() ? m_sums[i] + parts[i] : parts[i].to(torch::kFloat64);
    }
}

void ScoreSums::countClasses(std::vector<torch::Tensor> &parts, const torch::Tensor &scores,
                             const torch::Tensor &targets) const
{
    const torch::Tensor best = scores.argmax(-1);
    const torch::Tensor isRight = best.eq(targets);
    parts[CorrectSum] = isRight.sum().reshape({1});
    if (m_outputs > mostForTop)
        parts[Top5Sum] = std::get<1>(scores.topk(mostForTop)).eq(targets.unsqueeze(1)).sum().reshape({1});
    if (!m_countsClasses)
        return;
    parts[HitSums] = torch::zeros({m_outputs}, scores.options().dtype(torch::kFloat64))
                         .index_add_(0, targets, isRight.to(torch::kFloat64));
    parts[PredictedSums] = counted(best, m_outputs);
    parts[ActualSums] = counted(targets, m_outputs);
    if (m_outputs != 2)
        return;
    const torch::Tensor logits = (scores.select(1, 1) - scores.select(1, 0)).nan_to_num(0).to(torch::kFloat64);
    const torch::Tensor places = ((logits + widestLogit) * (bins / (2 * widestLogit))).floor().clamp(0, bins - 1);
    const torch::Tensor both = counted(places.to(torch::kInt64) + targets * bins, 2 * bins);
    parts[NegativeBins] = both.narrow(0, 0, bins);
    parts[PositiveBins] = both.narrow(0, bins, bins);
}

void ScoreSums::sumNumbers(std::vector<torch::Tensor> &parts, const torch::Tensor &scores, const torch::Tensor &targets)
{
    const torch::Tensor error = scores - targets;
    parts[AbsoluteSum] = error.abs().sum().reshape({1});
    parts[SquaredSums] = error.square().sum(0);
    parts[TargetSums] = targets.sum(0);
    parts[TargetSquares] = targets.square().sum(0);
}

void ScoreSums::sumOver(ProcessGroup &group)
{
    // A rank without samples has no sums yet, so all ranks say how long theirs are.
    torch::Tensor lengths = torch::zeros({static_cast<std::int64_t>(sumCount) + 1}, torch::kInt64);
    for (std::size_t i = 0; i < sumCount; ++i)
        lengths[static_cast<std::int64_t>(i)] = m_sums[i].defined() ? m_sums[i].numel() : 0;
    std::int64_t targets = 0;
    lengths[static_cast<std::int64_t>(sumCount)] = m_targets;
    for (const torch::Tensor &ofRank : group.gather(lengths)) {
        lengths = torch::maximum(lengths, ofRank);
        targets += ofRank[static_cast<std::int64_t>(sumCount)].item<std::int64_t>();
    }
    m_targets = targets;
    std::vector<torch::Tensor> parts;
    for (std::size_t i = 0; i < sumCount; ++i) {
        const auto length = lengths[static_cast<std::int64_t>(i)].item<std::int64_t>();
        parts.push_back(m_sums[i].defined() ? m_sums[i].cpu() : torch::zeros({length}, torch::kFloat64));
    }
    torch::Tensor all = torch::cat(parts);
    group.sum(all);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < sumCount; ++i) {
        m_sums[i] = all.narrow(0, start, parts[i].numel());
        start += parts[i].numel();
    }
}

Score ScoreSums::score() const
{
    Score score{.loss = m_sums[LossSum].item<double>() / static_cast<double>(m_targets)};
    if (m_task == Task::Classification)
        addClassMetrics(score);
    else
        addNumberMetrics(score);
    return score;
}

void ScoreSums::addClassMetrics(Score &score) const
{
    const auto targets = static_cast<double>(m_targets);
    score.metrics["accuracy"] = m_sums[CorrectSum].item<double>() / targets;
    if (m_outputs > mostForTop)
        score.metrics["top5_accuracy"] = m_sums[Top5Sum].item<double>() / targets;
    if (!m_countsClasses)
        return;
    score.metrics["f1"] = f1Of(m_sums[HitSums], m_sums[PredictedSums], m_sums[ActualSums]);
    const bool hasBoth = m_outputs == 2 && m_sums[ActualSums].min().item<double>() > 0;
    if (hasBoth)
        score.metrics["auc"] = aucOf(m_sums[NegativeBins], m_sums[PositiveBins]);
}

void ScoreSums::addNumberMetrics(Score &score) const
{
    score.metrics["mae"] = m_sums[AbsoluteSum].item<double>() / static_cast<double>(m_targets);
    const auto rows = static_cast<double>(m_targets) / static_cast<double>(m_outputs);
    const torch::Tensor spread = m_sums[TargetSquares] - m_sums[TargetSums].square() / rows;
    if (spread.min().item<double>() > 0)
        score.metrics["r2"] = (1 - m_sums[SquaredSums] / spread).mean().item<double>();
}

}  // namespace sweepscope::train
