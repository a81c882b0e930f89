#include "testprogram.h"

#include "launch/agentprocess.h"
#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "ui/timeline/thinbars.h"
#include "ui/timeline/timeaxis.h"
#include "ui/timeline/timelinedata.h"
#include "ui/timeline/timelinewords.h"
#include "ui/timeline/waitingmodel.h"
#include "unit/timeline/sampletimeline.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

class TimelineRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thinBarsAreCountedByPixel()
    {
        ThinBars thin(10, 20);
        thin.add(9.5, 10.25, sweep::TrialState::Completed);
        thin.add(10.5, 10.75, sweep::TrialState::Completed);
        thin.add(12.75, 13.25, sweep::TrialState::Completed);
        thin.add(13.5, 13.5, sweep::TrialState::Failed);
        thin.add(19.5, 25, sweep::TrialState::Pruned);
        const std::vector<ThinBars::Pixel> pixels = thin.pixels();
        QCOMPARE(pixels.size(), std::size_t(4));
        QCOMPARE(pixels[0].x, 10.0);
        QCOMPARE(pixels[0].busy, 0.5);
        QCOMPARE(pixels[1].x, 12.0);
        QCOMPARE(pixels[1].busy, 0.25);
        QVERIFY(pixels[2].state == sweep::TrialState::Failed);  // although it is the shortest
        QVERIFY(pixels[3].state == sweep::TrialState::Pruned);
        QCOMPARE(pixels[3].busy, 0.5);
    }

    void withoutTrialsThereAreNoRows()
    {
        QVERIFY(timelineOf({}, 10).isEmpty());
        QVERIFY(timelineOf({waiting(1, facts::Code::Queued)}, 10).isEmpty());
    }

    void useByOtherSweepsIsNotIdleTime()
    {
        const std::vector own{trial(1, {"cpu:0", "cpu:1"}, 0, 20), trial(2, {"cpu:0", "cpu:1"}, 60, 100)};
        auto theirs = std::vector{trial(1, {"cpu:0"}, 10, 40), trial(2, {"cpu:0"}, 30, 50), trial(3, {"cpu:7"}, 0, 9),
                                  trial(4, {"cpu:0"}, 200, 210), running(5, {"cpu:1"}, 90)};
        std::vector<OtherUse> others;
        addUses(7, theirs, start, start + 100 * second, others);
        QCOMPARE(others.size(), std::size_t(4));
        const Timeline timeline = makeTimeline(own, {}, {}, start + 100 * second, others);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.busy, 0.6);
        QCOMPARE(timeline.other, 0.15);  // of one of two devices
        QCOMPARE(timeline.rows[0].others.size(), std::size_t(2));
        QVERIFY(idleText(timeline, 0, start + 45 * second).startsWith(u"used by sweep #7 for 20 s"_s));
        QVERIFY(idleText(timeline, 0, start + 55 * second).startsWith(u"idle"_s));
        QVERIFY(idleText(timeline, 1, start + 45 * second).startsWith(u"idle"_s));
    }

    void withoutStartedTrialsTheRangeStartsNow()
    {
        sweep::TrialRecord waiting = trial(1, {}, 0, 0);
        waiting.attempts = 0;
        waiting.started.reset();
        waiting.state = sweep::TrialState::Queued;
        const Timeline timeline = timelineOf({waiting}, 10);
        QCOMPARE(timeline.from, start + 10 * second);
        QCOMPARE(timeline.to, timeline.from);
    }

    void devicesAreOrderedRowsAndTrialsAreBars()
    {
        const Timeline timeline =
            timelineOf({trial(1, {"cpu:1"}, 0, 10), trial(2, {"cpu:0"}, 0, 5), running(3, {"cpu:0"}, 6)}, 10);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].title, u"core 0"_s);
        QCOMPARE(timeline.rows[1].title, u"core 1"_s);
        QCOMPARE(timeline.rows[0].bars.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].bars[1].to, start + 10 * second);
        QVERIFY(timeline.rows[0].bars[1].continues);
        QCOMPARE(timeline.rows[0].busy, 0.9);
        QCOMPARE(timeline.busy, 0.95);
        QCOMPARE(timeline.attempts, 3);
    }

    void trialOnSeveralDevicesIsInEachRowOnce()
    {
        const Timeline timeline = timelineOf({trial(1, {"cpu:0", "cpu:1", "cpu:0"}, 0, 10)}, 10);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].bars.size(), std::size_t(1));
        QCOMPARE(timeline.attempts, 1);
    }

    void concurrentTrialsOnADeviceHaveSeparateLanes()
    {
        const Timeline timeline =
            timelineOf({trial(1, {"cpu:0"}, 0, 10), trial(2, {"cpu:0"}, 5, 15), trial(3, {"cpu:0"}, 10, 20)}, 20);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QCOMPARE(timeline.rows[0].bars.size(), std::size_t(2));
        QCOMPARE(timeline.rows[1].title, QString());
        QCOMPARE(timeline.rows[1].bars[0].trial, 2);
        QCOMPARE(timeline.rows[0].busy, 1.0);
    }

    void unusedGpuIsARow()
    {
        std::vector<protocol::DeviceStatus> gpus(3);
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

    void removedDeviceKeepsItsRow()
    {
        const Timeline timeline = timelineOf({trial(1, {"GPU-old"}, 0, 10)}, 10);
        QCOMPARE(timeline.rows[0].title, u"GPU-old"_s);
    }

    void rowsAreInOrderOfMachines()
    {
        std::vector<protocol::DeviceStatus> known(3);
        for (int i = 0; i < 3; ++i) {
            known[static_cast<std::size_t>(i)].gpu = true;
            known[static_cast<std::size_t>(i)].index = i;
            known[static_cast<std::size_t>(i)].id = i == 0 ? u"GPU-0"_s : u"GPU-%1@gpu1"_s.arg(i);
        }
        const Timeline timeline =
            makeTimeline({trial(1, {"cpu:3@gpu1", "cpu:12@gpu1"}, 0, 10), trial(2, {"cpu:1"}, 0, 10),
                          trial(3, {"GPU-2@gpu1"}, 0, 10), trial(4, {"GPU-x@away"}, 0, 10)},
                         {}, known, start + 10 * second);
        QStringList titles;
        for (const TimelineRow &row : timeline.rows)
            titles << row.title;
        QCOMPARE(titles, QStringList({u"core 1"_s, u"away: GPU-x"_s, u"gpu1: GPU 1"_s, u"gpu1: GPU 2"_s,
                                      u"gpu1: core 3"_s, u"gpu1: core 12"_s}));
    }

    void earlierAttemptsAndPausesComeFromTheirFiles()
    {
        sweep::TrialRecord paused = running(1, {"cpu:0"}, 0);
        paused.attempts = 2;
        paused.state = sweep::TrialState::Paused;
        QCOMPARE(attemptsOnlyInFiles({paused}), (std::vector<AttemptKey>{{1, 1}, {1, 2}}));
        QVERIFY2(attemptsOnlyInFiles({trial(2, {}, 0, 1), running(3, {}, 0), waiting(4, facts::Code::Queued)}).empty(),
                 "records tell all");
        QVERIFY2(timelineOf({paused}, 40).isEmpty(), "nothing is made up before the files are read");

        const AttemptSpans spans{
            {{1, 1}, {start, start + 10 * second, sweep::TrialState::Failed, {"cpu:0"}}},
            {{1, 2}, {start + 15 * second, start + 30 * second, sweep::TrialState::Paused, {"cpu:1"}}}};
        const Timeline timeline = timelineOf({paused}, 40, spans);
        QCOMPARE(timeline.rows.size(), std::size_t(2));
        QVERIFY(timeline.rows[0].bars[0].state == sweep::TrialState::Failed);
        QVERIFY(timeline.rows[1].bars[0].state == sweep::TrialState::Paused);
        QCOMPARE(timeline.rows[1].bars[0].to, start + 30 * second);
        QCOMPARE(timeline.rows[1].breaks.size(), std::size_t(2));
        QCOMPARE(timeline.rows[1].breaks[0].from, start + 10 * second);
        QCOMPARE(timeline.rows[1].breaks[0].to, start + 15 * second);
        QCOMPARE(timeline.rows[1].breaks[1].to, start + 40 * second);
        QVERIFY(timeline.rows[1].breaks[1].continues);
    }

    void jobsWaitBeforeTheirAttempts()
    {
        const std::vector<std::string> devices{"job:0@localhost", "job:1@localhost"};
        sweep::TrialRecord ran = trial(1, devices, 4, 9);
        sweep::TrialRecord runs = running(2, devices, 6);
        sweep::TrialRecord waits = running(3, devices, 0);
        waits.state = sweep::TrialState::Starting;
        waits.started.reset();
        waits.attemptStarted.reset();
        QCOMPARE(attemptsOnlyInFiles({ran, runs, waits}), (std::vector<AttemptKey>{{1, 1}, {2, 1}, {3, 1}}));
        const auto submitted = [](int at) { return std::optional(start + at * second); };
        const AttemptSpans spans{
            {{1, 1}, {start + 4 * second, submitted(9), sweep::TrialState::Completed, {}, submitted(1)}},
            {{2, 1}, {start + 6 * second, std::nullopt, sweep::TrialState::Running, {}, submitted(2)}},
            {{3, 1}, {0, std::nullopt, sweep::TrialState::Running, {}, submitted(3)}}};
        const Timeline timeline = timelineOf({ran, runs, waits}, 10, spans);
        QCOMPARE(timeline.from, start + second);
        QCOMPARE(timeline.attempts, 2);
        QCOMPARE(timeline.rows.size(), std::size_t(3));
        QCOMPARE(timeline.rows[0].title, u"Slurm: jobs"_s);
        std::vector<std::array<WallNs, 4>> bars;
        for (const TimelineRow &row : timeline.rows) {
            QCOMPARE(row.device, devices.front());
            QCOMPARE(row.busy, 6.0 / 9);  // from 4 to 10: waiting keeps nothing busy
            for (const TimelineBar &bar : row.bars)
                bars.push_back({bar.trial, bar.kind == TimelineBar::Kind::Queue, (bar.from - start) / second,
                                (bar.to - start) / second});
        }
        QCOMPARE(bars, (std::vector<std::array<WallNs, 4>>{
                           {1, 1, 1, 4}, {1, 0, 4, 9}, {2, 1, 2, 6}, {2, 0, 6, 10}, {3, 1, 3, 10}}));
        QVERIFY(timeline.rows[2].bars[0].continues);
        QVERIFY(!timeline.rows[0].bars[0].continues);
    }

    void attemptIsReadFromItsAgentsEvents()
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
        event.pid = ::getpid();
        event.startTime = *launch::processStartTime(event.pid);
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
        QVERIFY(data.spans().at({7, 1}).state == sweep::TrialState::Failed);
    }

    void attemptOfAKilledAgentIsLostAndOver()
    {
        QTemporaryDir folder;
        const AttemptLayout layout = WorkspaceLayout{folder.path().toStdString()}.attempt("0001-s", 7, 1);
        std::filesystem::create_directories(layout.folder);
        launch::LaunchSpec spec;
        spec.attemptId = "1-7-1";
        spec.argv = {"true"};
        spec.workingFolder = "/";
        spec.devices = {{"cpu:0"}};
        QVERIFY(launch::writeLaunchSpec(spec, layout.launchFile()));
        auto log = launch::AttemptEventLog::open(layout.eventsFile());
        launch::AttemptEvent event;
        event.time = start;
        event.pid = ::getpid();
        event.startTime = 1;  // of a process that has ended
        QVERIFY(log && log->append(event));
        const auto span = readAttemptSpan(layout);
        QVERIFY(span && span->to);
        QVERIFY(span->state == sweep::TrialState::Lost);

        spec.devices = {{}};  // of a job
        QVERIFY(launch::writeLaunchSpec(spec, layout.launchFile()));
        QVERIFY(readAttemptSpan(layout)->queued);
        std::filesystem::remove(layout.eventsFile());
        const auto waits = readAttemptSpan(layout);
        QVERIFY(waits && waits->queued && waits->from == 0 && !waits->to);
        spec.devices = {{"cpu:0"}};
        QVERIFY(launch::writeLaunchSpec(spec, layout.launchFile()));
        QVERIFY2(!readAttemptSpan(layout), "no job");

        event.startTime = *launch::processStartTime(event.pid);  // of a process of another machine
        spec.machine = "gpu1";
        QVERIFY(launch::writeLaunchSpec(spec, layout.launchFile()));
        std::filesystem::remove(layout.eventsFile());
        log = launch::AttemptEventLog::open(layout.eventsFile());
        QVERIFY(log && log->append(event));
        const auto there = readAttemptSpan(layout);
        QVERIFY(there && there->to);
        QCOMPARE(there->devices, std::vector<std::string>{"cpu:0@gpu1"});

        sweep::TrialRecord retried = trial(7, {"cpu:0"}, 0, 20);
        retried.attempts = 2;
        retried.attemptStarted = start + 15 * second;
        const AttemptSpans spans{{{7, 1}, {start, start + 10 * second, sweep::TrialState::Lost, {"cpu:0"}}}};
        const Timeline timeline = timelineOf({retried}, 40, spans);
        QVERIFY(timeline.rows[0].bars[0].state == sweep::TrialState::Lost);
        QCOMPARE(timeline.rows[0].bars[0].to, start + 10 * second);
        QVERIFY(!timeline.rows[0].bars[0].continues);
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

    void waitingTrialsHaveReasons()
    {
        WaitingModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setTrials({trial(1, {}, 0, 1), waiting(2, facts::Code::SweepPaused), waiting(3, facts::Code::Queued),
                         waiting(4, facts::Code::Queued)});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, WaitingModel::Why).data().toString(), u"The sweep is paused"_s);
        QCOMPARE(model.index(1, WaitingModel::Why).data().toString(), u"Queued"_s);
        QCOMPARE(model.index(2, WaitingModel::Trial).data(WaitingModel::NumberRole).toInt(), 4);
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        model.setTrials({waiting(3, facts::Code::Queued), waiting(4, facts::Code::Queued)});
        QCOMPARE(removed.size(), 1);
        QCOMPARE(inserted.size(), 0);
        model.setTrials(
            {waiting(3, facts::Code::Queued), waiting(4, facts::Code::DiskFull), waiting(5, facts::Code::Queued)});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(1, WaitingModel::Why).data().toString(), u"Waiting for free disk space"_s);
        model.setTrials({});
        QCOMPARE(model.rowCount(), 0);
    }
};

SWEEPSCOPE_TEST(TimelineRowsTest)
#include "tst_timelinerows.moc"
