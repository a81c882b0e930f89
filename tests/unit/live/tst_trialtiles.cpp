#include "testprogram.h"

#include "unit/live/attemptfixture.h"

#include "ui/live/runningtrialsmodel.h"
#include "ui/live/trialtiledelegate.h"
#include "ui/live/trialtiles.h"
#include "ui/models/devicenames.h"
#include "ui/plot/overviewfeeds.h"
#include "ui/theme/trialcolors.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

RunningTrial runningTrial(int number, std::int64_t step = 100, double progress = 0.25)
{
    RunningTrial trial;
    trial.trial = {1, number};
    trial.state = sweep::TrialState::Running;
    trial.ranks = 2;
    trial.devices = QStringLiteral("cores 0, 1");
    trial.reportedStep = step;
    trial.progress = progress;
    return trial;
}

std::vector<RunningTrial> many(int count)
{
    std::vector<RunningTrial> trials;
    for (int number = 1; number <= count; ++number)
        trials.push_back(runningTrial(number));
    return trials;
}

PlotFrame frameWith(int number, const TrialPace &pace)
{
    PlotFrame frame;
    PlotCurve curve;
    curve.name = OverviewFeeds::curveName(1, number);
    curve.series = QStringLiteral("loss");
    curve.pace = pace;
    for (int i = 0; i < 50; ++i) {
        series::Column column;
        column.x = i;
        column.min = column.max = column.mean = 1.0 / (1 + i);
        curve.columns.push_back(column);
    }
    curve.newest = 0.02;
    frame.main.curves.push_back(curve);
    return frame;
}

bool near(const QColor &a, const QColor &b)
{
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 60;
}

}  // namespace

class TrialTilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void modelSignalsOnlyChanges()
    {
        RunningTrialsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setTrials({runningTrial(2), runningTrial(5), runningTrial(9)});
        model.setTrials({runningTrial(2), runningTrial(5), runningTrial(9)});
        QCOMPARE(changed.size(), 0);
        model.setTrials({runningTrial(2), runningTrial(5, 101), runningTrial(9)});
        QCOMPARE(changed.size(), 1);
        QCOMPARE(changed.last().first().toModelIndex().row(), 1);
        const TrialPace pace{300, t0, 10.0};
        model.setFrame(frameWith(9, pace), t0);
        model.setFrame(frameWith(9, pace), t0);
        QCOMPARE(changed.size(), 2);
        model.setTrials({runningTrial(1), runningTrial(9), runningTrial(10)});
        QCOMPARE(removed.size(), 2);
        QCOMPARE(reset.size(), 0);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.rowOf({1, 9}), 1);
        QCOMPARE(model.rowOf({2, 9}), -1);
        QCOMPARE(model.trial(1).step(), 300);  // the feed is ahead of the engine's message
        QCOMPARE(model.trial(1).columns.size(), std::size_t{50});
    }

    void remainingTimeFollowsTheSpeedAndSilenceIsShown()
    {
        RunningTrialsModel model;
        model.setTrials({runningTrial(4, 100, 0.25)});
        QVERIFY(!model.trial(0).secondsLeft());
        model.setFrame(frameWith(4, {100, t0, 10.0}), t0);
        QCOMPARE(*model.trial(0).secondsLeft(), 30.0);
        // The feed is ahead of the engine's progress: at step 200 of 400.
        model.setFrame(frameWith(4, {200, t0, 10.0}), t0);
        QCOMPARE(*model.trial(0).secondsLeft(), 20.0);
        model.setFrame(frameWith(4, {100, t0, 10.0}), t0);
        QString words = model.index(0).data(Qt::ToolTipRole).toString();
        QVERIFY2(words.contains(QStringLiteral("10 steps/s")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("25%")), qPrintable(words));
        model.setNow(t0 + 9 * second);
        QVERIFY(!model.trial(0).isSilent);
        model.setNow(t0 + 11 * second);
        QVERIFY(model.trial(0).isSilent);
        QVERIFY(!model.trial(0).secondsLeft());
        words = model.index(0).data(Qt::AccessibleTextRole).toString();
        QVERIFY2(words.contains(QStringLiteral("no progress")), qPrintable(words));
        // A trial with slow steps is not reported as silent this early.
        model.setFrame(frameWith(4, {101, t0, 0.1}), t0);
        model.setNow(t0 + 100 * second);
        QVERIFY(!model.trial(0).isSilent);
    }

    void anotherAttemptStartsFromScratch()
    {
        RunningTrialsModel model;
        model.setTrials({runningTrial(4, 100)});
        model.setFrame(frameWith(4, {300, t0, 10.0}), t0);
        RunningTrial again = runningTrial(4, 0, 0);
        again.attempt = 2;
        model.setTrials({again});
        QCOMPARE(model.trial(0).step(), 0);
        QVERIFY(model.trial(0).columns.empty());
        QVERIFY(!model.trial(0).pace);
    }

    void tileOfAnotherSweepNamesIt()
    {
        sweep::SweepRecord flood;
        flood.id = 1;
        flood.name = "flood";
        flood.state = sweep::SweepState::Completed;
        sweep::SweepRecord behind = flood;
        behind.id = 2;
        behind.name = "behind";
        behind.state = sweep::SweepState::Running;
        std::vector<sweep::TrialRecord> trials(1);
        trials[0].number = 1;
        trials[0].state = sweep::TrialState::Running;
        const std::vector<sweep::TrialRecord> none;
        const auto of = [&](std::int64_t id) -> const auto &
        {
            return id == 2 ? trials : none;
        };
        QCOMPARE(runningTrials({flood, behind}, of, {}, 1).at(0).sweepName, QStringLiteral("behind"));
        QVERIFY(runningTrials({flood, behind}, of, {}, 2).at(0).sweepName.isEmpty());
    }

    void pausedTrialKeepsItsTile()
    {
        sweep::SweepRecord sweep;
        sweep.id = 1;
        sweep.state = sweep::SweepState::Running;
        std::vector<sweep::TrialRecord> trials(2);
        for (int i = 0; i < 2; ++i) {
            trials[static_cast<std::size_t>(i)].number = i + 1;
            trials[static_cast<std::size_t>(i)].state = sweep::TrialState::Paused;
        }
        trials[0].attempts = 1;  // the other one was paused before it started
        trials[0].step = 50;
        trials[0].progress = 0.5;
        std::vector<RunningTrial> tiles = runningTrials(
            {sweep}, [&](std::int64_t) -> const auto & { return trials; }, {}, 1);
        QCOMPARE(tiles.size(), std::size_t(1));
        QCOMPARE(tiles[0].trial.trial, 1);
        tiles[0].pace = TrialPace{50, wallNow(), 10.0};
        QVERIFY(!tiles[0].secondsLeft());
        RunningTrialsModel model;
        model.setTrials(tiles);
        const QString toolTip = model.index(0).data(Qt::ToolTipRole).toString();
        QVERIFY2(toolTip.contains(u"Paused") && !toolTip.contains(u"steps/s"), qPrintable(toolTip));
    }

    void devicesAreSummarized()
    {
        protocol::DeviceStatus gpu;
        gpu.id = QStringLiteral("GPU-a");
        gpu.index = 3;
        protocol::DeviceStatus fake = gpu;
        fake.id = QStringLiteral("GPU-b");
        fake.index = 5;
        fake.simulated = true;
        QCOMPARE(devicesText({"cpu:0"}, {}), QStringLiteral("core 0"));
        QCOMPARE(devicesText({"cpu:3", "cpu:0", "cpu:1", "cpu:2", "cpu:7"}, {}), QStringLiteral("cores 0–3, 7"));
        QCOMPARE(devicesText({"cpu:1", "cpu:1"}, {}), QStringLiteral("core 1"));
        QCOMPARE(devicesText({"GPU-a", "GPU-b"}, {gpu, fake}), QStringLiteral("GPU 3, GPU 5 (simulated)"));
        QCOMPARE(devicesText({"GPU-gone", "cpu:1"}, {gpu}), QStringLiteral("core 1, GPU-gone"));
        QCOMPARE(devicesText({}, {}), QString());
        QCOMPARE(shortDevicesText({"GPU-a", "GPU-b"}, {gpu, fake}), QStringLiteral("GPU 3, sim. GPU 5"));
        protocol::DeviceStatus there = gpu;
        there.id = QStringLiteral("GPU-a@gpu1");
        there.index = 1;
        QCOMPARE(devicesText({"cpu:2@gpu1", "cpu:0@gpu1", "cpu:1@gpu1"}, {}), QStringLiteral("gpu1: cores 0–2"));
        QCOMPARE(devicesText({"cpu:3@gpu1", "cpu:3@gpu1"}, {}), QStringLiteral("gpu1: core 3"));
        QCOMPARE(devicesText({"GPU-a@gpu1", "GPU-z@gpu1"}, {gpu, there}), QStringLiteral("gpu1: GPU 1, GPU-z"));
        QCOMPARE(devicesText({"GPU-a@gpu1", "GPU-a"}, {gpu, there}), QStringLiteral("GPU 3; gpu1: GPU 1"));
        QCOMPARE(devicesText({"job:0@localhost", "job:1@localhost"}, {}), QStringLiteral("Slurm: a job"));
        QCOMPARE(deviceName("job:1@localhost", {}), std::optional(QStringLiteral("Slurm: device 1 of a job")));
        QCOMPARE(deviceName("cpu:3@gpu1", {}), std::optional(QStringLiteral("gpu1: core 3")));
        QCOMPARE(deviceName("GPU-z@gpu1", {}), std::nullopt);
        QCOMPARE(deviceNameOrId("GPU-z@gpu1", {}), QStringLiteral("gpu1: GPU-z"));
        QCOMPARE(deviceNameOrId("cpu:x", {}), QStringLiteral("cpu:x"));
    }

    void smallTileShowsTheEssentials()
    {
        const QFontMetrics metrics{QFont()};
        const auto widthOf = [&metrics](const QString &text) { return metrics.horizontalAdvance(text); };
        RunningTrial trial = runningTrial(1);
        trial.devices = QStringLiteral("GPU 0 (simulated)");
        trial.shortDevices = QStringLiteral("sim. GPU 0");
        const QString all = QStringLiteral("2 ranks · GPU 0 (simulated)");
        QCOMPARE(placeText(trial, metrics, widthOf(all)), all);
        const QString brief = QStringLiteral("2 ranks · sim. GPU 0");
        QCOMPARE(placeText(trial, metrics, widthOf(all) - 1), brief);
        QCOMPARE(placeText(trial, metrics, widthOf(brief) - 1), trial.shortDevices);
        trial.sweepName = QStringLiteral("digits-of-my-mother");
        QCOMPARE(placeText(trial, metrics, widthOf(brief) + 5), brief);
        const int some = widthOf(QStringLiteral("digits-… · ") + brief);
        const QString text = placeText(trial, metrics, some);
        QVERIFY2(text.startsWith(QStringLiteral("digi")) && text.contains(QChar(0x2026)), qPrintable(text));
        QVERIFY2(text.endsWith(QStringLiteral(" · ") + brief) && widthOf(text) <= some, qPrintable(text));
    }

    void clickAndArrowsSelect()
    {
        TrialTiles tiles;
        tiles.resize(900, 700);
        tiles.trialsModel()->setTrials(many(3));
        tiles.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tiles));
        QSignalSpy chosen(&tiles, &TrialTiles::trialChosen);
        tiles.setShown({1, 1});
        QCOMPARE(chosen.size(), 0);  // not a user's choice
        const QPoint second = tiles.visualRect(tiles.trialsModel()->index(1)).center();
        QTest::mouseClick(tiles.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.last().at(1).toInt(), 2);
        QTest::keyClick(&tiles, Qt::Key_Right);
        QCOMPARE(chosen.last().at(1).toInt(), 3);
        QTest::keyClick(&tiles, Qt::Key_Left);
        QCOMPARE(chosen.last().at(1).toInt(), 2);
        const qsizetype before = chosen.size();
        // The displayed trial ends: that is not a choice by the user.
        tiles.trialsModel()->setTrials({runningTrial(1), runningTrial(3)});
        QCoreApplication::processEvents();
        QCOMPARE(chosen.size(), before);
        QTest::keyClick(&tiles, Qt::Key_Return);
        QVERIFY(chosen.size() > before);
    }

    void aFewAreLargeAndManyAreSmallAndScroll()
    {
        TrialTiles tiles;
        tiles.resize(1000, 700);
        tiles.trialsModel()->setTrials(many(2));
        tiles.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tiles));
        const auto tileHeight = [&tiles] { return tiles.visualRect(tiles.trialsModel()->index(0)).height(); };
        QCoreApplication::processEvents();
        const int large = tileHeight();
        QCOMPARE(tiles.sizeHint().height(), large);
        tiles.trialsModel()->setTrials(many(64));
        QTRY_VERIFY(tileHeight() < large);
        QVERIFY(tiles.sizeHint().height() < 700 / 3);
        QVERIFY(tiles.visualRect(tiles.trialsModel()->index(0)).width() * 2 < tiles.width());
        tiles.trialsModel()->setTrials(many(1));
        QTRY_COMPARE(tileHeight(), large);
    }

    void tileHasItsTrialsColourAndIsRepaintedOnlyOnChanges()
    {
        TrialTiles tiles;
        tiles.resize(900, 700);
        tiles.trialsModel()->setTrials(many(2));
        tiles.trialsModel()->setFrame(frameWith(2, {100, wallNow(), 10.0}), wallNow());
        tiles.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tiles));
        const QRect place = tiles.visualRect(tiles.trialsModel()->index(1));
        const QImage image = tiles.viewport()->grab().toImage();
        const QRect words(place.left(), place.top(), place.width() * 2 / 3, place.height());
        int ofCurve = 0;
        for (int y = place.top(); y < place.center().y(); ++y) {
            for (int x = words.right(); x < place.right(); ++x)
                ofCurve += near(image.pixelColor(x, y), trialColor(2)) ? 1 : 0;
        }
        QVERIFY(ofCurve > 20);

        struct Paints : QObject {
            int count = 0;
            bool eventFilter(QObject *, QEvent *event) override
            {
                count += event->type() == QEvent::Paint ? 1 : 0;
                return false;
            }
        } paints;
        tiles.doItemsLayout();
        QTest::qWait(0);  // lets pending paint events of the new window pass
        tiles.viewport()->installEventFilter(&paints);
        tiles.trialsModel()->setFrame(frameWith(2, {100, tiles.trialsModel()->trial(1).pace->at, 10.0}), wallNow());
        tiles.trialsModel()->setTrials(many(2));
        tiles.trialsModel()->setNow(tiles.trialsModel()->trial(1).pace->at);
        tiles.setShown({});
        QCoreApplication::processEvents();
        QCOMPARE(paints.count, 0);
        tiles.trialsModel()->setTrials({runningTrial(1, 150), runningTrial(2)});
        QTRY_VERIFY(paints.count > 0);
    }
};

SWEEPSCOPE_TEST(TrialTilesTest)
#include "tst_trialtiles.moc"
