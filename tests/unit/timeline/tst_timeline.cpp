#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "ui/theme/trialcolors.h"
#include "ui/timeline/timeaxis.h"
#include "ui/timeline/timelinedata.h"
#include "ui/timeline/timelinepage.h"
#include "ui/timeline/timelinepainter.h"
#include "ui/timeline/timelinerows.h"
#include "ui/timeline/timelineview.h"
#include "ui/timeline/waitingmodel.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

constexpr WallNs second = 1'000'000'000;
constexpr WallNs start = 1'763'674'200 * second;

sweep::TrialRecord trial(int number, std::vector<std::string> devices, int from, int to)
{
    sweep::TrialRecord record;
    record.sweepId = 1;
    record.number = number;
    record.state = sweep::TrialState::Completed;
    record.attempts = 1;
    record.devices = std::move(devices);
    record.started = start + from * second;
    record.attemptStarted = record.started;
    record.ended = start + to * second;
    return record;
}

sweep::TrialRecord running(int number, std::vector<std::string> devices, int from)
{
    sweep::TrialRecord record = trial(number, std::move(devices), from, from);
    record.state = sweep::TrialState::Running;
    record.ended.reset();
    return record;
}

sweep::TrialRecord waiting(int number, const std::string &cause)
{
    sweep::TrialRecord record;
    record.sweepId = 1;
    record.number = number;
    record.cause = cause;
    return record;
}

client::DeviceStatus core(int index)
{
    client::DeviceStatus device;
    device.id = u"cpu:%1"_s.arg(index);
    device.index = index;
    return device;
}

const std::vector<client::DeviceStatus> machine = {core(0), core(1), core(2)};

Timeline timelineOf(const std::vector<sweep::TrialRecord> &trials, int to, const AttemptSpans &spans = {})
{
    return makeTimeline(trials, spans, machine, start + to * second);
}

/// Of ten trials of ten seconds, one after the other, on a core of which each has all.
std::vector<sweep::TrialRecord> tenTrials()
{
    std::vector<sweep::TrialRecord> trials;
    for (int n = 1; n <= 10; ++n)
        trials.push_back(trial(n, {"cpu:0"}, 10 * (n - 1), 10 * n - 2));
    return trials;
}

void turnWheel(TimelineView &view, const QPoint &position, int eighths, Qt::KeyboardModifiers modifiers = {})
{
    QWidget *viewport = view.viewport();
    QWheelEvent event(position, viewport->mapToGlobal(position), {}, {0, eighths}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(viewport, &event);
}

}  // namespace

class TimelineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTrialIsNoRow()
    {
        QVERIFY(timelineOf({}, 10).isEmpty());
        QVERIFY(timelineOf({waiting(1, "waits")}, 10).isEmpty());
    }

    void whereNothingHasBegunItIsNow()
    {
        sweep::TrialRecord waiting = trial(1, {}, 0, 0);
        waiting.attempts = 0;
        waiting.started.reset();
        waiting.state = sweep::TrialState::Waiting;
        const Timeline timeline = timelineOf({waiting}, 10);
        QCOMPARE(timeline.from, start + 10 * second);
        QCOMPARE(timeline.to, timeline.from);
    }

    void devicesAreRowsInOrderAndTrialsBars()
    {
        const Timeline timeline =
            timelineOf({trial(1, {"cpu:1"}, 0, 10), trial(2, {"cpu:0"}, 0, 5), running(3, {"cpu:0"}, 6)}, 10);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].title, u"core 0"_s);
        QCOMPARE(timeline.rows[1].title, u"core 1"_s);
        QCOMPARE(timeline.rows[0].bars.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].bars[1].to, start + 10 * second);
        QVERIFY(timeline.rows[0].bars[1].goesOn);
        QCOMPARE(timeline.rows[0].busy, 0.9);
        QCOMPARE(timeline.busy, 0.95);
        QCOMPARE(timeline.attempts, 3);
    }

    void trialOfSeveralDevicesIsInEachRowOnce()
    {
        const Timeline timeline = timelineOf({trial(1, {"cpu:0", "cpu:1", "cpu:0"}, 0, 10)}, 10);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].bars.size(), std::size_t(1));
        QCOMPARE(timeline.attempts, 1);
    }

    void trialsAtOnceOnOneDeviceHaveLanes()
    {
        const Timeline timeline =
            timelineOf({trial(1, {"cpu:0"}, 0, 10), trial(2, {"cpu:0"}, 5, 15), trial(3, {"cpu:0"}, 10, 20)}, 20);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].bars.size(), std::size_t(2));
        QCOMPARE(timeline.rows[1].title, QString());
        QCOMPARE(timeline.rows[1].bars[0].trial, 2);
        QCOMPARE(timeline.rows[0].busy, 1.0);
    }

    void gpuThatNoTrialHadIsARowToo()
    {
        std::vector<client::DeviceStatus> gpus(3);
        for (int i = 0; i < 3; ++i) {
            gpus[static_cast<std::size_t>(i)].gpu = true;
            gpus[static_cast<std::size_t>(i)].index = i;
            gpus[static_cast<std::size_t>(i)].id = u"GPU-%1"_s.arg(i);
        }
        gpus[2].offered = false;
        const Timeline timeline = makeTimeline({trial(1, {"GPU-1"}, 0, 10)}, {}, gpus, start + 10 * second);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].title, u"GPU 0"_s);
        QVERIFY(timeline.rows[0].bars.empty());
        QCOMPARE(timeline.busy, 0.5);
        QVERIFY2(makeTimeline({trial(1, {"cpu:0"}, 0, 10)}, {}, gpus, start).rows.size() == 1,
                 "GPUs were not asked for");
    }

    void deviceThatIsGoneKeepsItsRow()
    {
        const Timeline timeline = timelineOf({trial(1, {"GPU-old"}, 0, 10)}, 10);
        QCOMPARE(timeline.rows[0].title, u"GPU-old"_s);
    }

    void earlierAttemptsAndPausesComeFromTheirFiles()
    {
        sweep::TrialRecord paused = running(1, {"cpu:0"}, 0);
        paused.attempts = 2;
        paused.state = sweep::TrialState::Paused;
        QCOMPARE(attemptsOnlyInFiles({paused}), (std::vector<AttemptKey>{{1, 1}, {1, 2}}));
        QVERIFY2(attemptsOnlyInFiles({trial(2, {}, 0, 1), running(3, {}, 0), waiting(4, "")}).empty(),
                 "records tell all");
        QVERIFY2(timelineOf({paused}, 40).isEmpty(), "nothing is made up before the files are read");

        const AttemptSpans spans{{{1, 1}, {start, start + 10 * second, true, {"cpu:0"}}},
                                 {{1, 2}, {start + 15 * second, start + 30 * second, false, {"cpu:1"}}}};
        const Timeline timeline = timelineOf({paused}, 40, spans);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QVERIFY(timeline.rows[0].bars[0].state == sweep::TrialState::Failed);
        QVERIFY(timeline.rows[1].bars[0].state == sweep::TrialState::Paused);
        QCOMPARE(timeline.rows[1].bars[0].to, start + 30 * second);
        QCOMPARE(timeline.rows[1].breaks.size(), std::size_t(2));
        QCOMPARE(timeline.rows[1].breaks[0].from, start + 10 * second);
        QCOMPARE(timeline.rows[1].breaks[0].to, start + 15 * second);
        QCOMPARE(timeline.rows[1].breaks[1].to, start + 40 * second);
        QVERIFY(timeline.rows[1].breaks[1].goesOn);
    }

    void attemptIsReadAsItsAgentWroteIt()
    {
        QTemporaryDir folder;
        const WorkspaceLayout workspace{folder.path().toStdString()};
        sweep::SweepRecord record;
        record.folder = "0001-s";
        const AttemptLayout layout = workspace.attempt(record.folder, 7, 1);
        QVERIFY(!readAttemptSpan(layout));
        QDir().mkpath(QString::fromStdString(layout.folder.string()));
        launch::LaunchSpec spec;
        spec.attemptId = "1-7-1";
        spec.argv = {"true"};
        spec.workingFolder = "/";
        spec.ranks = 2;
        spec.devices = {{"cpu:0"}, {"cpu:1", "cpu:0"}};
        QVERIFY(launch::writeLaunchSpec(spec, layout.launchFile()));
        auto log = launch::AttemptEventLog::open(layout.eventsFile());
        QVERIFY(log);
        launch::AttemptEvent event;
        event.time = start;
        QVERIFY(log->append(event));

        TimelineData data;
        data.setSweep(folder.path(), record);
        data.want({{7, 1}, {8, 1}});
        QTRY_COMPARE(data.spans().size(), std::size_t(1));
        QCOMPARE(data.spans().at({7, 1}).from, start);
        QVERIFY(!data.spans().at({7, 1}).to);
        QCOMPARE(data.spans().at({7, 1}).devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));

        event.kind = launch::AttemptEventKind::Ended;
        event.time = start + 5 * second;
        event.outcome = launch::AttemptOutcome::Failed;
        QVERIFY(log->append(event));
        data.want({{7, 1}});
        QTRY_VERIFY(data.spans().at({7, 1}).to.has_value());
        QVERIFY(data.spans().at({7, 1}).failed);
    }

    void ticksAreRoundAndFew()
    {
        for (const WallNs span : {2 * second, 100 * second, 7200 * second, 200'000 * second, 90'000'000 * second}) {
            const std::vector<TimeTick> ticks = timeTicks(start + 1, start + span, 8);
            QVERIFY2(!ticks.empty() && ticks.size() <= 9, qPrintable(QString::number(ticks.size())));
            QVERIFY(ticks.front().time >= start);
            for (const TimeTick &tick : ticks)
                QCOMPARE(tick.time % second, WallNs(0));
        }
        QVERIFY(timeTicks(start, start, 8).empty());
    }

    void waitingTrialsSayWhy()
    {
        WaitingModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setTrials({trial(1, {}, 0, 1), waiting(2, "waits for 1 GPU"), waiting(3, ""), waiting(4, "")});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, WaitingModel::Why).data().toString(), u"waits for 1 GPU"_s);
        QCOMPARE(model.index(1, WaitingModel::Why).data().toString(), u"its turn has not come yet"_s);
        QCOMPARE(model.index(2, WaitingModel::Trial).data(WaitingModel::NumberRole).toInt(), 4);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        model.setTrials({waiting(3, ""), waiting(4, "")});
        QCOMPARE(removed.size(), 1);
        QCOMPARE(inserted.size(), 0);
        model.setTrials({waiting(3, ""), waiting(4, "held"), waiting(5, "")});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(1, WaitingModel::Why).data().toString(), u"held"_s);
        model.setTrials({});
        QCOMPARE(model.rowCount(), 0);
    }

    void barsAreWhereTheirTimeIs()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        const QImage picture = view.viewport()->grab().toImage();
        const QRect third = view.rectOf(3, 1);
        QVERIFY(!third.isEmpty());
        const auto at = [&picture](const QPoint &point) {
            return picture.pixelColor(point * picture.devicePixelRatio());
        };
        QCOMPARE(at({third.right() - 6, third.bottom() - 6}), trialColor(3));
        QVERIFY2(at({third.right() + 6, third.bottom() - 6}) != trialColor(3), "idle");
        const int steps = view.rectOf(6, 1).left() - 2 * view.rectOf(4, 1).left() + view.rectOf(2, 1).left();
        QVERIFY2(std::abs(steps) <= 2, qPrintable(QString::number(steps)));
    }

    void fewRowsInAHighViewAreHigher()
    {
        TimelineView view;
        showOn(view, timelineOf({trial(1, {"cpu:0", "cpu:1", "cpu:2"}, 0, 10)}, 20));
        const int usual = TimelineScale::rowHeightIn(0, 3);
        QVERIFY(view.rectOf(1, 1).height() > usual);
        view.resize(1000, 80);
        QTRY_COMPARE(view.rectOf(1, 1).height(), usual);
        QVERIFY(view.verticalScrollBar()->maximum() > 0);
    }

    void aFailureIsSeenOfAShortAttemptToo()
    {
        auto trials = tenTrials();
        trials.push_back(trial(11, {"cpu:0"}, 5'000, 5'005));
        trials.push_back(trial(12, {"cpu:1"}, 5'000, 5'005));
        trials.back().state = sweep::TrialState::Failed;
        TimelineView view;
        showOn(view, timelineOf(trials, 10'000));
        const QImage picture = view.viewport()->grab().toImage();
        const auto around = [&](int number) {
            const QRect bar = view.rectOf(number, 1);
            const double ratio = picture.devicePixelRatio();
            const QRect place = QRect(0, 0, 10, 10).translated(bar.center() - QPoint(5, 5));
            int problem = 0;
            for (int y = place.top(); y <= place.bottom(); ++y) {
                for (int x = place.left(); x <= place.right(); ++x) {
                    const QColor color = picture.pixelColor(QPoint(x, y) * ratio);
                    problem += color.red() > 150 && color.green() < 110 && color.blue() < 110;
                }
            }
            return problem;
        };
        QVERIFY(view.rectOf(12, 1).width() < 6);
        QVERIFY2(around(12) > 20, qPrintable(QString::number(around(12))));
        QCOMPARE(around(11), 0);
    }

    void betweenTwoAttemptsADeviceIsIdle()
    {
        sweep::TrialRecord retried = trial(1, {"cpu:0"}, 0, 90);
        retried.attempts = 2;
        sweep::TrialRecord paused = running(2, {"cpu:0"}, 5);
        paused.state = sweep::TrialState::Paused;
        const AttemptSpans spans{{{1, 1}, {start, start + 10 * second, true, {"cpu:0"}}},
                                 {{1, 2}, {start + 60 * second, start + 90 * second, false, {"cpu:0"}}},
                                 {{2, 1}, {start + 10 * second, start + 20 * second, false, {"cpu:0"}}}};
        TimelineView view;
        showOn(view, timelineOf({retried, paused}, 100, spans));
        QCOMPARE(view.timeline().rows.size(), std::size_t(1));
        const QRect failed = view.rectOf(1, 1);
        const QRect again = view.rectOf(1, 2);
        const QRect gap(view.rectOf(2, 1).right() + 20, again.center().y(),
                        again.left() - view.rectOf(2, 1).right() - 40, 1);
        QVERIFY(failed.right() < gap.left() && gap.width() > 100);
        const QImage picture = view.viewport()->grab().toImage();
        for (int x = gap.left(); x <= gap.right(); ++x) {
            for (int dy = -3; dy <= 3; ++dy) {
                const QColor color = picture.pixelColor(QPoint(x, gap.center().y() + dy) * picture.devicePixelRatio());
                const QColor trials = trialColor(1);
                QVERIFY(std::abs(color.red() - trials.red()) + std::abs(color.blue() - trials.blue()) > 60);
            }
        }
        QTest::mouseMove(view.viewport(), gap.center());
        QTRY_VERIFY(view.accessibleDescription().startsWith(u"idle for 40 s"_s));
        const QString told = view.accessibleDescription();
        QVERIFY2(told.contains(u"trial 1 waited for its retry, attempt 2"_s), qPrintable(told));
        QVERIFY2(told.contains(u"trial 2 is paused"_s), qPrintable(told));
    }

    void clickGoesToTheTrial()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        QSignalSpy activated(&view, &TimelineView::trialActivated);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.rectOf(7, 1).center());
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toInt(), 7);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                          {view.rectOf(7, 1).right() + 8, view.rectOf(7, 1).center().y()});
        QCOMPARE(activated.size(), 1);
    }

    void pointerAndKeysTellWhatIsThere()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        QSignalSpy detail(&view, &TimelineView::detailChanged);
        QTest::mouseMove(view.viewport(), view.rectOf(2, 1).center());
        QTRY_VERIFY(view.accessibleDescription().startsWith(u"Trial 2 · Completed · 8.0 s"_s));
        QTest::mouseMove(view.viewport(), {view.rectOf(2, 1).right() + 8, view.rectOf(2, 1).center().y()});
        QTRY_VERIFY(view.accessibleDescription().startsWith(u"idle for 2.0 s"_s));
        QVERIFY(detail.size() >= 2);

        QSignalSpy activated(&view, &TimelineView::trialActivated);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedTrial(), 1);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedTrial(), 3);
        QVERIFY(view.accessibleDescription().startsWith(u"Trial 3"_s));
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toInt(), 2);
    }

    void wheelZoomsWhereThePointerIs()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        const QRect before = view.rectOf(6, 1);
        turnWheel(view, {before.left(), 40}, 240);
        QVERIFY(!view.isFitted());
        QTRY_VERIFY(std::abs(view.rectOf(6, 1).left() - before.left()) <= 2);
        QVERIFY(view.rectOf(6, 1).width() > before.width() * 1.3);
        QVERIFY(view.horizontalScrollBar()->maximum() > 0);
        for (int i = 0; i < 10; ++i)
            turnWheel(view, {before.left(), 40}, -240);
        QVERIFY2(view.isFitted(), "no further out than everything");
    }

    void dragZoomsIntoItsRange()
    {
        TimelineView view;
        showOn(view, timelineOf(tenTrials(), 100));
        const QRect from = view.rectOf(3, 1);
        const QRect to = view.rectOf(5, 1);
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, from.topLeft() + QPoint(0, 3));
        QTest::mouseMove(view.viewport(), to.topRight() + QPoint(0, 3));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, to.topRight() + QPoint(0, 3));
        QVERIFY(!view.isFitted());
        const auto [left, right] = view.visibleRange();
        QVERIFY(std::abs(left - (start + 20 * second)) < second);
        QVERIFY(std::abs(right - (start + 48 * second)) < second);

        // What runs meanwhile does not move what somebody looks at.
        view.setTimeline(timelineOf(tenTrials(), 400));
        QCOMPARE(view.visibleRange(), std::pair(left, right));
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(view.isFitted());
    }

    void runningBarsGrow()
    {
        TimelineView view;
        showOn(view, timelineOf({running(1, {"cpu:0"}, 0)}, 10));
        view.setNow(start + 20 * second);
        QCOMPARE(view.timeline().rows[0].bars[0].to, start + 20 * second);
        QCOMPARE(view.visibleRange().second, start + 20 * second);
        view.setNow(start + 15 * second);
        QCOMPARE(view.visibleRange().second, start + 20 * second);
    }

    void manyThinBarsAreDrawnTogether()
    {
        std::vector<sweep::TrialRecord> trials;
        for (int n = 1; n <= 10'000; ++n)
            trials.push_back(trial(n, {n % 2 == 0 ? "cpu:0" : "cpu:1"}, n, n + 2));
        TimelineView view;
        showOn(view, timelineOf(trials, 10'002));
        const QImage picture = view.viewport()->grab().toImage();
        const int y = static_cast<int>((view.rectOf(2, 1).center().y() + 5) * picture.devicePixelRatio());
        const QColor base = view.palette().color(QPalette::Base);
        for (int x = view.rectOf(2, 1).left() + 4; x < view.rectOf(10'000, 1).left() - 4; ++x)
            QVERIFY2(picture.pixelColor(static_cast<int>(x * picture.devicePixelRatio()), y) != base,
                     qPrintable(QString::number(x)));
        const auto &bars = view.timeline().rows[0].bars;
        QCOMPARE(barAt(view.timeline().rows[0], bars[2'000].from + 1, 0)->trial, bars[2'000].trial);
    }

    void pageWithoutTrialsSaysWhatToDo()
    {
        client::EngineClient client;
        TimelinePage page(&client);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        QTRY_VERIFY(page.findChild<QLabel *>(u"emptyHint"_s)->text().contains(u"press Start"_s));
    }

private:
    static void showOn(TimelineView &view, Timeline timeline)
    {
        view.resize(1000, 200);
        view.setTimeline(std::move(timeline));
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }
};

QTEST_MAIN(TimelineTest)
#include "tst_timeline.moc"
