#include "testprogram.h"

#include "feed/logwriter.h"
#include "launch/attemptevents.h"
#include "launch/launchspec.h"
#include "ui/examination/findingworker.h"
#include "unit/findings/samplefindings.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;
using tests::second;
using tests::start;

namespace {

/// Writes the files of an attempt whose loss is not finite from the fifth step on.
void writeAttempt(const AttemptLayout &layout, bool ended)
{
    QDir().mkpath(QString::fromStdString(layout.folder.string()));
    launch::LaunchSpec spec;
    spec.attemptId = "1-1-1";
    spec.argv = {"true"};
    spec.workingFolder = "/";
    spec.devices = {{"cpu:0"}};
    QVERIFY(launch::writeLaunchSpec(spec, layout.launchFile()));
    auto events = launch::AttemptEventLog::open(layout.eventsFile());
    QVERIFY(events);
    launch::AttemptEvent event;
    event.time = start;
    QVERIFY(events->append(event));
    auto feed = feed::LogWriter::open(layout.rankFeed(0), {0, 1, start, "1-1-1"});
    QVERIFY(feed);
    const auto loss = feed->declare("loss", "");
    for (int step = 0; step < 30; ++step)
        feed->write(loss, step, start + step * second, step < 5 ? 1.0 : std::nan(""));
    QVERIFY(feed->flush());
    event.kind = launch::AttemptEventKind::Ended;
    event.time = start + 30 * second;
    if (ended)
        QVERIFY(events->append(event));
}

sweep::TrialRecord record(int number, sweep::TrialState state)
{
    sweep::TrialRecord trial;
    trial.sweepId = 1;
    trial.number = number;
    trial.attempts = 1;
    trial.state = state;
    return trial;
}

}  // namespace

class FindingWorkerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void endedAttemptsAreExaminedOnceAndRunningOnesRepeatedly()
    {
        QTemporaryDir folder;
        const WorkspaceLayout workspace{folder.path().toStdString()};
        sweep::SweepRecord sweep;
        sweep.id = 1;
        sweep.folder = "0001-s";
        writeAttempt(workspace.attempt(sweep.folder, 1, 1), true);
        writeAttempt(workspace.attempt(sweep.folder, 2, 1), false);

        FindingWorker worker;
        std::map<int, std::vector<std::shared_ptr<const ExaminedAttempt>>> seen;
        connect(&worker, &FindingWorker::attemptExamined, this,
                [&seen](const auto &examined) { seen[examined->trial].push_back(examined); });
        worker.setSweep(workspace, sweep);
        worker.setTrials({record(1, sweep::TrialState::Completed), record(2, sweep::TrialState::Running)});
        QCOMPARE(worker.attempts(), 2);
        QTest::qWait(0);
        QVERIFY2(seen.empty(), "nobody looks");
        worker.setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(seen[1].size() == 1 && seen[2].size() == 1, patience);
        QCOMPARE(worker.examined(), 2);
        QVERIFY(seen[2][0]->findings[0].live && !seen[1][0]->findings[0].live);
        QCOMPARE(seen[1][0]->findings[0].finding.rule, std::string("not-finite"));
        QVERIFY(!seen[1][0]->findings[0].plot.isEmpty());
        QVERIFY(!seen[1][0]->results.empty());

        QTRY_VERIFY_WITH_TIMEOUT(seen[2].size() >= 2, patience);
        worker.setTrials({record(2, sweep::TrialState::Completed)});
        QTRY_VERIFY_WITH_TIMEOUT(!seen[2].back()->findings[0].live, patience);
        QCOMPARE(seen[1].size(), std::size_t(1));
    }

    void allAttemptsAreExaminedInTheBackgroundTheNewestFirst()
    {
        QTemporaryDir folder;
        const WorkspaceLayout workspace{folder.path().toStdString()};
        sweep::SweepRecord sweep;
        sweep.id = 1;
        sweep.folder = "0001-s";
        sweep.objective = "val_loss";
        std::vector<sweep::TrialRecord> trials;
        for (int number = 1; number <= 12; ++number) {
            writeAttempt(workspace.attempt(sweep.folder, number, 1), true);
            trials.push_back(record(number, sweep::TrialState::Completed));
        }
        FindingWorker worker;
        std::vector<int> seen;
        connect(&worker, &FindingWorker::attemptExamined, this,
                [&seen](const auto &examined) { seen.push_back(examined->trial); });
        worker.setBackground(true);
        worker.setSweep(workspace, sweep);
        worker.setTrials(trials);
        worker.setActive(true);
        QTRY_COMPARE_WITH_TIMEOUT(seen, (std::vector<int>{12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}), patience);
        worker.setBackground(false);

        // Once the objective is known, after an edit, the trial is examined again.
        trials[1].objectiveLast = sweep::ObjectiveValue{0.5, 3};
        worker.setTrials(trials);
        QTRY_COMPARE_WITH_TIMEOUT(seen.size(), std::size_t(13), patience);
        QCOMPARE(seen.back(), 2);
    }

    void startingAttemptIsExaminedAfterItsEnd()
    {
        QTemporaryDir folder;
        const WorkspaceLayout workspace{folder.path().toStdString()};
        sweep::SweepRecord sweep;
        sweep.id = 1;
        sweep.folder = "0001-s";
        FindingWorker worker;
        std::vector<std::shared_ptr<const ExaminedAttempt>> seen;
        connect(&worker, &FindingWorker::attemptExamined, this,
                [&seen](const auto &examined) { seen.push_back(examined); });
        worker.setActive(true);
        worker.setSweep(workspace, sweep);
        worker.setTrials({record(1, sweep::TrialState::Starting)});
        QCOMPARE(worker.attempts(), 0);
        writeAttempt(workspace.attempt(sweep.folder, 1, 1), true);
        worker.setTrials({record(1, sweep::TrialState::Completed)});
        QTRY_VERIFY_WITH_TIMEOUT(!seen.empty(), patience);
        QVERIFY(!seen[0]->findings.empty());
    }

    void attemptWithoutFilesIsReported()
    {
        QTemporaryDir folder;
        AttemptExaminer examiner(WorkspaceLayout{folder.path().toStdString()});
        const ExaminedAttempt examined = examiner.examine({{folder.path().toStdString()}, 4, 1, false}, start);
        QCOMPARE(examined.trial, 4);
        QVERIFY(!examined.problem.empty());
        QVERIFY(examined.findings.empty());
    }
};

SWEEPSCOPE_TEST(FindingWorkerTest)
#include "tst_findingworker.moc"
