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

    void nanIsNeverBestButCanBeLast()
    {
        const ObjectiveTracker tracker = trackerWith(sweep::Goal::Minimize, {notANumber, 5, notANumber});
        QVERIFY(std::isnan(tracker.last()->value));
        QCOMPARE(tracker.best()->value, 5.0);
        QVERIFY(!trackerWith(sweep::Goal::Maximize, {notANumber}).best());
    }

    void otherSeriesGiveTheStepOnly()
    {
        ObjectiveTracker tracker("val_loss", sweep::Goal::Minimize);
        tracker.series({7, "loss", ""});
        tracker.point({7, 12, 0, 0.5});
        QVERIFY(!tracker.last());
        QCOMPARE(tracker.step(), 12);
    }

    void seriesDeclaredAgainUnderAnotherNameIsThatOne()
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
        QCOMPARE(metrics.size(), 2U);  // in the order of their first points; nothing of the bookkeeping
        QCOMPARE(metrics[0].name, std::string("accuracy"));
        QVERIFY(std::isnan(metrics[0].last) && std::isnan(metrics[0].lowest) && std::isnan(metrics[0].highest));
        QVERIFY(sweep::isSame(metrics[1], {"loss", 2, 4, 1, 4}));
    }

    void metricsThatAProgramMakesUpAreCounted()
    {
        ObjectiveTracker tracker("val_loss", sweep::Goal::Minimize);
        for (std::uint16_t id = 0; id < 500; ++id) {
            tracker.series({id, "made up " + std::to_string(id), ""});
            tracker.point({id, 1, 0, 1});
        }
        tracker.series({500, "made up 3", ""});  // a rank that began anew
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

    void pointsOfUndeclaredSeriesAreHarmless()
    {
        ObjectiveTracker tracker("loss", sweep::Goal::Minimize);
        tracker.point({65535, 1, 0, 1});
        QVERIFY(!tracker.last());
    }

    void rangesAreMergedAndTakenInOrder()
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

    void rangesHoldWhatASetHolds()
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

QTEST_GUILESS_MAIN(TestObjectiveTracker)
#include "tst_objectivetracker.moc"
