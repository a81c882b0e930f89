#include "train/bestweights.h"

#include <doctest/doctest.h>
#include <limits>

using namespace sweepscope::train;

namespace {

std::vector<std::int64_t> steps(const BestWeights &best)
{
    std::vector<std::int64_t> all;
    for (const BestWeights::Kept &one : best.kept())
        all.push_back(one.step);
    return all;
}

}  // namespace

TEST_CASE("bestWeightsAreOrderedByTheirScore")
{
    BestWeights best(3, true);
    CHECK(best.add(1, 0.5));
    CHECK(best.add(2, 0.7));
    CHECK(best.add(3, 0.4));
    CHECK(steps(best) == std::vector<std::int64_t>{3, 1, 2});
    CHECK_FALSE(best.add(4, 0.9));
    CHECK_FALSE(best.contains(4));
    CHECK(best.add(5, 0.45));
    CHECK(steps(best) == std::vector<std::int64_t>{3, 5, 1});
    CHECK_FALSE(best.contains(2));
}

TEST_CASE("largerScoresAreBetterWhereTheMetricSaysSo")
{
    CHECK(isSmallerBetter("val_loss"));
    CHECK(isSmallerBetter("val_mae"));
    for (const char *name : {"val_accuracy", "val_top5_accuracy", "val_f1", "val_auc", "val_r2"})
        CHECK_FALSE(isSmallerBetter(name));
    BestWeights best(1, false);
    CHECK(best.add(1, 0.5));
    CHECK_FALSE(best.add(2, 0.4));
    CHECK_FALSE(best.add(3, 0.5));  // as good as the earlier one
    CHECK(best.add(4, 0.6));
    CHECK(steps(best) == std::vector<std::int64_t>{4});
}

TEST_CASE("whatIsNotANumberIsNeverAmongTheBest")
{
    BestWeights best(2, true);
    CHECK_FALSE(best.add(1, std::numeric_limits<double>::quiet_NaN()));
    CHECK(best.add(2, std::numeric_limits<double>::infinity()));
    CHECK(steps(best) == std::vector<std::int64_t>{2});
}

TEST_CASE("stepThatIsRepeatedAfterAResumeReplacesItself")
{
    BestWeights best(2, true);
    best.add(1, 0.5);
    best.add(2, 0.6);
    CHECK(best.add(2, 0.4));
    CHECK(steps(best) == std::vector<std::int64_t>{2, 1});
}
