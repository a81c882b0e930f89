#include "testprogram.h"

#include "engine/jobverdict.h"
#include "wording/sentence.h"

#include <QTest>

using namespace sweepscope;
using namespace sweepscope::engine;
using facts::Code;
using facts::Fact;
using facts::Field;
using launch::FailureKind;
using slurm::JobState;

namespace {

constexpr std::chrono::seconds before{120};

/// A job that ran for an hour, which was its time, or for ten minutes of it.
slurm::Job jobIn(JobState state, bool atItsLimit = false)
{
    slurm::Job job;
    job.id = "7";
    job.state = state;
    job.nodeList = "n1";
    job.starts = 1000;
    job.ends = atItsLimit ? 4500 : 1600;
    job.limit = 3600;
    return job;
}

AttemptVerdict byFiles(AttemptEnd end, Fact reason = {}, std::optional<FailureKind> failure = {})
{
    return {end, std::move(reason), 5, failure};
}

/// "stopped, to be continued: Its job was preempted by …"
std::string said(const AttemptVerdict &files, const slurm::JobView &job, bool isRequested = false)
{
    const auto verdict = verdictOfJob(files, isRequested, job, before);
    if (!verdict)
        return "not known yet";
    return toString(verdict->end) + (verdict->isToBeContinued ? ", to be continued" : "") + ": "
           + wording::sentence(verdict->reason);
}

}  // namespace

class TestJobVerdict : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatFilesAndSlurmSayTogether_data()
    {
        const AttemptVerdict completed = byFiles(AttemptEnd::Completed);
        const AttemptVerdict stopped = byFiles(AttemptEnd::Stopped, Code::EndedOnRequest);
        const AttemptVerdict killed =
            byFiles(AttemptEnd::Failed, Fact(Code::RankKilled).with(Field::Rank, 0).with(Field::Signal, 15),
                    FailureKind::Signal);
        const AttemptVerdict lost =
            byFiles(AttemptEnd::Lost, Fact(Code::AgentLost).with(Field::Pid, 9), FailureKind::Lost);
        const AttemptVerdict notStarted =
            byFiles(AttemptEnd::Failed, Fact(Code::AgentNotStarted).with(Field::Detail, "module load failed"),
                    FailureKind::NotStarted);
        const std::string ofKilled = "failed: " + wording::sentence(killed.reason);
        const std::string ofStopped = "stopped: " + wording::sentence(stopped.reason);
        const std::string limit = "stopped, to be continued: Its job reached its time limit (slurm.time)";
        const std::string preempted = "stopped, to be continued: Its job was preempted by one with a higher priority";
        const std::string node = "stopped, to be continued: Its node failed (n1)";
        const std::string cancelled = "stopped: Its job was canceled";
        const std::string unknown = "not known yet";

        QTest::addColumn<AttemptVerdict>("files");
        QTest::addColumn<slurm::JobView>("job");
        QTest::addColumn<std::string>("expected");
        const auto row = [](const char *name, const AttemptVerdict &files, const slurm::JobView &job,
                            const std::string &expected) { QTest::newRow(name) << files << job << expected; };
        row("completed needs no word", completed, slurm::Unknown{}, "completed: ");
        row("completed, whatever Slurm says", completed, jobIn(JobState::TimedOut), "completed: ");
        row("stopped by whom?", stopped, slurm::Unknown{}, unknown);
        row("stopped, its job still ends", stopped, jobIn(JobState::Running), unknown);
        row("saved before its time was over", stopped, jobIn(JobState::Completed, true), limit);
        row("saved before it was preempted", stopped, jobIn(JobState::Completed), preempted);
        row("preempted", stopped, jobIn(JobState::Preempted), preempted);
        row("cancelled by somebody", stopped, jobIn(JobState::Cancelled), cancelled);
        row("stopped, and forgotten by Slurm", stopped, slurm::Gone{}, ofStopped);
        row("a rank ended by Slurm's signal", killed, jobIn(JobState::TimedOut), limit);
        row("a rank ended by scancel", killed, jobIn(JobState::Cancelled), cancelled);
        row("a rank that failed", killed, jobIn(JobState::Failed), ofKilled);
        row("a rank that failed, its job completed", killed, jobIn(JobState::Completed), ofKilled);
        row("out of memory", killed, jobIn(JobState::OutOfMemory),
            "failed: Its job used more memory than it requested; request more: extra = [\"--mem=…\"]");
        row("lost with its node", lost, jobIn(JobState::NodeFailed), node);
        row("lost with a node that did not boot", lost, jobIn(JobState::BootFailed), node);
        row("lost at its limit", lost, jobIn(JobState::TimedOut), limit);
        row("lost, cancelled", lost, jobIn(JobState::Cancelled), cancelled);
        row("lost, for no reason", lost, jobIn(JobState::Completed), "lost: " + wording::sentence(lost.reason));
        row("lost without a trace", lost, slurm::Gone{},
            "lost: Its job has vanished from Slurm's queue, and its agent reported no end");
        row("never began, cancelled", notStarted, jobIn(JobState::Cancelled), cancelled);
        row("never began, its script failed", notStarted, jobIn(JobState::Failed),
            "failed: " + wording::sentence(notStarted.reason));
        row("never began, its node failed", notStarted, jobIn(JobState::NodeFailed), node);
        row("never submitted", byFiles(AttemptEnd::NeverStarted, Code::EngineEndedBeforeStart), slurm::Unknown{},
            "never started: " + wording::sentence(Code::EngineEndedBeforeStart));
    }

    void whatFilesAndSlurmSayTogether()
    {
        QFETCH(AttemptVerdict, files);
        QFETCH(slurm::JobView, job);
        QFETCH(std::string, expected);
        QCOMPARE(said(files, job), expected);
    }

    void anEndFromHereNeedsNoWordOfSlurm()
    {
        const AttemptVerdict stopped = byFiles(AttemptEnd::Stopped, Code::StoppedOnRequest);
        for (const slurm::JobView &job : {slurm::JobView(slurm::Unknown{}), slurm::JobView(slurm::Gone{}),
                                          slurm::JobView(jobIn(JobState::Cancelled))})
            QCOMPARE(said(stopped, job, true), std::string("stopped: Stopped on request"));
    }

    void whatSlurmEndedIsNoFailureOfTheTrial()
    {
        const auto verdict = verdictOfJob(byFiles(AttemptEnd::Failed, Code::OtherFailure, FailureKind::Signal), false,
                                          jobIn(JobState::Preempted), before);
        QVERIFY(verdict && !verdict->failure);
        const auto memory = verdictOfJob(byFiles(AttemptEnd::Lost, Code::AgentLost, FailureKind::Lost), false,
                                         jobIn(JobState::OutOfMemory), before);
        QVERIFY(memory && memory->failure == FailureKind::OutOfMemory);
    }
};

Q_DECLARE_METATYPE(sweepscope::engine::AttemptVerdict)
Q_DECLARE_METATYPE(sweepscope::slurm::JobView)

SWEEPSCOPE_TEST(TestJobVerdict)
#include "tst_jobverdict.moc"
