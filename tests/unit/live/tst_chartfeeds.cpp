#include "chartsamples.h"
#include "feedframes.h"
#include "testprogram.h"
#include "unit/live/attemptfixture.h"

#include "ui/plot/chart.h"
#include "ui/plot/chartfeeds.h"
#include "ui/plot/legendmodel.h"
#include "ui/plot/liveplot.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

QStringList idsOf(const PlotFrame &frame)
{
    QStringList ids;
    for (const PlotPanel &panel : frame.strips)
        ids << panel.id;
    return ids;
}

}  // namespace

/// The content of charts: series, the parts of a step, another trial's values.
class ChartFeedsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void seriesAreBelowInTheRequestedOrder()
    {
        AttemptFixture attempt(2);
        report(attempt, 20);
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        const QStringList wanted{seriesId({u"accuracy"_s}), u"rank.memory"_s, seriesId({u"loss"_s, u"accuracy"_s}),
                                 u"rank.cpu"_s, seriesId({u"not reported"_s})};
        request.charts = below(wanted);
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(idsOf(frame), wanted);
        QCOMPARE(frame.strips[0].curves.size(), std::size_t{2});  // a curve for each rank
        QCOMPARE(frame.strips[0].curves[1].name, u"rank 1"_s);
        QVERIFY(!frame.strips[0].isStrip);
        QVERIFY(frame.strips[1].isStrip);
        QCOMPARE(frame.strips[2].curves.size(), std::size_t{2});  // a curve for each series
        QCOMPARE(frame.strips[2].curves[0].name, u"loss"_s);
        QCOMPARE(frame.strips[2].curves[0].columns.back().mean, 1.5);
        QVERIFY(frame.strips[4].curves.empty());
        // Devices have no steps, series do.
        request.axis = series::XAxis::Step;
        QCOMPARE(idsOf(feeds.frame(request)), QStringList({wanted[0], wanted[2], wanted[4]}));
    }

    void partsOfAStepAreStacked()
    {
        AttemptFixture attempt(2);
        report(attempt, 20);
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.charts = {{partsId()}};
        const PlotFrame frame = frameOf(feeds, request);
        const PlotPanel &panel = frame.strips.front();
        QStringList names;
        for (const PlotCurve &curve : panel.curves)
            names << curve.name;
        QCOMPARE(names, QStringList({u"data wait"_s, u"compute"_s, u"communication"_s, u"other"_s}));
        QVERIFY(panel.isOfMeans);
        const double edges[] = {0, 0.15, 0.45, 0.65, 0.8};  // means of both ranks
        for (std::size_t i = 0; i < panel.curves.size(); ++i) {
            QVERIFY(!panel.curves[i].stack.empty());
            for (const series::Column &column : panel.curves[i].stack) {
                QVERIFY(std::abs(column.min - edges[i]) < 1e-9);
                QVERIFY(std::abs(column.max - edges[i + 1]) < 1e-9);
            }
        }
        // The displayed value is that of the part, not that of the stack.
        QVERIFY(std::abs(*panel.curves[2].newest - 0.2) < 1e-9);
        QVERIFY(std::abs(*panel.curves[3].newest - 0.15) < 1e-9);
        QVERIFY(std::abs(panel.curves[3].columns.back().last - 0.15) < 1e-9);
        LegendModel legend;
        legend.setFrame(frame, std::nullopt, {});
        for (int row = 0; row < legend.rowCount(); ++row) {
            if (legend.index(row).data().toString() == u"compute"_s)
                QCOMPARE(legend.index(row).data(LegendModel::ValueRole).toString(), u"300\u202fms"_s);
        }
    }

    void stepThatEqualsItsPartsHasNoOther()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 50; ++step) {
            const double wait = 0.1 * (1 + step % 7);
            const double compute = 0.7 / (1 + step % 3);
            attempt.rank(0, "data_wait", step, t0 + step * second, wait);
            attempt.rank(0, "compute_time", step, t0 + step * second, compute);
            attempt.rank(0, "step_time", step, t0 + step * second, wait + compute);
        }
        attempt.flush();
        TrialSource source = attempt.source();
        TrialFeeds feeds(source);
        PlotRequest request;
        request.charts = {{partsId()}};
        const PlotFrame frame = frameOf(feeds, request);
        const PlotCurve &other = frame.strips.front().curves.back();
        QCOMPARE(*other.newest, 0.0);  // not the sum's rounding error
        QVERIFY(std::ranges::all_of(other.columns, [](const series::Column &column) { return column.last == 0; }));
    }

    void timesWithoutStepsHaveNoParts()
    {
        AttemptFixture attempt(2);
        report(attempt, 20);
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.charts = {{partsId()}};
        frameOf(feeds, request);
        request.follow = false;
        request.from = toSeconds(t0) - 100;
        request.to = toSeconds(t0) - 50;
        const PlotFrame frame = feeds.frame(request);
        QCOMPARE(frame.strips.front().curves.size(), std::size_t{4});
        for (const PlotCurve &curve : frame.strips.front().curves)
            QVERIFY(curve.stack.empty());
    }

    void aPinnedChartStaysWithItsTrial()
    {
        AttemptFixture shown(2);
        AttemptFixture other(2, t0 + 100 * second);
        report(shown, 20, t0, 1);
        report(other, 40, t0 + 100 * second, 7);
        TrialSource pinned = other.source();
        pinned.trial = 2;
        ChartFeeds feeds({shown.source(), pinned});
        PlotRequest request;
        const QStringList wanted{u"rank.cpu"_s, seriesId({u"loss"_s}, {1, 2}), u"@1/2 rank.cpu"_s, u"@1/2 chosen"_s,
                                 seriesId({u"loss"_s}, {1, 99})};
        request.charts = below(wanted);
        request.series = u"loss"_s;
        PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(idsOf(frame), wanted.first(4));
        QCOMPARE(panelTitle(frame.strips[3]), u"loss · trial 2"_s);
        QCOMPARE(frame.strips[3].curves.front().columns.back().mean, 7.0);
        QCOMPARE(frame.strips[1].curves.front().columns.back().mean, 7.0);
        QCOMPARE(panelTitle(frame.strips[1].id), u"loss · trial 2"_s);
        // By wall-clock time it is where it ran, and the view shows both.
        QCOMPARE(frame.from, toSeconds(t0));
        QVERIFY(frame.to >= toSeconds(t0 + 139 * second));
        QVERIFY(std::abs(frame.strips[1].curves.front().columns.front().x - toSeconds(t0 + 100 * second)) < 1.5);
        // Relative to the start, both begin there.
        request.relative = true;
        frame = feeds.frame(request);
        QVERIFY(std::abs(frame.strips[1].curves.front().columns.front().x - toSeconds(t0)) < 1.5);
        QVERIFY(frame.to < toSeconds(t0 + 45 * second));
        QCOMPARE(frame.strips[2].curves.size(), std::size_t{2});
        // Unpinning removes it, and the displayed attempt remains.
        feeds.updateSources({shown.source()});
        frame = feeds.frame(request);
        QCOMPARE(idsOf(frame), QStringList(u"rank.cpu"_s));
        QCOMPARE(frame.main.curves.size(), std::size_t{2});
    }
};

SWEEPSCOPE_TEST(ChartFeedsTest)
#include "tst_chartfeeds.moc"
