#include "train/resumerules.h"

#include <doctest/doctest.h>
#include <string>

using namespace sweepscope::train;

namespace {

TrialIdentity trial()
{
    return {.seed = 7,
            .ranks = 2,
            .settings = {{"dataset", "digits"}, {"optimizer", "adam"}, {"batch_size", "20"}, {"lr", "0.1"}},
            .data = "1258 samples"};
}

TrialIdentity with(const std::string &name, const std::string &value)
{
    TrialIdentity other = trial();
    other.settings[name] = value;
    return other;
}

}  // namespace

TEST_CASE("sameTrialContinuesWhereItWas")
{
    const Continuation same = continuationOf(trial(), 13, trial());
    CHECK_FALSE(same.startsOver);
    CHECK(same.differences.empty());
    CHECK(same.batch == 13);
}

TEST_CASE("settingsThatMayChangeDuringTrainingAreNotMentioned")
{
    for (const char *name : {"lr", "epochs", "weight_decay", "dropout", "data_file", "threads"}) {
        const Continuation changed = continuationOf(trial(), 13, with(name, "2"));
        CHECK_FALSE(changed.startsOver);
        CHECK(changed.differences.empty());
        CHECK(changed.batch == 13);
    }
}

TEST_CASE("anotherScoreRanksTheWeightsAnew")
{
    CHECK_FALSE(continuationOf(trial(), 13, with("lr", "2")).ranksWeightsAnew);
    const Continuation changed = continuationOf(trial(), 13, with("best_by", "val_f1"));
    CHECK(changed.ranksWeightsAnew);
    CHECK_FALSE(changed.startsOver);
}

TEST_CASE("otherDataModelsAndOptimizersStartOver")
{
    for (const char *name : {"dataset", "validation_fraction", "train_samples", "split_seed", "model", "hidden"}) {
        const Continuation changed = continuationOf(trial(), 13, with(name, "x"));
        CHECK(changed.startsOver);
    }
    CHECK(continuationOf(trial(), 13, with("optimizer", "sgd")).differences == "optimizer = adam, now sgd");
    TrialIdentity seeded = trial();
    seeded.seed = 8;
    CHECK(continuationOf(trial(), 13, seeded).differences == "seed = 7, now 8");
    TrialIdentity fed = trial();
    fed.data = "1258 others";
    CHECK(continuationOf(trial(), 13, fed).startsOver);
    CHECK(continuationOf(trial(), 13, fed).differences == "the data has changed");
}

TEST_CASE("placeInTheEpochFollowsTheSamples")
{
    // 13 batches of 20 on each of 2 ranks are 520 samples.
    const Continuation larger = continuationOf(trial(), 13, with("batch_size", "30"));
    CHECK_FALSE(larger.startsOver);
    CHECK(larger.differences == "batch_size = 20, now 30");
    CHECK(larger.batch == 8);
    TrialIdentity wider = trial();
    wider.ranks = 5;
    CHECK(continuationOf(trial(), 13, wider).differences == "ranks = 2, now 5");
    CHECK(continuationOf(trial(), 13, wider).batch == 5);
    CHECK(continuationOf(trial(), 0, wider).batch == 0);
}
