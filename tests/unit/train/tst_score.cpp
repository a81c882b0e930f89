#include "train/score.h"

#include "rankthreads.h"

#include <array>
#include <doctest/doctest.h>
#include <torch/torch.h>

using namespace sweepscope::train;

namespace {

/// Of all samples at once, and the same from three ranks that hold very different numbers of them.
std::array<Score, 2> scoresOf(Task task, SampleKind kind, const torch::Tensor &scores, const torch::Tensor &targets)
{
    std::array<Score, 2> results;
    const auto of = [&](ProcessGroup &group, std::int64_t begin, std::int64_t end) {
        ScoreSums sums(task, kind, scores.size(-1));
        for (std::int64_t row = begin; row < end; row += 7) {
            const std::int64_t rows = std::min<std::int64_t>(7, end - row);
            sums.add(torch::full({}, 2.0 * static_cast<double>(rows)), scores.narrow(0, row, rows),
                     targets.narrow(0, row, rows));
        }
        sums.sumOver(group);
        return sums.score();
    };
    requireRanks(1, [&](int, ProcessGroup &group) { results[0] = of(group, 0, scores.size(0)); });
    const std::array<std::int64_t, 4> begins{0, 0, scores.size(0) / 3, scores.size(0)};
    requireRanks(3, [&](int rank, ProcessGroup &group) {
        const auto place = static_cast<std::size_t>(rank);
        const Score mine = of(group, begins[place], begins[place + 1]);
        if (rank == 2)
            results[1] = mine;
    });
    return results;
}

double shareOfRightPairs(const torch::Tensor &scores, const torch::Tensor &targets)
{
    const torch::Tensor logits = scores.select(1, 1) - scores.select(1, 0);
    const torch::Tensor positive = logits.masked_select(targets.eq(1));
    const torch::Tensor negative = logits.masked_select(targets.eq(0));
    const torch::Tensor difference = positive.unsqueeze(1) - negative.unsqueeze(0);
    return (difference.gt(0).sum().item<double>() + difference.eq(0).sum().item<double>() / 2)
           / static_cast<double>(difference.numel());
}

}  // namespace

TEST_CASE("metricsOfClasses")
{
    // 4 samples of class 0, 3 of class 1, 1 of class 2, none of the others; predicted: 0 0 0 1, 1 1 2, 0.
    const torch::Tensor targets = torch::tensor({0, 0, 0, 0, 1, 1, 1, 2}, torch::kInt64);
    const torch::Tensor predicted = torch::tensor({0, 0, 0, 1, 1, 1, 2, 0}, torch::kInt64);
    torch::Tensor scores = torch::arange(7, torch::kFloat32).div(100).repeat({8, 1});
    scores.scatter_(1, predicted.unsqueeze(1), 1.0);
    for (const Score &score : scoresOf(Task::Classification, SampleKind::Features, scores, targets)) {
        CHECK(score.loss == doctest::Approx(2));
        CHECK(score.metrics.at("accuracy") == doctest::Approx(5.0 / 8));
        // Besides the predicted class the last ones are on top: 6, 5, 4 and 3, never the target.
        CHECK(score.metrics.at("top5_accuracy") == doctest::Approx(5.0 / 8));
        const double first = 2 * 3.0 / (4 + 4);
        const double second = 2 * 2.0 / (3 + 3);
        CHECK(score.metrics.at("f1") == doctest::Approx((first + second + 0) / 3));
        CHECK(score.metrics.size() == 3);
    }
}

TEST_CASE("metricsOfTwoClasses")
{
    torch::manual_seed(4);
    const torch::Tensor targets = torch::randint(2, {300}, torch::kInt64);
    torch::Tensor scores = torch::randn({300, 2});
    scores.select(1, 1).add_(targets * 1.5);
    scores.narrow(0, 0, 20).mul_(100);  // as sure as a network may be
    const torch::Tensor predicted = scores.argmax(1);
    const auto hits = (predicted * targets).sum().item<double>();
    for (const Score &score : scoresOf(Task::Classification, SampleKind::Image, scores, targets)) {
        CHECK(score.metrics.at("auc") == doctest::Approx(shareOfRightPairs(scores, targets)).epsilon(1e-3));
        CHECK(score.metrics.at("f1")
              == doctest::Approx(2 * hits / (predicted.sum().item<double>() + targets.sum().item<double>())));
        CHECK_FALSE(score.metrics.contains("top5_accuracy"));
    }
    const Score oneClass =
        scoresOf(Task::Classification, SampleKind::Image, scores, torch::zeros_like(targets)).front();
    CHECK_FALSE(oneClass.metrics.contains("auc"));
}

TEST_CASE("metricsOfNumbers")
{
    torch::manual_seed(5);
    const torch::Tensor targets = torch::randn({200, 2}) * torch::tensor({1.0, 5.0}) + 1000;
    const torch::Tensor scores = targets + torch::randn({200, 2}) * 0.5;
    const torch::Tensor error = (scores - targets).to(torch::kFloat64);
    const torch::Tensor wide = targets.to(torch::kFloat64);
    const torch::Tensor spread = (wide - wide.mean(0)).square().sum(0);
    for (const Score &score : scoresOf(Task::Regression, SampleKind::Features, scores, targets)) {
        CHECK(score.loss == doctest::Approx(1));  // two numbers a sample
        CHECK(score.metrics.at("mae") == doctest::Approx(error.abs().mean().item<double>()));
        CHECK(score.metrics.at("r2")
              == doctest::Approx((1 - error.square().sum(0) / spread).mean().item<double>()).epsilon(1e-6));
        CHECK(score.metrics.size() == 2);
    }
    const Score constant = scoresOf(Task::Regression, SampleKind::Features, scores, torch::ones_like(targets)).front();
    CHECK_FALSE(constant.metrics.contains("r2"));
}

TEST_CASE("textHasNoF1")
{
    const torch::Tensor targets = torch::randint(9, {20, 6}, torch::kInt64);
    const auto scores = scoresOf(Task::Classification, SampleKind::Tokens, torch::randn({20, 6, 9}), targets);
    CHECK(scores[0].metrics.contains("top5_accuracy"));
    CHECK_FALSE(scores[0].metrics.contains("f1"));
    CHECK(scores[0].metrics == scores[1].metrics);
    CHECK(scores[0].loss == doctest::Approx(2.0 / 6));
}
