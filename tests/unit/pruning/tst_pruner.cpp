#include "pruning/hyperband.h"
#include "pruning/prunelog.h"
#include "pruning/signedrank.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::pruning;
using sweep::Goal;
using sweep::PruneMethod;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

sweep::PruneSection median(std::int64_t first, std::int64_t every, int minTrials)
{
    sweep::PruneSection prune;
    prune.firstStep = first;
    prune.every = every;
    prune.minTrials = minTrials;
    return prune;
}

sweep::PruneSection halving(std::int64_t first, double factor, int minTrials)
{
    sweep::PruneSection prune = median(first, 0, minTrials);
    prune.method = PruneMethod::Halving;
    prune.factor = factor;
    return prune;
}

sweep::PruneSection hyperband(std::int64_t first, std::int64_t last, double factor)
{
    sweep::PruneSection prune = halving(first, factor, 2);
    prune.method = PruneMethod::Hyperband;
    prune.maxStep = last;
    return prune;
}

Pruner prunerWith(const sweep::PruneSection &prune, Goal goal, std::initializer_list<double> atStep10)
{
    Pruner pruner(prune, goal, 1);
    int trial = 0;
    for (const double best : atStep10)
        (void)pruner.reached(++trial, {10, best, best});
    return pruner;
}

/// Returns the trials that are pruned at step 10.
std::vector<int> pruned(const Pruner &pruner, int trials)
{
    std::vector<int> list;
    for (int trial = 1; trial <= trials; ++trial) {
        if (pruner.verdict(trial, 10).reason)
            list.push_back(trial);
    }
    return list;
}

facts::Code codeOf(const Verdict &verdict)
{
    return verdict.reason ? verdict.reason->code : facts::Code::None;
}

}  // namespace

TEST_CASE("a trial that is ahead can be judged at the last rung where enough others have been")
{
    Pruner pruner(median(10, 10, 3), Goal::Minimize, 1);
    (void)pruner.reached(1, {10, 9, 9});
    (void)pruner.reached(1, {20, 8, 8});
    (void)pruner.reached(1, {30, 7, 7});
    CHECK_FALSE(pruner.verdictBefore(1, 30));
    for (const int trial : {2, 3}) {
        (void)pruner.reached(trial, {10, 10, 10});
        (void)pruner.reached(trial, {20, 1, 1});
    }
    CHECK_FALSE(pruner.verdict(1, 30).reason);
    const auto before = pruner.verdictBefore(1, 30);
    REQUIRE(before);
    CHECK(before->first.rung == 20);
    CHECK(before->first.best == 8);
    CHECK(before->second.reason);
    CHECK(before->second.peers == 3);
    CHECK_FALSE(pruner.verdictBefore(1, 20)->second.reason);
    CHECK_FALSE(pruner.verdictBefore(1, 10));
    CHECK_FALSE(pruner.verdictBefore(4, 10));
}

TEST_CASE("rungs of the median are evenly spaced")
{
    const Rungs rungs(median(100, 30, 2));
    CHECK_FALSE(rungs.upTo(0));
    CHECK_FALSE(rungs.upTo(99));
    CHECK(rungs.upTo(100) == 100);
    CHECK(rungs.upTo(129) == 100);
    CHECK(rungs.upTo(130) == 130);
    CHECK(rungs.upTo(1'000'000'000'000) == 100 + (1'000'000'000'000 - 100) / 30 * 30);
    CHECK(Rungs(median(100, 0, 2)).upTo(250) == 200);
    CHECK(Rungs(median(0, 0, 2)).upTo(7) == 7);
}

TEST_CASE("rungs of halving grow")
{
    const Rungs rungs(halving(10, 3, 2));
    CHECK_FALSE(rungs.upTo(9));
    CHECK(rungs.upTo(29) == 10);
    CHECK(rungs.upTo(30) == 30);
    CHECK(rungs.upTo(269) == 90);
    CHECK(rungs.upTo(std::numeric_limits<std::int64_t>::max()).has_value());
    CHECK(Rungs(halving(1, 1.5, 2)).upTo(4) == 3);  // 1, 2, 3, 5
}

TEST_CASE("a trial worse than the median is pruned, with the limit and the number of its peers")
{
    const Pruner pruner = prunerWith(median(10, 0, 4), Goal::Minimize, {0.1, 0.2, 0.3, 0.4, 0.5});
    CHECK(pruned(pruner, 5) == std::vector<int>{4, 5});
    const Verdict verdict = pruner.verdict(5, 10);
    CHECK(codeOf(verdict) == facts::Code::PrunedByMedian);
    CHECK(verdict.bound == 0.3);
    CHECK(verdict.peers == 5);
    CHECK(verdict.reason->number(facts::Field::Bound) == 0.3);
    CHECK_FALSE(pruner.verdict(5, 20).reason);
    CHECK_FALSE(pruner.verdict(6, 10).reason);
}

TEST_CASE("the goal reverses the order")
{
    CHECK(pruned(prunerWith(median(10, 0, 2), Goal::Maximize, {0.1, 0.2, 0.3, 0.4}), 4) == std::vector<int>{1, 2});
}

TEST_CASE("only the best share of halving and of a percentile continues")
{
    const std::initializer_list<double> values = {0.9, 0.1, 0.8, 0.2, 0.7, 0.3};
    CHECK(pruned(prunerWith(halving(10, 3, 3), Goal::Minimize, values), 6) == std::vector<int>{1, 3, 5, 6});
    sweep::PruneSection percentile = median(10, 0, 3);
    percentile.method = PruneMethod::Percentile;
    percentile.percentile = 20;
    CHECK(pruned(prunerWith(percentile, Goal::Minimize, values), 6) == std::vector<int>{1, 3, 5, 6});
    percentile.percentile = 75;
    CHECK(pruned(prunerWith(percentile, Goal::Minimize, values), 6) == std::vector<int>{1});
}

TEST_CASE("trials continue while there are too few, and equal ones together")
{
    CHECK(pruned(prunerWith(median(10, 0, 4), Goal::Minimize, {0.1, 0.9, 0.9}), 3).empty());
    CHECK(pruned(prunerWith(median(10, 0, 2), Goal::Minimize, {0.5, 0.5, 0.5}), 3).empty());
    CHECK(pruned(prunerWith(halving(10, 3, 2), Goal::Minimize, {0.5, 0.5, 0.5}), 3).empty());
}

TEST_CASE("values of an earlier attempt count")
{
    Pruner pruner(median(10, 0, 2), Goal::Minimize, 1);
    CHECK(pruner.reached(1, {10, 0.1, 0.1}).best == 0.1);
    CHECK(pruner.reached(1, {20, 0.05, 0.06}).best == 0.05);
    CHECK(pruner.reached(2, {20, 0.2, 0.2}).best == 0.2);
    CHECK(pruner.knows(1, {20, 0.3, 0.06}));
    CHECK_FALSE(pruner.knows(1, {20, 0.3, 0.3}));
    CHECK(pruner.reached(1, {20, 0.3, 0.3}).best == 0.05);                // another attempt, from a checkpoint
    CHECK(pruner.reached(1, {30, notANumber, notANumber}).best == 0.05);  // without a value so far
    CHECK(pruner.reached(1, {40, 0.01, 0.01}).best == 0.01);
    CHECK(pruner.reached(1, {10, 0.2, 0.2}).best == 0.1);
    CHECK_FALSE(pruner.verdict(1, 20).reason);
    CHECK(pruner.verdict(2, 20).reason);
}

TEST_CASE("the last value counts where the sweep says so")
{
    sweep::PruneSection prune = median(10, 0, 2);
    const auto verdict = [&] {
        Pruner pruner(prune, Goal::Minimize, 1);
        (void)pruner.reached(1, {10, 0.1, 0.9});
        (void)pruner.reached(2, {10, 0.2, 0.2});
        return pruned(pruner, 2);
    };
    CHECK(verdict() == std::vector<int>{2});
    prune.value = sweep::PruneValue::Last;
    CHECK(verdict() == std::vector<int>{1});
}

TEST_CASE("a trial without a value is behind all that have one")
{
    CHECK(pruned(prunerWith(median(10, 0, 2), Goal::Maximize, {notANumber, 0.1, notANumber, 0.2, 0.3}), 5)
          == std::vector<int>{1, 3});
    CHECK(pruned(prunerWith(median(10, 0, 2), Goal::Maximize, {notANumber, notANumber}), 2).empty());
}

TEST_CASE("a trial from scratch is compared only by its new attempt")
{
    Pruner pruner = prunerWith(median(10, 0, 2), Goal::Minimize, {1, 2, 3});
    (void)pruner.reached(3, {5, 0.1, 0.1});
    pruner.startedOver(3);
    CHECK_FALSE(pruner.verdict(3, 10).reason);
    CHECK(pruner.reached(3, {10, 9, 9}).best == 9);
    CHECK(pruned(pruner, 3) == std::vector<int>{3});
}

TEST_CASE("only completed trials count where the sweep says so")
{
    sweep::PruneSection prune = median(10, 0, 2);
    prune.compare = sweep::PrunePeers::Completed;
    Pruner pruner = prunerWith(prune, Goal::Minimize, {0.5, 0.6, 0.1, 0.55, 0.9});
    CHECK(pruned(pruner, 5).empty());
    pruner.completed(1, 0.5);
    pruner.completed(2, 0.6);
    CHECK(pruner.verdict(5, 10).peers == 2);
    CHECK(pruned(pruner, 5) == std::vector<int>{4, 5});
    pruner.startedOver(2);
    CHECK(pruned(pruner, 5).empty());
}

TEST_CASE("patience ends trials that no longer improve, and spares those that do")
{
    sweep::PruneSection prune = median(1, 1, 2);
    prune.method = PruneMethod::Patience;
    prune.patience = 2;
    const auto verdictOf = [&](std::initializer_list<double> values) {
        Pruner pruner(prune, Goal::Minimize, 1);
        std::int64_t step = 0;
        double best = notANumber;
        for (const double value : values) {
            best = std::isnan(best) ? value : std::min(best, value);
            (void)pruner.reached(1, {++step, best, value});
        }
        return pruner.verdict(1, step);
    };
    CHECK_FALSE(verdictOf({0.5, 0.6, 0.6}).reason);
    CHECK(codeOf(verdictOf({0.5, 0.6, 0.6, 0.5})) == facts::Code::PrunedByPatience);
    CHECK_FALSE(verdictOf({0.5, 0.6, 0.6, 0.49}).reason);
    CHECK(codeOf(verdictOf({0.5, notANumber, notANumber, notANumber})) == facts::Code::PrunedByPatience);
    prune.minDelta = 0.05;
    CHECK(verdictOf({0.5, 0.6, 0.6, 0.49}).reason);
    CHECK_FALSE(verdictOf({0.5, 0.6, 0.6, 0.44}).reason);

    prune = median(1, 1, 2);
    prune.patience = 1;
    Pruner pruner(prune, Goal::Minimize, 1);
    for (std::int64_t step = 1; step <= 3; ++step) {
        (void)pruner.reached(1, {step, 0.1, 0.1});
        const double value = 1 - 0.1 * static_cast<double>(step);
        (void)pruner.reached(2, {step, value, value});  // far behind, but it improves
        (void)pruner.reached(3, {step, 0.8, 0.8});
    }
    CHECK_FALSE(pruner.verdict(2, 3).reason);
    CHECK(codeOf(pruner.verdict(3, 3)) == facts::Code::PrunedByMedian);
}

TEST_CASE("a value out of bounds ends a trial at once, with any method")
{
    sweep::PruneSection prune = median(10, 0, 5);
    prune.above = 2;
    prune.below = -1;
    const Pruner pruner = prunerWith(prune, Goal::Minimize, {3, 1, -2, notANumber});
    CHECK(pruned(pruner, 4) == std::vector<int>{1, 3, 4});
    CHECK(pruner.verdict(1, 10).reason->number(facts::Field::Bound) == 2);
    CHECK(pruner.verdict(3, 10).reason->number(facts::Field::Bound) == -1);
    CHECK_FALSE(pruner.verdict(4, 10).reason->number(facts::Field::Value));
}

TEST_CASE("brackets of Hyperband have its shares, and compare each trial from their own first rung on")
{
    const sweep::PruneSection prune = hyperband(1, 81, 3);
    CHECK(bracketsOf(prune) == 5);
    std::vector<int> counts(5);
    for (int trial = 1; trial <= 143; ++trial)
        ++counts[static_cast<std::size_t>(bracketOf(prune, 7, trial))];
    const std::vector<int> shares{81, 34, 15, 8, 5};  // Li et al. 2018, table 1
    for (std::size_t i = 0; i < 5; ++i)
        CHECK(std::abs(counts[i] - shares[i]) <= 1);
    CHECK(firstRungOf(prune, 0) == 1);
    CHECK(firstRungOf(prune, 4) == 81);

    Pruner pruner(prune, Goal::Minimize, 7);
    for (int trial = 1; trial <= 100; ++trial)
        (void)pruner.reached(trial, {1, static_cast<double>(trial), static_cast<double>(trial)});
    int prunedOnes = 0;
    for (int trial = 1; trial <= 100; ++trial) {
        const Verdict verdict = pruner.verdict(trial, 1);
        CHECK((bracketOf(prune, 7, trial) == 0 || !verdict.reason));
        prunedOnes += verdict.reason ? 1 : 0;
        if (verdict.reason)
            CHECK(verdict.reason->integer(facts::Field::Bracket) == 1);
    }
    CHECK(prunedOnes > 30);
    for (int trial = 1; trial <= 100; ++trial)
        (void)pruner.reached(trial, {81, static_cast<double>(trial), static_cast<double>(trial)});
    for (int trial = 1; trial <= 100; ++trial)
        CHECK_FALSE(pruner.verdict(trial, 81).reason);  // whole trainings
    CHECK(bracketsOf(hyperband(100, 100, 3)) == 1);
}

TEST_CASE("a trial that is worse at nearly every step of the best is pruned before the end")
{
    sweep::PruneSection prune;
    prune.method = PruneMethod::Wilcoxon;
    Pruner pruner(prune, Goal::Maximize, 1);
    for (std::int64_t step = 1; step <= 10; ++step) {
        const double value = 0.7 + 0.01 * static_cast<double>(step % 3);
        (void)pruner.reached(1, {step, value, value});
    }
    (void)pruner.reached(2, {1, 0.5, 0.5});
    (void)pruner.reached(2, {2, 0.51, 0.51});
    (void)pruner.reached(2, {3, 0.52, 0.52});
    CHECK_FALSE(pruner.verdict(2, 3).reason);  // nothing has completed
    pruner.completed(1, 0.71);
    CHECK_FALSE(pruner.verdict(2, 3).reason);  // 1/8 is no proof
    (void)pruner.reached(2, {4, 0.53, 0.53});
    const Verdict verdict = pruner.verdict(2, 4);
    CHECK(codeOf(verdict) == facts::Code::PrunedByWilcoxon);
    CHECK(verdict.bound == doctest::Approx(1.0 / 16));
    CHECK(verdict.reason->integer(facts::Field::Trial) == 1);
    CHECK_FALSE(pruner.verdict(1, 10).reason);
}

TEST_CASE("a log makes every verdict again")
{
    const sweep::PruneSection prune = halving(10, 2, 2);
    Pruner pruner(prune, Goal::Minimize, 1);
    std::vector<LogEntry> log;
    for (int trial = 1; trial <= 40; ++trial) {
        for (const std::int64_t rung : {10, 20, 40}) {
            const RungValue value = pruner.reached(trial, {rung, std::fmod(0.37 * trial, 1.0), 0});
            const Verdict verdict = pruner.verdict(trial, rung);
            log.push_back(reachedEntry(trial, value, verdict));
            if (verdict.reason)
                break;
        }
    }
    Pruner again(prune, Goal::Minimize, 1);
    for (LogEntry &entry : log) {
        enter(entry, again);
        CHECK(isAsLogged(again.verdict(entry.trial, entry.value.rung), entry));
        entry.bound = entry.bound.value_or(0) + 1e-9;
        CHECK_FALSE(isAsLogged(again.verdict(entry.trial, entry.value.rung), entry));
    }
}

TEST_CASE("signed ranks: nothing, zeros and one sign")
{
    CHECK(signedRankProbability({}) == 1);
    CHECK(signedRankProbability(std::vector<double>{0, 0, 0}) == 1);
    CHECK(signedRankProbability(std::vector<double>{1, 2, 3}) == 0.125);
    CHECK(signedRankProbability(std::vector<double>{-1, -2, -3}) == 1);
}
