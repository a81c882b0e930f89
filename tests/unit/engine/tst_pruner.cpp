#include "engine/pruner.h"

#include <QTest>

#include <limits>

using namespace sweepscope;
using namespace sweepscope::engine;

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
    prune.method = sweep::PruneMethod::Halving;
    prune.factor = factor;
    return prune;
}

Pruner prunerWith(const sweep::PruneSection &prune, sweep::Goal goal, std::initializer_list<double> atStep10)
{
    Pruner pruner(prune, goal);
    int trial = 0;
    for (const double best : atStep10)
        pruner.reached(++trial, 10, best);
    return pruner;
}

/// The trials that are pruned at step 10.
QList<int> pruned(const Pruner &pruner, int trials)
{
    QList<int> list;
    for (int trial = 1; trial <= trials; ++trial) {
        if (pruner.verdict(trial, 10))
            list << trial;
    }
    return list;
}

}  // namespace

class TestPruner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rungsOfTheMedianAreEvenlySpaced()
    {
        const Rungs rungs(median(100, 30, 2));
        QVERIFY(!rungs.upTo(0) && !rungs.upTo(99));
        QCOMPARE(rungs.upTo(100).value(), 100);
        QCOMPARE(rungs.upTo(129).value(), 100);
        QCOMPARE(rungs.upTo(130).value(), 130);
        QCOMPARE(rungs.upTo(1'000'000'000'000).value(), 100 + (1'000'000'000'000 - 100) / 30 * 30);
        QCOMPARE(Rungs(median(100, 0, 2)).upTo(250).value(), 200);
    }

    void rungsOfHalvingGrow()
    {
        const Rungs rungs(halving(10, 3, 2));
        QVERIFY(!rungs.upTo(9));
        QCOMPARE(rungs.upTo(29).value(), 10);
        QCOMPARE(rungs.upTo(30).value(), 30);
        QCOMPARE(rungs.upTo(269).value(), 90);
        QCOMPARE(rungs.upTo(std::numeric_limits<std::int64_t>::max()).has_value(), true);
        QCOMPARE(Rungs(halving(1, 1.5, 2)).upTo(4).value(), 3);  // 1, 2, 3, 5
    }

    void worseThanTheMedianIsPruned()
    {
        const Pruner pruner = prunerWith(median(10, 0, 4), sweep::Goal::Minimize, {0.1, 0.2, 0.3, 0.4, 0.5});
        QCOMPARE(pruned(pruner, 5), (QList<int>{4, 5}));
        QVERIFY(pruner.verdict(5, 10)->code == facts::Code::PrunedByMedian);
        QCOMPARE(pruner.verdict(5, 10)->number(facts::Field::Bound), std::optional(0.3));
        QVERIFY(!pruner.verdict(5, 20));
        QVERIFY(!pruner.verdict(6, 10));
    }

    void goalTurnsTheOrderAround()
    {
        const Pruner pruner = prunerWith(median(10, 0, 2), sweep::Goal::Maximize, {0.1, 0.2, 0.3, 0.4});
        QCOMPARE(pruned(pruner, 4), (QList<int>{1, 2}));
    }

    void onlyTheBestShareOfHalvingGoesOn()
    {
        const Pruner pruner = prunerWith(halving(10, 3, 3), sweep::Goal::Minimize, {0.9, 0.1, 0.8, 0.2, 0.7, 0.3});
        QCOMPARE(pruned(pruner, 6), (QList<int>{1, 3, 5, 6}));
    }

    void tooFewTrialsAndEqualOnesGoOn()
    {
        QVERIFY(pruned(prunerWith(median(10, 0, 4), sweep::Goal::Minimize, {0.1, 0.9, 0.9}), 3).isEmpty());
        QVERIFY(pruned(prunerWith(median(10, 0, 2), sweep::Goal::Minimize, {0.5, 0.5, 0.5}), 3).isEmpty());
        QVERIFY(pruned(prunerWith(halving(10, 3, 2), sweep::Goal::Minimize, {0.5, 0.5, 0.5}), 3).isEmpty());
    }

    void whatAnEarlierAttemptHadCounts()
    {
        Pruner pruner(median(10, 0, 2), sweep::Goal::Minimize);
        QCOMPARE(pruner.reached(1, 10, 0.1), 0.1);
        QCOMPARE(pruner.reached(1, 20, 0.05), 0.05);
        QCOMPARE(pruner.reached(2, 20, 0.2), 0.2);
        QCOMPARE(pruner.reached(1, 20, 0.3), 0.05);         // a further attempt, from a checkpoint
        QCOMPARE(pruner.reached(1, 30, notANumber), 0.05);  // and one that has no value yet
        QCOMPARE(pruner.reached(1, 40, 0.01), 0.01);
        QCOMPARE(pruner.reached(1, 10, 0.2), 0.1);
        QVERIFY(!pruner.verdict(1, 20));
        QVERIFY(pruner.verdict(2, 20));
    }

    void whoHasNoValueIsBehindAllThatHaveOne()
    {
        const Pruner pruner =
            prunerWith(median(10, 0, 2), sweep::Goal::Maximize, {notANumber, 0.1, notANumber, 0.2, 0.3});
        QCOMPARE(pruned(pruner, 5), (QList<int>{1, 3}));
        const Pruner all = prunerWith(median(10, 0, 2), sweep::Goal::Maximize, {notANumber, notANumber});
        QVERIFY(pruned(all, 2).isEmpty());
    }

    void trialFromScratchIsComparedByItsNewAttemptAlone()
    {
        Pruner pruner = prunerWith(median(10, 0, 2), sweep::Goal::Minimize, {1, 2, 3});
        pruner.reached(3, 5, 0.1);
        pruner.forget(3);
        QVERIFY(!pruner.verdict(3, 10));
        QCOMPARE(pruner.reached(3, 10, 9), 9.0);
        QCOMPARE(pruned(pruner, 3), QList<int>{3});
    }
};

QTEST_APPLESS_MAIN(TestPruner)
#include "tst_pruner.moc"
