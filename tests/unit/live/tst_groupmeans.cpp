// Means over trials on common places, compared with a plain computation.
#include "testprogram.h"

#include "ui/plot/columns.h"
#include "ui/plot/groupmeans.h"

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

GroupMean meanOf(const std::vector<Curve> &curves, double to = 1000, std::size_t most = 1000)
{
    std::vector<GroupedCurve> grouped;
    for (const Curve &curve : curves)
        grouped.push_back({&curve, 0});
    return groupMeans(grouped, 1, 0, to, most).front();
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

}  // namespace

class GroupMeansTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void meanAndDeviationAreThoseOfAPlainComputation()
    {
        std::mt19937 random(7);
        std::normal_distribution<double> noise(1e6, 1);  // far from zero, where sums of squares lose their digits
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
        const GroupMean mean = meanOf(curves);
        QCOMPARE(mean.mean.size(), std::size_t(49));
        QCOMPARE(mean.band.size(), mean.mean.size());
        for (std::size_t step = 0; step < mean.mean.size(); ++step) {
            const std::vector<double> &all = values[step];
            long double sum = 0;
            for (const double value : all)
                sum += value;
            const long double average = sum / static_cast<long double>(all.size());
            long double squares = 0;
            for (const double value : all)
                squares += (value - average) * (value - average);
            const auto deviation =
                all.size() < 2 ? 0.0
                               : static_cast<double>(std::sqrt(squares / static_cast<long double>(all.size() - 1)));
            QCOMPARE(mean.mean[step].x, double(step));
            QCOMPARE(mean.mean[step].count, std::uint64_t(all.size()));
            QVERIFY(isNear(mean.mean[step].mean, static_cast<double>(average)));
            QVERIFY(std::abs(mean.band[step].max - mean.mean[step].mean - deviation) < 1e-8);
            QVERIFY(std::abs(mean.mean[step].mean - mean.band[step].min - deviation) < 1e-8);
        }
    }

    void trialThatEndedEarlyCountsUntilItsLastPoint()
    {
        const GroupMean mean = meanOf({curveOf({{0, 1}, {1, 1}}), curveOf({{0, 3}, {1, 5}, {2, 7}})});
        QCOMPARE(mean.mean.size(), std::size_t(3));
        QCOMPARE(mean.mean[1].mean, 3.0);
        QCOMPARE(mean.mean[1].count, std::uint64_t(2));
        QCOMPARE(mean.mean[2].mean, 7.0);
        QCOMPARE(mean.mean[2].count, std::uint64_t(1));
        QCOMPARE(mean.band[2].min, 7.0);
    }

    void otherStepsAreInterpolated()
    {
        const GroupMean mean = meanOf({curveOf({{0, 0}, {10, 10}}), curveOf({{5, 1}})});
        QCOMPARE(mean.mean.size(), std::size_t(3));
        QCOMPARE(mean.mean[1].x, 5.0);
        QCOMPARE(mean.mean[1].mean, 3.0);
    }

    void valuesThatAreNoNumbersDoNotCount()
    {
        const double nan = std::nan("");
        const double infinity = std::numeric_limits<double>::infinity();
        const GroupMean mean =
            meanOf({curveOf({{0, 1}, {1, nan}, {2, 1}}), curveOf({{0, 3}, {1, 3}, {2, infinity}}), curveOf({})});
        QCOMPARE(mean.mean.size(), std::size_t(3));
        QCOMPARE(mean.mean[0].count, std::uint64_t(2));
        QCOMPARE(mean.mean[1].mean, 3.0);
        QCOMPARE(mean.mean[1].count, std::uint64_t(1));
        QCOMPARE(mean.mean[2].mean, 1.0);
    }

    void placesWithoutAnyTrialAreAGap()
    {
        const GroupMean mean = meanOf({curveOf({{0, 1}, {1, std::nan("")}, {2, 5}})});
        QCOMPARE(mean.mean.size(), std::size_t(2));
        QVERIFY(mean.mean[1].startsSegment);
    }

    void newestAttemptOfRepeatedStepsCounts()
    {
        Curve curve = curveOf({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
        Curve again = curveOf({{2, 9}, {3, 9}});
        again.front().startsSegment = true;
        curve.insert(curve.end(), again.begin(), again.end());
        const GroupMean mean = meanOf({curve});
        QCOMPARE(mean.mean[1].mean, 1.0);
        QCOMPARE(mean.mean[2].mean, 9.0);
        QCOMPARE(mean.mean[3].mean, 9.0);
        QCOMPARE(mean.mean[3].count, std::uint64_t(1));
    }

    void manyPlacesBecomeEqualDistances()
    {
        std::vector<Curve> curves;
        for (int trial = 0; trial < 30; ++trial)
            curves.push_back(curveOf({{0, 0}, {trial + 0.5, trial + 0.5}, {100, 100}}));
        const GroupMean mean = meanOf(curves, 100, 11);
        QCOMPARE(mean.mean.size(), std::size_t(11));
        for (const series::Column &column : mean.mean)
            QVERIFY(isNear(column.mean, column.x) && column.count == 30);
    }

    void groupsAreSeparate()
    {
        const Curve low = curveOf({{0, 1}});
        const Curve high = curveOf({{0, 5}});
        const std::vector<GroupMean> means = groupMeans({{&low, 0}, {&high, 2}}, 3, 0, 1, 10);
        QCOMPARE(means.size(), std::size_t(3));
        QCOMPARE(means[0].mean[0].mean, 1.0);
        QVERIFY(means[1].mean.empty());
        QCOMPARE(means[2].mean[0].mean, 5.0);
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

SWEEPSCOPE_TEST(GroupMeansTest)
#include "tst_groupmeans.moc"
