#include "testprogram.h"

// What a point on the parallel coordinates hits, and how drags and keys change a range.
#include "models/analysisfigures.h"
#include "ui/analysis/parallelhittest.h"

#include <QTest>

#include <numeric>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

namespace {

/// Axes 100 pixels apart, from the first one at 100; position 1 is at 50, position 0 at 250.
ParallelPlaces placesOf(const AnalysisFigure &figure)
{
    ParallelPlaces places;
    places.axes.resize(figure.axes.size());
    std::iota(places.axes.begin(), places.axes.end(), 0);
    for (const int axis : places.axes)
        places.xs.push_back(100 + 100 * axis);
    places.top = 50;
    places.bottom = 250;
    return places;
}

constexpr PositionRange middle{0.4, 0.6};

bool isNear(const PositionRange &range, double low, double high)
{
    return std::abs(range.first - low) < 1e-9 && std::abs(range.second - high) < 1e-9;
}

}  // namespace

class ParallelHitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void axesAndTitlesAreHitWithATolerance()
    {
        const ParallelPlaces places = placesOf(*AnalysedSweep(10).figure());
        QCOMPARE(axisAt(places, {109, 150}), 0);
        QCOMPARE(axisAt(places, {191, 50}), 1);
        QCOMPARE(axisAt(places, {150, 150}), -1);
        QCOMPARE(axisAt(places, {100, 20}), -1);
        QCOMPARE(titleAt(places, {140, 20}), 0);
        QCOMPARE(titleAt(places, {160, 20}), 1);
        QCOMPARE(titleAt(places, {100, 60}), -1);
        QCOMPARE(titleAt({}, {0, 0}), -1);
    }

    void theNearestLineWithinTheRangesIsHit()
    {
        const FigurePtr figure = AnalysedSweep(40).figure();
        const ParallelPlaces places = placesOf(*figure);
        std::vector<char> within(figure->values.size(), 0);
        for (int row = 0; row < static_cast<int>(within.size()); ++row) {
            const std::vector<QPointF> corners = lineOf(*figure, places, row);
            const QPointF point = (corners[0] + corners[1]) / 2;
            QCOMPARE(rowAt(*figure, places, within, point), -1);
            within[static_cast<std::size_t>(row)] = 1;
            QCOMPARE(rowAt(*figure, places, within, point), row);
            within[static_cast<std::size_t>(row)] = 0;
        }
        within.assign(within.size(), 1);
        QCOMPARE(rowAt(*figure, places, within, {50, 150}), -1);
        QCOMPARE(rowAt(*figure, places, within, {150, 300}), -1);
    }

    void axisIsDroppedBetweenItsNewNeighbours()
    {
        ParallelPlaces places;
        places.xs = {100, 200, 300};
        QCOMPARE(dropIndex(places, 0, 90), 0);
        QCOMPARE(dropIndex(places, 0, 150), 0);
        QCOMPARE(dropIndex(places, 0, 250), 1);
        QCOMPARE(dropIndex(places, 0, 400), 2);
        QCOMPARE(dropIndex(places, 2, 0), 0);
        QCOMPARE(dropIndex(places, 2, 150), 1);
    }

    void dragSelectsMovesAndResizes()
    {
        const auto drag = [](double from, const std::optional<PositionRange> &range, double to) {
            return RangeDrag::from(from, range, 0.02).rangeAt(to);
        };
        QVERIFY(isNear(drag(0.3, std::nullopt, 0.7), 0.3, 0.7));
        QVERIFY(isNear(drag(0.7, std::nullopt, 0.3), 0.3, 0.7));
        QVERIFY(isNear(drag(0.1, middle, 0.2), 0.1, 0.2));
        QVERIFY(isNear(drag(0.5, middle, 0.6), 0.5, 0.7));
        QVERIFY(isNear(drag(0.5, middle, 1), 0.8, 1));
        QVERIFY(isNear(drag(0.5, middle, 0), 0, 0.2));
        QVERIFY(isNear(drag(0.41, middle, 0.2), 0.2, 0.6));
        QVERIFY(isNear(drag(0.41, middle, 0.9), 0.6, 0.9));  // beyond the other end
        QVERIFY(isNear(drag(0.59, middle, 0.9), 0.4, 0.9));
    }

    void keyStepsKeepARangeOnTheAxis()
    {
        QVERIFY(isNear(moved(middle, RangePart::All, 0.1, 0.05), 0.5, 0.7));
        QVERIFY(isNear(moved(middle, RangePart::All, 1, 0.05), 0.8, 1));
        QVERIFY(isNear(moved(middle, RangePart::HighEnd, 0.1, 0.05), 0.4, 0.7));
        QVERIFY(isNear(moved(middle, RangePart::HighEnd, -1, 0.05), 0.4, 0.45));
        QVERIFY(isNear(moved(middle, RangePart::LowEnd, 1, 0.05), 0.55, 0.6));
        QVERIFY(isNear(moved(middle, RangePart::LowEnd, -1, 0.05), 0, 0.6));
    }
};

SWEEPSCOPE_TEST(ParallelHitTest)
#include "tst_parallelhittest.moc"
