#include "feedframes.h"
#include "testprogram.h"
#include "unit/live/attemptfixture.h"

#include "ui/plot/columns.h"
#include "ui/plot/trialfeeds.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

namespace {

double highest(const std::vector<series::Column> &columns)
{
    double value = -std::numeric_limits<double>::infinity();
    for (const series::Column &column : columns)
        value = std::max(value, column.max);
    return value;
}

void compareColumns(const PlotFrame &frame, const PlotFrame &expected)
{
    QCOMPARE(frame.from, expected.from);
    QCOMPARE(frame.to, expected.to);
    QCOMPARE(frame.main.curves.size(), expected.main.curves.size());
    for (std::size_t i = 0; i < frame.main.curves.size(); ++i) {
        const auto &columns = frame.main.curves[i].columns;
        const auto &wanted = expected.main.curves[i].columns;
        QCOMPARE(columns.size(), wanted.size());
        for (std::size_t column = 0; column < columns.size(); ++column) {
            QCOMPARE(columns[column].x, wanted[column].x);
            QCOMPARE(columns[column].min, wanted[column].min);
            QCOMPARE(columns[column].max, wanted[column].max);
            QCOMPARE(columns[column].count, wanted[column].count);
        }
    }
}

PlotFrame quartilesOf(AttemptFixture &attempt)
{
    attempt.flush();
    TrialFeeds feeds(attempt.source());
    PlotRequest request;
    request.rankView = RankView::Quartiles;
    return frameOf(feeds, request);
}

}  // namespace

/// From a trial's values to its curves: columns, smoothing, and combining the ranks.
class FeedCurvesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSpikeOfOneSampleSurvivesDecimation()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 200'000; ++step)
            attempt.rank(0, "loss", step, t0 + step * 1'000'000LL, step == 123'457 ? 50.0 : 1.0);
        attempt.flush();
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.columns = 300;
        const PlotFrame frame = frameOf(feeds, request);
        QVERIFY(frame.main.curves[0].columns.size() <= 300);
        QCOMPARE(highest(frame.main.curves[0].columns), 50.0);
    }

    void cachedColumnsEqualNewOnes_data()
    {
        QTest::addColumn<PlotRequest>("request");
        PlotRequest request;
        request.columns = 200;
        QTest::newRow("all, followed") << request;
        request.axis = series::XAxis::Step;
        QTest::newRow("by steps") << request;
        request.rankView = RankView::Quartiles;
        QTest::newRow("quartiles") << request;
        request = {};
        request.columns = 200;
        request.follow = false;
        request.from = toSeconds(t0 + 20 * second);
        request.to = toSeconds(t0 + 45 * second);
        QTest::newRow("a part of it, which fills up") << request;
        request.smoothing = 0.9;
        QTest::newRow("smoothed, with what lies before") << request;
    }
    void cachedColumnsEqualNewOnes()
    {
        QFETCH(const PlotRequest, request);
        AttemptFixture attempt(2);
        TrialFeeds feeds(attempt.source());
        for (int look = 0; look < 60; ++look) {
            for (int i = 0; i < 100; ++i) {
                const int step = look * 100 + i;
                for (int rank = 0; rank < 2; ++rank)
                    attempt.rank(rank, "loss", step, t0 + step * second / 100, std::sin(step * 0.1) + rank);
            }
            attempt.flush();
            TrialFeeds readAnew(attempt.source());
            const PlotFrame frame = frameOf(feeds, request);
            compareColumns(frame, frameOf(readAnew, request));
            for (const PlotCurve &curve : frame.main.curves) {
                QVERIFY(curve.extent);
                QCOMPARE(curve.extent->from, frame.from);
                QCOMPARE(curve.extent->to, frame.to);
                QCOMPARE(curve.extent->all, extentOf(curve.columns, curve.raw, frame.from, frame.to).all);
            }
        }
    }

    void followingViewMovesInStepsAndEndsJustAfterTheNewestValue()
    {
        AttemptFixture attempt(1);
        TrialFeeds feeds(attempt.source());
        int strides = 0;
        double end = 0;
        for (int step = 0; step <= 1000; ++step) {
            attempt.rank(0, "loss", step, t0 + step * second, 1);
            attempt.flush();
            const PlotFrame frame = frameOf(feeds);
            QVERIFY(frame.to >= end);
            QVERIFY(frame.to > toSeconds(t0 + step * second));
            QVERIFY(frame.to - toSeconds(t0 + step * second) <= std::max(1.1, step * 0.04));
            strides += frame.to > end ? 1 : 0;
            end = frame.to;
        }
        QVERIFY(strides < 350);
        TrialSource ended = attempt.source();
        ended.ended = t0 + 1000 * second;
        feeds.updateSource(ended);
        QCOMPARE(frameOf(feeds).to, toSeconds(t0 + 1015 * second));
    }

    void smoothingIncludesValuesBeforeTheView()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 1000; ++step)
            attempt.rank(0, "loss", step, t0 + step * second, step < 500 ? 0.0 : 1.0);
        attempt.flush();
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.axis = series::XAxis::Step;
        request.smoothing = 0.9;
        request.follow = false;
        request.from = 500;
        request.to = 600;
        request.columns = 1000;
        const PlotFrame frame = frameOf(feeds, request);
        const PlotCurve &curve = frame.main.curves.at(0);
        // One sample before the view, where the line starts.
        QCOMPARE(curve.columns.front().x, 499.0);
        QCOMPARE(curve.raw.front().x, 499.0);
        QVERIFY(curve.columns[0].last < 0.01);
        QVERIFY(std::abs(curve.columns[1].last - 0.1) < 0.01);
        QCOMPARE(curve.raw[1].last, 1.0);
        QVERIFY(curve.columns.back().last > 0.99);
    }

    void silentRankNoLongerCounts()
    {
        AttemptFixture attempt(2);
        attempt.rank(1, "loss", 0, t0, 9);
        for (int step = 0; step < 100; ++step)
            attempt.rank(0, "loss", step, t0 + step * second, 1);
        attempt.flush();
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.rankView = RankView::Mean;
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(frame.main.curves[0].columns.front().last, 5.0);
        QCOMPARE(frame.main.curves[0].columns.back().last, 1.0);
        QCOMPARE(frame.main.curves[0].newest.value(), 1.0);
    }

    void quartilesAreOverTheRanks()
    {
        AttemptFixture attempt(5);
        for (int rank = 0; rank < 5; ++rank)
            attempt.rank(rank, "loss", 0, t0, rank * rank);
        const PlotFrame frame = quartilesOf(attempt);
        QCOMPARE(frame.main.curves[0].columns.at(0).last, 4.0);
        QCOMPARE(frame.main.band.at(0).min, 1.0);
        QCOMPARE(frame.main.band.at(0).max, 9.0);
        QCOMPARE(frame.main.curves[0].newest.value(), 4.0);
        QVERIFY(frame.main.rankView == RankView::Quartiles);
    }

    void newestMedianCoversRanksWithANumber()
    {
        AttemptFixture attempt(5);
        attempt.rank(0, "loss", 0, t0, std::nan(""));
        for (int rank = 1; rank < 5; ++rank)
            attempt.rank(rank, "loss", 0, t0, rank * rank);
        const PlotFrame frame = quartilesOf(attempt);
        QCOMPARE(frame.main.curves[0].newest.value(), 6.5);
        QCOMPARE(frame.main.curves[0].newest.value(), frame.main.curves[0].columns.back().last);
    }

    void spreadHasABandAndStillNamesTheRanks()
    {
        AttemptFixture attempt(2);
        for (int step = 0; step < 5; ++step) {
            attempt.rank(0, "loss", step, t0 + step * second, 1);
            attempt.rank(1, "loss", step, t0 + step * second, 4);
        }
        attempt.flush();
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.rankView = RankView::Spread;
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(namesOf(frame.main), QStringList({QString(), QStringLiteral("rank 0"), QStringLiteral("rank 1")}));
        QVERIFY(frame.main.curves[0].drawn && !frame.main.curves[1].drawn);
        QCOMPARE(frame.main.band.size(), std::size_t(5));
        QCOMPARE(frame.main.band[2].min, 1.0);
        QCOMPARE(frame.main.band[2].max, 4.0);
    }
};

SWEEPSCOPE_TEST(FeedCurvesTest)
#include "tst_feedcurves.moc"
