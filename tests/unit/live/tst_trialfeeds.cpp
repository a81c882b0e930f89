#include "feedframes.h"
#include "testprogram.h"
#include "unit/live/attemptfixture.h"

#include "ui/plot/columns.h"
#include "ui/plot/panelview.h"
#include "ui/plot/trialfeeds.h"

#include <QFile>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;

namespace {

constexpr WallNs night = 8 * 3600 * second;

/// Writes steps 0 to 9 with the value 1 and, eight hours later, the steps from `again` to 14 with the value 3.
void trainTwice(AttemptFixture &trial, int ranks, int again)
{
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = 0; step < 10; ++step)
            trial.rank(rank, "loss", step, t0 + step * second, 1);
    }
    trial.beginNextAttempt();
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = again; step < 15; ++step)
            trial.rank(rank, "loss", step, t0 + night + step * second, 3);
    }
    trial.flush();
}

PlotRequest overSteps(RankView view)
{
    PlotRequest request;
    request.axis = series::XAxis::Step;
    request.rankView = view;
    return request;
}

/// Returns x and value of each column, with "|" where no line leads to a column.
QStringList told(const std::vector<series::Column> &columns)
{
    QStringList words;
    for (const series::Column &column : columns)
        words << QStringLiteral("%1%2 %3").arg(column.startsSegment ? u"|" : u"").arg(column.x).arg(column.mean);
    return words;
}

}  // namespace

/// Reading a trial: the series of its ranks, its devices, and damaged files.
class TrialFeedsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankHasACurveWithTheDevicesBelow()
    {
        AttemptFixture attempt(2);
        for (int step = 0; step < 10; ++step) {
            for (int rank = 0; rank < 2; ++rank) {
                attempt.rank(rank, "total_steps", 0, t0, 10);
                attempt.rank(rank, "loss", step, t0 + step * second, 1.0 / (step + 1));
                attempt.rank(rank, "step_time", step, t0 + step * second, 0.02);
            }
            attempt.host("rank0.cpu", t0 + step * second, 90);
            attempt.host("rank1.cpu", t0 + step * second, 80);
            attempt.host("rank0.memory", t0 + step * second, 1e9, "B");
            attempt.device("cpu:0.utilization", t0 + step * second, 70);
            attempt.device("cpu:1.utilization", t0 + step * second, 60);
            attempt.device("cpu:7.utilization", t0 + step * second, 50);
        }
        attempt.flush();
        TrialFeeds feeds(attempt.source());
        const PlotFrame frame = frameOf(feeds);

        QCOMPARE(frame.main.id, QStringLiteral("loss"));
        QCOMPARE(namesOf(frame.main), QStringList({QStringLiteral("rank 0"), QStringLiteral("rank 1")}));
        QCOMPARE(frame.seriesNames, QStringList({QStringLiteral("loss"), QStringLiteral("step_time")}));
        QCOMPARE(frame.stripIds, QStringList({QStringLiteral("rank.cpu"), QStringLiteral("core.utilization"),
                                              QStringLiteral("rank.memory")}));
        QCOMPARE(frame.strips.size(), std::size_t(3));
        QCOMPARE(frame.strips[0].unit, QStringLiteral("s"));
        QCOMPARE(frame.strips[1].unit, QStringLiteral("%"));
        QCOMPARE(namesOf(frame.strips[2]), QStringList({QStringLiteral("core 0"), QStringLiteral("core 1")}));
        QCOMPARE(frame.from, toSeconds(t0));
        QVERIFY(frame.to > toSeconds(t0 + 9 * second));
        QVERIFY(frame.to < toSeconds(t0 + 10 * second));
        QCOMPARE(frame.main.curves[1].newest.value(), 0.1);
    }

    void curveSpansAllContinuedAttempts()
    {
        for (const RankView view : {RankView::Ranks, RankView::Mean}) {
            AttemptFixture trial(1);
            trainTwice(trial, 1, 10);
            TrialFeeds feeds(trial.source());
            const PlotFrame frame = frameOf(feeds, overSteps(view));
            QCOMPARE(frame.from, 0.0);
            QVERIFY(frame.to >= 14);
            QCOMPARE(frame.main.curves.front().columns.size(), std::size_t(15));
            QVERIFY(!told(frame.main.curves.front().columns).join(u' ').contains(u'|'));
            QCOMPARE(frame.main.curves.front().newest.value(), 3.0);
            QCOMPARE(frame.main.attemptEnds, (std::vector<AttemptEnd>{{9, 1, std::nullopt}}));
        }
    }

    void repeatedStepsAreBothDrawn()
    {
        for (const int ranks : {1, 2}) {
            for (const RankView view : {RankView::Ranks, RankView::Mean, RankView::Spread}) {
                AttemptFixture trial(ranks);
                trainTwice(trial, ranks, 8);
                TrialFeeds feeds(trial.source());
                const PlotFrame frame = frameOf(feeds, overSteps(view));
                const QStringList columns = told(frame.main.curves.front().columns);
                QVERIFY2(columns.join(u' ').contains(u"8 1 9 1 |8 3 9 3 10 3"), qPrintable(columns.join(u' ')));
                QCOMPARE(frame.main.attemptEnds, (std::vector<AttemptEnd>{{9, 1, std::nullopt}}));
            }
        }
    }

    void noLineConnectsAttempts()
    {
        AttemptFixture trial(1);
        trainTwice(trial, 1, 10);
        TrialFeeds feeds(trial.source());
        const PlotFrame frame = frameOf(feeds);
        QCOMPARE(frame.from, toSeconds(t0));
        QVERIFY(frame.to > toSeconds(t0 + night));
        int segments = 0;
        for (const series::Column &column : frame.main.curves.front().columns)
            segments += column.startsSegment ? 1 : 0;
        QCOMPARE(segments, 1);
        QCOMPARE(frame.main.attemptEnds.size(), std::size_t(1));
        QCOMPARE(frame.main.attemptEnds.front().x, toSeconds(t0 + 9 * second));
    }

    void attemptFromScratchHidesEarlierOnes()
    {
        AttemptFixture trial(1);
        trainTwice(trial, 1, 8);
        TrialSource source = trial.source();
        source.firstAttempt = 2;
        TrialFeeds feeds(source);
        const PlotFrame frame = frameOf(feeds, overSteps(RankView::Ranks));
        QCOMPARE(frame.from, 8.0);
        QCOMPARE(frame.main.curves.front().columns.size(), std::size_t(7));
        QVERIFY(frame.main.attemptEnds.empty());
        QVERIFY(!trial.source().sameFiles(source));
    }

    void timeAxisSkipsPauses()
    {
        AttemptFixture attempt(1);
        for (int step = 0; step < 10; ++step)
            attempt.rank(0, "loss", step, t0 + step * second, 1);
        for (int i = 0; i < 1000; ++i) {
            attempt.host("rank0.cpu", t0 + i * second, 0);
            attempt.device("cpu:0.utilization", t0 + i * second, 0);
        }
        attempt.flush();
        TrialSource source = attempt.source();
        {
            TrialFeeds running(source);
            QVERIFY(frameOf(running).to > toSeconds(t0 + 900 * second));
        }
        source.isFrozen = true;
        TrialFeeds frozen(source);
        QVERIFY(frameOf(frozen).to < toSeconds(t0 + 12 * second));
    }

    void gpusOfTheTrialAreShownWithTheirMemory()
    {
        AttemptFixture attempt(2);
        TrialSource source = attempt.source();
        source.devices = {"GPU-a", "GPU-b"};
        source.deviceNames = {"GPU 2", "GPU 5"};
        for (const char *gpu : {"GPU-a", "GPU-b", "GPU-other"}) {
            attempt.device(std::string(gpu) + ".utilization", t0 + second, 95);
            attempt.device(std::string(gpu) + ".memory", t0 + second, 8e9, "B");
            attempt.device(std::string(gpu) + ".power", t0 + second, 300, "W");
        }
        attempt.rank(0, "loss", 0, t0, 1);
        attempt.flush();
        TrialFeeds feeds(source);
        PlotFrame frame = frameOf(feeds);
        QCOMPARE(frame.strips.size(), std::size_t(2));
        QCOMPARE(frame.strips[0].id, QStringLiteral("gpu.utilization"));
        QCOMPARE(frame.strips[1].id, QStringLiteral("gpu.memory"));
        QCOMPARE(namesOf(frame.strips[0]), QStringList({QStringLiteral("GPU 2"), QStringLiteral("GPU 5")}));

        PlotRequest request;
        request.charts = {{chosenChart()}, {QStringLiteral("gpu.power")}};
        frame = feeds.frame(request);
        QCOMPARE(frame.strips.size(), std::size_t(1));
        QCOMPARE(frame.strips[0].unit, QStringLiteral("W"));
    }

    void processesAndDevicesOfAllMachinesShareOneAxis()
    {
        AttemptFixture attempt(2);
        attempt.rank(0, "loss", 0, t0, 1);
        attempt.rank(1, "loss", 0, t0, 1);
        attempt.device("cpu:0.utilization", t0 + second, 40);
        attempt.host("rank0.cpu", t0 + second, 90);
        attempt.flush();
        TrialSource source = attempt.source();
        source.devices = {"cpu:0", "cpu:0@gpu1"};
        source.deviceNames = {"core 0", "gpu1: core 0"};
        source.devicesFeeds["gpu1"] = attempt.devicesFeed("gpu1");
        TrialFeeds feeds(source);
        QCOMPARE(frameOf(feeds).strips.at(0).curves.size(), std::size_t(1));

        attempt.device("cpu:0.utilization", t0 + 2 * second, 70, "%", "gpu1");
        attempt.hostOf(1, 1, "rank1.cpu", t0 + 3 * second, 80);  // the folder of its agent comes later
        attempt.flush();
        const PlotFrame frame = frameOf(feeds);
        QCOMPARE(frame.stripIds.first(), QStringLiteral("rank.cpu"));
        const auto strip = [&frame](const char *id) {
            return *std::ranges::find(frame.strips, QString::fromLatin1(id), &PlotPanel::id);
        };
        QCOMPARE(namesOf(strip("rank.cpu")), QStringList({QStringLiteral("rank 0"), QStringLiteral("rank 1")}));
        const PlotPanel cores = strip("core.utilization");
        QCOMPARE(namesOf(cores), QStringList({QStringLiteral("core 0"), QStringLiteral("gpu1: core 0")}));
        QCOMPARE(cores.curves[0].columns.at(0).last, 40.0);
        QCOMPARE(cores.curves[1].columns.at(0).last, 70.0);
        QVERIFY(frame.to > toSeconds(t0 + 3 * second));
    }

    void noLineBridgesTimesWithoutDeviceReadings()
    {
        AttemptFixture attempt(1);
        for (int i = 0; i < 60; ++i) {
            if (i < 20 || i >= 40)
                attempt.device("cpu:0.utilization", t0 + i * second, 50);
        }
        attempt.rank(0, "loss", 0, t0, 1);
        attempt.rank(0, "loss", 1, t0 + 59 * second, 1);
        attempt.flush();
        TrialFeeds feeds(attempt.source());
        const PlotFrame frame = frameOf(feeds);
        std::vector<double> starts;
        for (const series::Column &column : frame.strips.at(0).curves.at(0).columns) {
            if (column.startsSegment)
                starts.push_back(column.x);
        }
        QCOMPARE(starts, std::vector<double>{toSeconds(t0 + 40 * second)});
    }

    void lineConnectsTwoSamples()
    {
        const auto at = [](double x, double value) {
            series::Column column{.x = x, .first = value, .min = value, .max = value, .last = value, .count = 1};
            return column;
        };
        std::vector<series::Column> columns{at(0, 10), at(10, 20), at(20, 40)};
        QCOMPARE(valueRange(columns, 12, 15, false), std::pair(24.0, 30.0));
        QCOMPARE(valueRange(columns, 5, 15, false), std::pair(20.0, 20.0));
        columns[2].startsSegment = true;
        const auto none = valueRange(columns, 12, 15, false);
        QVERIFY(none.first > none.second);
    }

    void valuesThatAxesCannotShowAreMarkedAtTheEdge()
    {
        const auto at = [](double x, double value) {
            return series::Column{.x = x, .first = value, .min = value, .max = value, .last = value, .count = 1};
        };
        const std::vector<series::Column> columns{at(0, 1e-310), at(1, 2), at(2, 1e300), at(3, -1.7e308)};
        QCOMPARE(valueRange(columns, 0, 3, false), std::pair(1e-310, 2.0));
        QCOMPARE(valueRange(columns, 0, 3, true), std::pair(2.0, 2.0));
        QVERIFY(!isAboveAxes(columns[1]) && isAboveAxes(columns[2]) && !isAboveAxes(columns[3]));
        QVERIFY(!isBelowAxes(columns[0]) && !isBelowAxes(columns[2]) && isBelowAxes(columns[3]));
        QVERIFY(isDrawn(1e300, false) && isDrawn(1e300, true) && !isDrawn(-1e300, true));
        QVERIFY(!isDrawn(std::numeric_limits<double>::quiet_NaN(), false));
        QVERIFY(!isDrawn(std::numeric_limits<double>::infinity(), true));
        QVERIFY(isBelowLog(columns[0]) && !isBelowLog(columns[1]) && !isBelowLog(columns[2]) && isBelowLog(columns[3]));
        QVERIFY(extentOf(columns, {}, 0, 1).hasMore);
        const std::vector<series::Column> wide{at(0, 1e-60), at(1, 1e200)};
        PlotPanel panel;
        panel.curves.emplace_back().columns = wide;
        for (const bool logarithmic : {false, true}) {
            const auto fitted = fittedRange(PanelKind::Curves, panel, {}, 0, 1, {logarithmic, false});
            QVERIFY(fitted && QCPRange::validRange(fitted->first, fitted->second));
        }
        panel.curves.front().columns = {at(0, 1e-310), at(1, 3e-310)};
        const auto tiny = fittedRange(PanelKind::Curves, panel, {}, 0, 1, {false, false});
        QVERIFY(tiny && QCPRange::validRange(tiny->first, tiny->second));
    }

    void deviceReadingsBeforeAndAfterTheTrialAreHidden()
    {
        AttemptFixture attempt(1);
        for (int i = -100; i < 100; ++i)
            attempt.device("cpu:0.utilization", t0 + i * second, 50);
        attempt.flush();
        TrialSource source = attempt.source();
        source.ended = t0 + 10 * second;
        DeviceFeed feed(attempt.devicesFeed(), source.devices, t0, source.ended);
        while (feed.poll(1 << 20).value()) {
        }
        QCOMPARE(feed.find("cpu:0", "utilization")->size(), std::size_t(11));
    }

    void devicesAreFollowedAcrossATrimOfTheirFile()
    {
        AttemptFixture attempt(1);
        const TrialSource source = attempt.source();
        const auto write = [](const std::filesystem::path &file, const std::string &firstSeries, int from, int to) {
            auto log = feed::LogWriter::open(file, {-1, 0, t0, "devices"});
            QVERIFY(log);
            (void)log->declare(firstSeries, "%");
            const auto core = log->declare("cpu:0.utilization", "%");
            for (int i = from; i < to; ++i)
                log->write(core, i, t0 + i * second, i);
            QVERIFY(log->flush());
        };
        const auto readAll = [](DeviceFeed &feed) {
            while (feed.poll(1 << 20).value()) {
            }
        };
        write(attempt.devicesFeed(), "cpu:0.utilization", 0, 100);
        DeviceFeed feed(attempt.devicesFeed(), source.devices, t0, 0);
        readAll(feed);
        const std::filesystem::path shorter = source.folder / "shorter";
        write(shorter, "cpu:9.utilization", 60, 130);  // the same ids stand for other series
        std::filesystem::rename(shorter, attempt.devicesFeed());
        readAll(feed);
        const series::Series *core = feed.find("cpu:0", "utilization");
        QCOMPARE(core->size(), std::size_t(130));
        for (std::size_t i = 0; i < core->size(); ++i)
            QCOMPARE(core->sample(i).value, static_cast<double>(i));
    }

    void damagedFeedIsReportedAndTheOthersAreShown()
    {
        AttemptFixture attempt(2);
        attempt.rank(1, "loss", 0, t0, 1);
        attempt.flush();
        QFile damaged(QString::fromStdString(attempt.source().files().rankFeed(0).string()));
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write(QByteArray(256, 'x'));
        damaged.close();
        TrialFeeds feeds(attempt.source());
        const PlotFrame frame = frameOf(feeds);
        QVERIFY(!frame.problem.isEmpty());
        QCOMPARE(namesOf(frame.main), QStringList({QStringLiteral("rank 1")}));
    }

    void unchangedDamageIsReportedOnce()
    {
        AttemptFixture attempt(2);
        attempt.rank(0, "loss", 0, t0, 1);
        attempt.rank(1, "loss", 0, t0, 1);
        attempt.flush();
        for (int rank : {0, 1}) {
            QFile damaged(QString::fromStdString(attempt.source().files().rankFeed(rank).string()));
            QVERIFY(damaged.open(QIODevice::WriteOnly));
            damaged.write(QByteArray(256 * (rank + 1), 'x'));
        }
        TrialFeeds feeds(attempt.source());
        QVERIFY(feeds.poll());
        for (int look = 0; look < 5; ++look)
            QVERIFY(!feeds.poll());
    }
};

SWEEPSCOPE_TEST(TrialFeedsTest)
#include "tst_trialfeeds.moc"
