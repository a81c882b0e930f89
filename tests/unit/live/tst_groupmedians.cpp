// Medians over trials on common places, compared with a plain computation.
#include "testprogram.h"

#include "ui/plot/columns.h"
#include "ui/plot/groupmedians.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

using Curve = std::vector<series::Column>;

series::Column pointAt(double x, double value)
{
    series::Column column;
    column.x = x;
    column.count = 1;
    column.hasNonFinite = !std::isfinite(value);
    const double shown = std::isfinite(value) ? value : std::nan("");
    column.first = column.min = column.max = column.last = column.mean = shown;
    return column;
}

Curve curveOf(const std::vector<std::pair<double, double>> &points)
{
    Curve curve;
    for (const auto &[x, value] : points)
        curve.push_back(pointAt(x, value));
    return curve;
}

GroupMedian medianOf(const std::vector<Curve> &curves, double to = 1000, std::size_t most = 1000)
{
    std::vector<GroupedCurve> grouped;
    for (const Curve &curve : curves)
        grouped.push_back({&curve, 0});
    return groupMedians(grouped, 1, 0, to, most).front();
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

}  // namespace

class GroupMediansTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void medianAndQuartilesAreThoseOfAPlainComputation()
    {
        std::mt19937 random(7);
        std::normal_distribution<double> noise(1e6, 1);
        std::vector<Curve> curves;
        std::vector<std::vector<double>> values(50);
        for (int trial = 0; trial < 40; ++trial) {
            Curve curve;
            const int steps = 10 + trial;  // each ends at another step
            for (int step = 0; step < steps; ++step) {
                const double value = noise(random);
                curve.push_back(pointAt(step, value));
                values[static_cast<std::size_t>(step)].push_back(value);
            }
            curves.push_back(std::move(curve));
        }
        const GroupMedian group = medianOf(curves);
        QCOMPARE(group.median.size(), std::size_t(49));
        QCOMPARE(group.band.size(), group.median.size());
        for (std::size_t step = 0; step < group.median.size(); ++step) {
            std::vector<double> &all = values[step];
            std::ranges::sort(all);
            const auto at = [&all](double share) {
                const double place = share * static_cast<double>(all.size() - 1);
                const auto below = static_cast<std::size_t>(place);
                const double above = all[std::min(below + 1, all.size() - 1)];
                return all[below] + (place - static_cast<double>(below)) * (above - all[below]);
            };
            QCOMPARE(group.median[step].x, double(step));
            QCOMPARE(group.median[step].count, std::uint64_t(all.size()));
            QVERIFY(isNear(group.median[step].mean, at(0.5)));
            QVERIFY(isNear(group.median[step].last, at(0.5)));
            QVERIFY(isNear(group.band[step].min, at(0.25)));
            QVERIFY(isNear(group.band[step].max, at(0.75)));
        }
    }

    void oneDivergedTrialOfTenHardlyMovesTheLine()
    {
        std::vector<Curve> curves;
        for (int trial = 0; trial < 9; ++trial)
            curves.push_back(curveOf({{0, 1 + 0.01 * trial}, {1, 0.5 + 0.01 * trial}}));
        const GroupMedian before = medianOf(curves);
        curves.push_back(curveOf({{0, 1}, {1, 1e6}}));
        const GroupMedian after = medianOf(curves);
        QVERIFY(std::abs(after.median[1].mean - before.median[1].mean) < 0.01);
        QVERIFY(after.band[1].max < 0.6 && after.band[1].min >= 0.5);
    }

    void trialThatEndedEarlyCountsUntilItsLastPoint()
    {
        const GroupMedian group = medianOf({curveOf({{0, 1}, {1, 1}}), curveOf({{0, 3}, {1, 5}, {2, 7}})});
        QCOMPARE(group.median.size(), std::size_t(3));
        QCOMPARE(group.median[1].mean, 3.0);
        QCOMPARE(group.median[1].count, std::uint64_t(2));
        QCOMPARE(group.median[2].mean, 7.0);
        QCOMPARE(group.median[2].count, std::uint64_t(1));
        QCOMPARE(group.band[2].min, 7.0);
    }

    void otherStepsAreInterpolated()
    {
        const GroupMedian group = medianOf({curveOf({{0, 0}, {10, 10}}), curveOf({{5, 1}})});
        QCOMPARE(group.median.size(), std::size_t(3));
        QCOMPARE(group.median[1].x, 5.0);
        QCOMPARE(group.median[1].mean, 3.0);
    }

    void valuesThatAreNoNumbersDoNotCount()
    {
        const double nan = std::nan("");
        const double infinity = std::numeric_limits<double>::infinity();
        const GroupMedian group =
            medianOf({curveOf({{0, 1}, {1, nan}, {2, 1}}), curveOf({{0, 3}, {1, 3}, {2, infinity}}), curveOf({})});
        QCOMPARE(group.median.size(), std::size_t(3));
        QCOMPARE(group.median[0].count, std::uint64_t(2));
        QCOMPARE(group.median[1].mean, 3.0);
        QCOMPARE(group.median[1].count, std::uint64_t(1));
        QCOMPARE(group.median[2].mean, 1.0);
    }

    void placesWithoutAnyTrialAreAGap()
    {
        const GroupMedian group = medianOf({curveOf({{0, 1}, {1, std::nan("")}, {2, 5}})});
        QCOMPARE(group.median.size(), std::size_t(2));
        QVERIFY(group.median[1].startsSegment);
    }

    void newestAttemptOfRepeatedStepsCounts()
    {
        Curve curve = curveOf({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
        Curve again = curveOf({{2, 9}, {3, 9}});
        again.front().startsSegment = true;
        curve.insert(curve.end(), again.begin(), again.end());
        const GroupMedian group = medianOf({curve});
        QCOMPARE(group.median[1].mean, 1.0);
        QCOMPARE(group.median[2].mean, 9.0);
        QCOMPARE(group.median[3].mean, 9.0);
        QCOMPARE(group.median[3].count, std::uint64_t(1));
    }

    void manyPlacesBecomeEqualDistances()
    {
        std::vector<Curve> curves;
        for (int trial = 0; trial < 30; ++trial)
            curves.push_back(curveOf({{0, 0}, {trial + 0.5, trial + 0.5}, {100, 100}}));
        const GroupMedian group = medianOf(curves, 100, 11);
        QCOMPARE(group.median.size(), std::size_t(11));
        for (const series::Column &column : group.median)
            QVERIFY(isNear(column.mean, column.x) && column.count == 30);
    }

    void groupsAreSeparate()
    {
        const Curve low = curveOf({{0, 1}});
        const Curve high = curveOf({{0, 5}});
        const std::vector<GroupMedian> groups = groupMedians({{&low, 0}, {&high, 2}}, 3, 0, 1, 10);
        QCOMPARE(groups.size(), std::size_t(3));
        QCOMPARE(groups[0].median[0].mean, 1.0);
        QVERIFY(groups[1].median.empty());
        QCOMPARE(groups[2].median[0].mean, 5.0);
    }

    void boxFindsTheLinesThatPassThroughIt()
    {
        const Curve curve = curveOf({{0, 0}, {10, 10}});
        QVERIFY(passesThrough(curve, {4, 6}, {4, 6}));  // between two points
        QVERIFY(passesThrough(curve, {-1, 0.5}, {-1, 0.5}));
        QVERIFY(!passesThrough(curve, {4, 6}, {7, 9}));
        QVERIFY(!passesThrough(curve, {11, 12}, {0, 20}));
        QVERIFY(!passesThrough({}, {0, 1}, {0, 1}));
    }
};

SWEEPSCOPE_TEST(GroupMediansTest)
#include "tst_groupmedians.moc"
