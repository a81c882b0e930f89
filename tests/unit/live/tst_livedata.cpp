#include "attemptfixture.h"

#include "ui/live/columns.h"
#include "ui/live/livedata.h"
#include "ui/live/trialchoice.h"
#include "ui/live/trialfeeds.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <limits>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

constexpr WallNs t0 = AttemptFixture::start;
constexpr WallNs second = AttemptFixture::second;

PlotFrame frameOf(TrialFeeds &feeds, const PlotRequest &request = {})
{
    while (feeds.poll()) {
    }
    return feeds.frame(request);
}

const PlotFrame &shownBy(const QList<QVariant> &frameReady)
{
    return **static_cast<const std::shared_ptr<const PlotFrame> *>(frameReady.first().constData());
}

QStringList namesOf(const PlotPanel &panel)
{
    QStringList names;
    for (const PlotCurve &curve : panel.curves)
        names.append(curve.name);
    return names;
}

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

}  // namespace

class LiveDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRankHasACurveAndTheDevicesStandBelow()
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
        QCOMPARE(frame.strips.size(), std::size_t(2));
        QCOMPARE(frame.strips[0].unit, QStringLiteral("%"));
        QCOMPARE(namesOf(frame.strips[1]), QStringList({QStringLiteral("core 0"), QStringLiteral("core 1")}));
        QCOMPARE(frame.from, toSeconds(t0));
        QVERIFY(frame.to > toSeconds(t0 + 9 * second));
        QVERIFY(frame.to < toSeconds(t0 + 10 * second));
        QCOMPARE(frame.main.curves[1].newest.value(), 0.1);
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

    void devicesBeforeAndAfterTheTrialAreLeftOut()
    {
        AttemptFixture attempt(1);
        for (int i = -100; i < 100; ++i)
            attempt.device("cpu:0.utilization", t0 + i * second, 50);
        attempt.flush();
        TrialSource source = attempt.source();
        source.ended = t0 + 10 * second;
        DeviceFeed feed(source.devicesFeed, source.devices, t0, source.ended);
        while (feed.poll(1 << 20).value()) {
        }
        QCOMPARE(feed.find("cpu:0", "utilization")->size(), std::size_t(11));
    }

    void devicesAreFollowedIntoAShorterFileThatTakesTheNameOfTheirs()
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
        write(source.devicesFeed, "cpu:0.utilization", 0, 100);
        DeviceFeed feed(source.devicesFeed, source.devices, t0, 0);
        readAll(feed);
        const std::filesystem::path shorter = source.folder / "shorter";
        write(shorter, "cpu:9.utilization", 60, 130);  // its numbers mean other series
        std::filesystem::rename(shorter, source.devicesFeed);
        readAll(feed);
        const series::Series *core = feed.find("cpu:0", "utilization");
        QCOMPARE(core->size(), std::size_t(130));
        for (std::size_t i = 0; i < core->size(); ++i)
            QCOMPARE(core->sample(i).value, static_cast<double>(i));
    }

    void aRankIsReadFromItsRingBeforeItIsDrained()
    {
        AttemptFixture attempt(1);
        const TrialSource source = attempt.source();
        const auto ring = source.folder / "ring";
        auto drain = feed::RingDrain::create(ring, source.files().rankFeed(0), {0, 1, t0, "a"});
        QVERIFY2(drain, drain ? "" : drain.error().message.c_str());
        std::filesystem::create_symlink(ring, source.files().rankRing(0));
        auto writer = feed::FeedWriter::open(ring);
        QVERIFY(writer);

        LiveData data;
        QSignalSpy frames(&data, &LiveData::frameReady);
        data.setSource(source);
        data.setActive(true);
        QTRY_COMPARE(frames.size(), 1);

        const std::uint16_t loss = writer->declare("loss");
        writer->write(loss, 1, 0.5);
        QTRY_VERIFY(frames.size() > 1);
        const PlotFrame &frame = shownBy(frames.last());
        QCOMPARE(frame.main.id, QStringLiteral("loss"));
        QCOMPARE(frame.main.curves.at(0).newest.value(), 0.5);

        // Nothing new: no frame, however often the timer asks. A new value ends the silence.
        QSignalSpy silence(&data, &LiveData::nothingNew);
        QTRY_VERIFY(silence.size() >= 1);
        const qsizetype before = frames.size();
        QTRY_VERIFY(silence.size() >= 4);
        QCOMPARE(frames.size(), before);
        writer->write(loss, 2, 0.25);
        QVERIFY(drain->drain());
        QTRY_VERIFY(frames.size() > before);
        QCOMPARE(shownBy(frames.last()).main.curves.at(0).newest.value(), 0.25);
    }

    void anotherTrialsFramesAreDropped()
    {
        AttemptFixture first(1);
        first.rank(0, "loss", 0, t0, 1);
        first.flush();
        AttemptFixture next(1);
        next.rank(0, "reward", 0, t0, 2);
        next.flush();
        TrialSource nextSource = next.source();
        nextSource.trial = 2;

        LiveData data;
        QSignalSpy frames(&data, &LiveData::frameReady);
        data.setActive(true);
        data.setSource(first.source());
        data.setSource(nextSource);
        QTRY_VERIFY(!frames.isEmpty());
        for (const QList<QVariant> &frame : frames)
            QVERIFY(shownBy(frame).main.id != QLatin1String("loss"));
    }

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

    void whatIsKeptFromFrameToFrameIsWhatIsThere_data()
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
    void whatIsKeptFromFrameToFrameIsWhatIsThere()
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

    void aViewThatFollowsGoesAheadInStridesAndEndsJustBehindTheNewest()
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

    void smoothingKnowsWhatLiesBeforeTheView()
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
        // One sample before the view, from which the line comes.
        QCOMPARE(curve.columns.front().x, 499.0);
        QCOMPARE(curve.raw.front().x, 499.0);
        QVERIFY(curve.columns[0].last < 0.01);
        QVERIFY(std::abs(curve.columns[1].last - 0.1) < 0.01);
        QCOMPARE(curve.raw[1].last, 1.0);
        QVERIFY(curve.columns.back().last > 0.99);
    }

    void aSilentRankCountsNoLonger()
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
        attempt.flush();
        TrialFeeds feeds(attempt.source());
        PlotRequest request;
        request.rankView = RankView::Quartiles;
        const PlotFrame frame = frameOf(feeds, request);
        QCOMPARE(frame.main.curves[0].columns.at(0).last, 4.0);
        QCOMPARE(frame.main.band.at(0).min, 1.0);
        QCOMPARE(frame.main.band.at(0).max, 9.0);
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

    void nobodyLooksWhileNothingChanges()
    {
        AttemptFixture attempt(2);
        attempt.rank(0, "loss", 0, t0, 1);
        attempt.flush();
        LiveData data;
        QSignalSpy frames(&data, &LiveData::frameReady);
        data.setSource(attempt.source());
        data.setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(data.isAsleep(), 60'000);
        for (int round = 1; round <= 2; ++round) {
            frames.clear();
            attempt.rank(0, "loss", round, t0 + round * second, 1 + round);
            attempt.flush();
            QTRY_VERIFY_WITH_TIMEOUT(!frames.isEmpty() && shownBy(frames.last()).main.curves[0].newest == 1 + round,
                                     60'000);
            QTRY_VERIFY_WITH_TIMEOUT(data.isAsleep(), 60'000);
        }
        // Another question is answered at once.
        frames.clear();
        PlotRequest request = data.request();
        request.view = 7;
        data.setRequest(request);
        QTRY_VERIFY_WITH_TIMEOUT(!frames.isEmpty() && shownBy(frames.last()).view == 7, 60'000);
        data.setActive(false);
        QVERIFY(!data.isAsleep());
    }

    void aDamagedFeedIsSaidAndTheOthersAreShown()
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

    void damageThatStaysIsNoNews()
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

    void newestRunningTrialIsKeptUntilItEnds()
    {
        using sweep::TrialState;
        std::vector<sweep::SweepRecord> sweeps(2);
        sweeps[0].id = 1;
        sweeps[1].id = 2;
        std::map<std::int64_t, std::vector<sweep::TrialRecord>> trials;
        const auto trial = [&trials](std::int64_t sweepId, int number, TrialState state,
                                     std::optional<WallNs> started) {
            sweep::TrialRecord record;
            record.sweepId = sweepId;
            record.number = number;
            record.state = state;
            record.started = started;
            trials[sweepId].push_back(record);
        };
        trial(1, 1, TrialState::Running, t0);
        trial(2, 1, TrialState::Completed, t0);
        trial(2, 2, TrialState::Running, t0 + second);
        trial(2, 3, TrialState::Running, t0 + 2 * second);
        trial(2, 4, TrialState::Waiting, std::nullopt);
        const auto of = [&trials](std::int64_t id) -> const auto &
        {
            return trials[id];
        };

        QCOMPARE(newestTrial({}, of, {}), TrialChoice());
        QCOMPARE(newestTrial(sweeps, of, {}), (TrialChoice{2, 3}));
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{2, 2}));
        trials[2][1].state = TrialState::Failed;
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{2, 3}));
        for (auto &[id, records] : trials) {
            for (sweep::TrialRecord &record : records)
                record.state = TrialState::Completed;
        }
        QCOMPARE(newestTrial(sweeps, of, {2, 2}), (TrialChoice{2, 2}));
        QCOMPARE(newestTrial(sweeps, of, {}), (TrialChoice{2, 3}));
    }
};

QTEST_GUILESS_MAIN(LiveDataTest)
#include "tst_livedata.moc"
