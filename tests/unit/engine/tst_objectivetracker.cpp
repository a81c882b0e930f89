#include "testprogram.h"

#include "engine/numberranges.h"
#include "engine/objectivetracker.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>
#include <set>

using namespace sweepscope;
using namespace sweepscope::engine;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

ObjectiveTracker trackerWith(sweep::Goal goal, std::initializer_list<double> values)
{
    ObjectiveTracker tracker("val_loss", goal);
    tracker.series({0, "loss", ""});
    tracker.series({1, "val_loss", ""});
    std::int64_t step = 0;
    for (const double value : values)
        tracker.point({1, ++step, 0, value});
    return tracker;
}

}  // namespace

ReportedPast pastUpTo(std::int64_t step, double best)
{
    ReportedPast past;
    past.firstStep = 1;
    past.objectiveReached = step;
    past.last = sweep::ObjectiveValue{best + 1, step};
    past.best = sweep::ObjectiveValue{best, step - 1};
    past.metrics = {{"loss", 5, step, 2, 9}};
    past.step = step;
    past.progress = 0.5;
    return past;
}

ObjectiveTracker trackerAfter(ReportedPast past, std::optional<pruning::Rungs> rungs = std::nullopt)
{
    ObjectiveTracker tracker("val_loss", sweep::Goal::Minimize, std::move(rungs), std::move(past));
    tracker.series({0, "val_loss", ""});
    tracker.series({1, "loss", ""});
    tracker.series({2, "total_steps", ""});
    return tracker;
}

pruning::Rungs everyTenSteps()
{
    sweep::PruneSection prune;
    prune.firstStep = 10;
    return pruning::Rungs(prune);
}

QList<std::pair<qint64, double>> rungsOf(ObjectiveTracker &tracker)
{
    QList<std::pair<qint64, double>> list;
    for (const pruning::RungValue &value : tracker.takeReached())
        list.emplaceBack(value.rung, value.best);
    return list;
}

class TestObjectiveTracker : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutPointsThereIsNoObjective()
    {
        const ObjectiveTracker tracker = trackerWith(sweep::Goal::Minimize, {});
        QVERIFY(!tracker.last() && !tracker.best());
        QCOMPARE(tracker.progress(), 0.0);
    }

    void lastIsTheNewestAndBestFollowsTheGoal()
    {
        const ObjectiveTracker low = trackerWith(sweep::Goal::Minimize, {3, 1, 2});
        QCOMPARE(low.last()->value, 2.0);
        QCOMPARE(low.last()->step, 3);
        QCOMPARE(low.best()->value, 1.0);
        QCOMPARE(low.best()->step, 2);
        QCOMPARE(trackerWith(sweep::Goal::Maximize, {3, 1, 2}).best()->value, 3.0);
    }

    void nonFiniteValueIsNeverBestButCanBeLast()
    {
        const ObjectiveTracker tracker = trackerWith(sweep::Goal::Minimize, {notANumber, 5, notANumber});
        QVERIFY(std::isnan(tracker.last()->value));
        QCOMPARE(tracker.best()->value, 5.0);
        QVERIFY(!trackerWith(sweep::Goal::Maximize, {notANumber}).best());
        constexpr double infinite = std::numeric_limits<double>::infinity();
        QVERIFY(!trackerWith(sweep::Goal::Maximize, {infinite}).best());
        QCOMPARE(trackerWith(sweep::Goal::Minimize, {-infinite, 5, -infinite}).best()->value, 5.0);
    }

    void otherSeriesOnlyAdvanceTheStep()
    {
        ObjectiveTracker tracker("val_loss", sweep::Goal::Minimize);
        tracker.series({7, "loss", ""});
        tracker.point({7, 12, 0, 0.5});
        QVERIFY(!tracker.last());
        QCOMPARE(tracker.step(), 12);
    }

    void seriesDeclaredAgainGetsItsNewName()
    {
        ObjectiveTracker tracker("val_loss", sweep::Goal::Minimize);
        tracker.series({0, "val_loss", ""});
        tracker.series({1, "total_steps", ""});
        tracker.series({2, "loss", ""});
        tracker.point({0, 1, 0, 5});
        tracker.point({1, 1, 0, 10});
        tracker.point({2, 1, 0, 3});
        tracker.series({0, "accuracy", ""});
        tracker.series({1, "lr", ""});
        tracker.series({2, "weights_hash", ""});
        tracker.point({0, 2, 0, 0.5});
        tracker.point({1, 2, 0, 1000});
        tracker.point({2, 2, 0, 77});
        QCOMPARE(tracker.last()->value, 5.0);
        QCOMPARE(tracker.best()->value, 5.0);
        QCOMPARE(tracker.progress(), 0.2);
        QCOMPARE(tracker.metrics().size(), 3U);
        QCOMPARE(tracker.metrics()[0].last, 3.0);
        QCOMPARE(tracker.metrics()[1].name, std::string("accuracy"));
        QCOMPARE(tracker.metrics()[1].last, 0.5);
        QCOMPARE(tracker.metrics()[2].name, std::string("lr"));
    }

    void otherMetricsKeepTheirLastValueAndTheirRange()
    {
        ObjectiveTracker tracker("val_loss", sweep::Goal::Minimize);
        for (const auto &[id, name] : {std::pair(0, "total_steps"),
                                       {1, "loss"},
                                       {2, "val_loss"},
                                       {3, "weights_hash"},
                                       {4, "never"},
                                       {5, "accuracy"}})
            tracker.series({static_cast<std::uint16_t>(id), name, ""});
        tracker.point({0, 0, 0, 10});
        tracker.point({5, 1, 0, notANumber});
        tracker.point({1, 1, 0, 4});
        tracker.point({1, 2, 0, 1});
        tracker.point({1, 3, 0, notANumber});
        tracker.point({1, 4, 0, 2});
        tracker.point({2, 4, 0, 3});
        tracker.point({3, 4, 0, 77});
        const std::vector<sweep::MetricValue> &metrics = tracker.metrics();
        QCOMPARE(metrics.size(), 2U);  // in the order of their first points, without internal series
        QCOMPARE(metrics[0].name, std::string("accuracy"));
        QVERIFY(std::isnan(metrics[0].last) && std::isnan(metrics[0].lowest) && std::isnan(metrics[0].highest));
        QVERIFY(sweep::isSame(metrics[1], {"loss", 2, 4, 1, 4}));
    }

    void pastIsKeptUntilTheFirstReport()
    {
        ObjectiveTracker tracker = trackerAfter(pastUpTo(40, 3));
        tracker.point({2, 0, 0, 100});
        QVERIFY(!tracker.startedAnew());
        QCOMPARE(tracker.best()->value, 3.0);
        QCOMPARE(tracker.step(), 40);
        QCOMPARE(trackerAfter(pastUpTo(40, 3)).progress(), 0.5);
    }

    void continuedAttemptAddsToThePast()
    {
        ObjectiveTracker tracker = trackerAfter(pastUpTo(40, 3));
        tracker.point({1, 36, 0, 12});
        tracker.point({0, 36, 0, 7});
        QVERIFY(!tracker.startedAnew());
        QCOMPARE(tracker.firstStep().value(), 1);
        QCOMPARE(tracker.objectiveReached().value(), 40);  // beyond the last step of this attempt
        QCOMPARE(tracker.best()->value, 3.0);
        QCOMPARE(tracker.best()->step, 39);
        QCOMPARE(tracker.last()->value, 7.0);
        QCOMPARE(tracker.step(), 36);
        QVERIFY(sweep::isSame(tracker.metrics().at(0), {"loss", 12, 36, 2, 12}));
        tracker.point({0, 41, 0, 1});
        QCOMPARE(tracker.best()->value, 1.0);
        QCOMPARE(tracker.objectiveReached().value(), 41);
    }

    void attemptFromScratchHasNoPast()
    {
        ObjectiveTracker tracker = trackerAfter(pastUpTo(40, 3));
        tracker.point({1, 1, 0, 12});
        QVERIFY(tracker.startedAnew());
        QVERIFY(!tracker.best() && !tracker.last() && !tracker.objectiveReached());
        QCOMPARE(tracker.step(), 1);
        QCOMPARE(tracker.progress(), 0.0);
        QVERIFY(sweep::isSame(tracker.metrics().at(0), {"loss", 12, 1, 12, 12}));
        QVERIFY(trackerAfter({}).firstStep() == std::nullopt);
    }

    void repeatedReportsChangeNothing()
    {
        // A new engine reads the attempt again, on top of the state that the previous engine stored.
        const auto read = [](const ReportedPast &past) {
            ObjectiveTracker tracker = trackerAfter(past);
            for (std::int64_t step = 31; step <= 50; ++step) {
                tracker.point({0, step, 0, static_cast<double>((step * 7) % 11)});
                tracker.point({1, step, 0, static_cast<double>((step * 5) % 13)});
            }
            return tracker;
        };
        const ObjectiveTracker once = read(pastUpTo(40, 3));
        ReportedPast stored{
            once.firstStep(), once.objectiveReached(), once.last(), once.best(), once.metrics(), once.step(), 0.9};
        const ObjectiveTracker twice = read(stored);
        QCOMPARE(twice.best()->value, once.best()->value);
        QCOMPARE(twice.best()->step, once.best()->step);
        QCOMPARE(twice.last()->step, once.last()->step);
        QVERIFY(sweep::isSame(twice.metrics(), once.metrics()));
        QCOMPARE(twice.firstStep(), once.firstStep());
        QCOMPARE(twice.objectiveReached(), once.objectiveReached());
    }

    void rungsBeforeAContinuedAttemptAreNotReachedAgain()
    {
        ObjectiveTracker tracker = trackerAfter(pastUpTo(25, 3), everyTenSteps());
        tracker.point({0, 26, 0, 0.5});
        QVERIFY(rungsOf(tracker).isEmpty());
        tracker.point({0, 30, 0, 8});
        QCOMPARE(rungsOf(tracker), (QList<std::pair<qint64, double>>{{30, 0.5}}));
    }

    void newRungCountsThePastAndARungPassedTwiceThisAttempt()
    {
        ObjectiveTracker tracker = trackerAfter(pastUpTo(25, 3), everyTenSteps());
        for (const std::int64_t step : {15, 20, 30})
            tracker.point({0, step, 0, 8});
        // At step 20 the earlier best may come from a later step, and the pruner already has the value for that rung.
        QCOMPARE(rungsOf(tracker), (QList<std::pair<qint64, double>>{{20, 8}, {30, 3}}));
    }

    void rungThatThePastDidNotReachIsReachedByTheNextReport()
    {
        ObjectiveTracker tracker = trackerAfter(pastUpTo(19, 3), everyTenSteps());
        tracker.point({0, 21, 0, 8});
        QCOMPARE(rungsOf(tracker), (QList<std::pair<qint64, double>>{{20, 3}}));
    }

    void trialThatContinuesAnotherReachesARungAfterItsOwnSteps()
    {
        const auto rungsFrom = [](std::int64_t first) {
            ReportedPast past;
            past.isOfAnother = true;
            ObjectiveTracker tracker = trackerAfter(past, everyTenSteps());
            for (std::int64_t step = first; step <= 45; ++step)
                tracker.point({0, step, 0, 100.0 - static_cast<double>(step)});
            return rungsOf(tracker);
        };
        QCOMPARE(rungsFrom(21), (QList<std::pair<qint64, double>>{{30, 70}, {40, 60}}));
        QCOMPARE(rungsFrom(22), (QList<std::pair<qint64, double>>{{40, 60}}));
        QCOMPARE(rungsFrom(1), (QList<std::pair<qint64, double>>{{10, 90}, {20, 80}, {30, 70}, {40, 60}}));
    }

    void numberOfInventedMetricsIsLimited()
    {
        ObjectiveTracker tracker("val_loss", sweep::Goal::Minimize);
        for (std::uint16_t id = 0; id < 500; ++id) {
            tracker.series({id, "made up " + std::to_string(id), ""});
            tracker.point({id, 1, 0, 1});
        }
        tracker.series({500, "made up 3", ""});  // a restarted rank
        tracker.point({500, 2, 0, 5});
        QCOMPARE(tracker.metrics().size(), sweep::mostMetrics);
        QCOMPARE(tracker.metrics()[3].last, 5.0);
        QCOMPARE(tracker.metrics()[3].highest, 5.0);
        QCOMPARE(tracker.step(), 2);
    }

    void progressIsTheShareOfTotalSteps()
    {
        ObjectiveTracker tracker("loss", sweep::Goal::Minimize);
        tracker.series({0, "loss", ""});
        tracker.series({1, "total_steps", ""});
        tracker.point({1, 0, 0, 200});
        QCOMPARE(tracker.progress(), 0.0);
        tracker.point({0, 50, 0, 1});
        QCOMPARE(tracker.progress(), 0.25);
        tracker.point({0, 900, 0, 1});
        QCOMPARE(tracker.progress(), 1.0);
    }

    void pointsOfUndeclaredSeriesAreIgnored()
    {
        ObjectiveTracker tracker("loss", sweep::Goal::Minimize);
        tracker.point({65535, 1, 0, 1});
        QVERIFY(!tracker.last());
    }

    void rangesAreMergedAndReturnedInOrder()
    {
        NumberRanges ranges;
        ranges.add(5, 6);
        ranges.add(1, 2);
        ranges.add(3, 4);
        QCOMPARE(ranges.take(100), (std::optional(std::pair(1, 6))));
        QVERIFY(ranges.empty());
        ranges.add(1, 10);
        QCOMPARE(ranges.take(4), (std::optional(std::pair(1, 4))));
        ranges.add(2, 2);
        QCOMPARE(ranges.take(4), (std::optional(std::pair(2, 2))));
        QCOMPARE(ranges.take(100), (std::optional(std::pair(5, 10))));
        QVERIFY(!ranges.take(1));
        ranges.add(4, 3);
        QVERIFY(ranges.empty());
    }

    void rangesEqualASet()
    {
        std::mt19937 random(7);
        NumberRanges ranges;
        std::set<int> expected;
        for (int i = 0; i < 400; ++i) {
            const int first = static_cast<int>(random() % 500) + 1;
            const int last = first + static_cast<int>(random() % 20);
            ranges.add(first, last);
            for (int number = first; number <= last; ++number)
                expected.insert(number);
            if (i % 7 != 0)
                continue;
            const auto taken = ranges.take(15);
            QVERIFY(taken.has_value());
            QCOMPARE(taken->first, *expected.begin());
            for (int number = taken->first; number <= taken->second; ++number)
                QCOMPARE(expected.erase(number), 1U);
        }
        while (const auto taken = ranges.take(15)) {
            for (int number = taken->first; number <= taken->second; ++number)
                QCOMPARE(expected.erase(number), 1U);
        }
        QVERIFY(expected.empty());
    }
};

SWEEPSCOPE_TEST(TestObjectiveTracker)
#include "tst_objectivetracker.moc"
