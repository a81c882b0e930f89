#include "testprogram.h"
#include "unit/engine/samplevalues.h"

#include "base/files.h"
#include "engine/attemptmonitor.h"
#include "engine/localagent.h"
#include "feed/feedwriter.h"
#include "feed/logwriter.h"
#include "feed/ring.h"
#include "launch/rankfeeds.h"
#include "node/attemptrecovery.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <memory>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::engine;
using launch::AttemptEvent;
using launch::AttemptEventKind;
using launch::AttemptOutcome;

namespace {

/// Limits the size of this process's files during its lifetime: larger writes fail as on a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        rlimit tight = m_before;
        tight.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &tight);
    }
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    rlimit m_before{};
};

/// A process that runs until it is signalled, in place of an agent.
class LivingProcess {
public:
    explicit LivingProcess(void (*onTerm)(int) = SIG_DFL, bool isPastItsRanks = false)
    {
        int ready[2];
        if (::pipe2(ready, O_CLOEXEC) != 0)
            qFatal("no pipe");
        m_pid = ::fork();
        if (m_pid == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::signal(SIGTERM, onTerm);  // replaces Qt Test's handler
            ::signal(SIGTSTP, SIG_IGN);
            if (isPastItsRanks)
                launch::declarePastRanks();
            ::close(ready[1]);
            for (;;)
                ::pause();
        }
        ::close(ready[1]);
        char none = 0;
        (void)!::read(ready[0], &none, 1);  // end of file: the child has set its handlers
        ::close(ready[0]);
    }
    ~LivingProcess() { end(SIGKILL); }
    int end(int signal)
    {
        if (m_pid == 0)
            return 0;
        ::kill(m_pid, signal);
        return wait();
    }
    /// Waits for its end and returns the signal that ended it.
    int wait()
    {
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        m_pid = 0;
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
    launch::ProcessIdentity identity() const { return {m_pid, launch::processStartTime(m_pid).value_or(0)}; }

private:
    pid_t m_pid;
};

/// The agent is a process of this machine.
class LocalMonitor : public AttemptMonitor {
public:
    explicit LocalMonitor(const Attempt &attempt)
        : AttemptMonitor(attempt, std::make_unique<LocalAgent>(attempt.files, attempt.id, attempt.ranks))
    {}
};

/// What a machine says about an attempt.
struct OtherMachine {
    bool isReachable = true;
    std::optional<launch::AgentLife> life = launch::AgentLife{};
    std::uint64_t looks = 1;
    AgentFound found{};
    facts::Fact lost{};
    std::vector<int> signals{};
    bool hasEnded = false;
};

class OtherAgent : public AgentHost {
public:
    explicit OtherAgent(OtherMachine &machine) : m_machine(machine) {}
    bool isReachable() const override { return m_machine.isReachable; }
    facts::Fact lost() override { return m_machine.lost; }
    std::optional<launch::AgentLife> life(const launch::ProcessIdentity &) const override { return m_machine.life; }
    std::uint64_t looks() const override { return m_machine.looks; }
    std::optional<std::uint64_t> activity(const launch::ProcessIdentity &) const override { return std::nullopt; }
    void signal(const launch::ProcessIdentity &, int signal) override { m_machine.signals.push_back(signal); }
    AgentFound find(WallNs) override { return m_machine.found; }
    void found(const launch::ProcessIdentity &) override {}
    bool needsRecovery(const launch::ProcessIdentity &) const override { return false; }
    std::optional<node::Recovery> recover(const launch::ProcessIdentity &) override { return node::Recovery(); }
    void ended() override { m_machine.hasEnded = true; }
    Expected<void> write(const std::string &, const std::string &) override { return {}; }

private:
    OtherMachine &m_machine;
};

}  // namespace

class TestAttemptMonitor : public QObject {
    Q_OBJECT

    AttemptMonitor::Attempt attempt(std::optional<launch::ProcessIdentity> agent) const
    {
        return {m_files, "attempt-of-a-test", 2, "val_loss", sweep::Goal::Minimize, std::nullopt, agent};
    }
    void writeEvent(AttemptEventKind kind, const facts::Fact &reason = {},
                    AttemptOutcome outcome = AttemptOutcome::Completed)
    {
        AttemptEvent event;
        event.time = 5 * second;
        event.kind = kind;
        event.reason = reason;
        event.outcome = outcome;
        event.rank = 0;
        event.pid = ::getpid();
        event.startTime = launch::processStartTime(::getpid()).value_or(0);
        auto log = launch::AttemptEventLog::open(m_files.eventsFile());
        QVERIFY(log && log->append(event));
    }
    void report(std::int64_t step, double value)
    {
        auto writer = feed::LogWriter::open(m_files.rankFeed(0), {});
        QVERIFY(writer.has_value());
        writer->write(writer->declare("val_loss"), step, step, value);
        QVERIFY(writer->flush().has_value());
    }
    /// Returns after the process has stopped.
    static void stopProcess(pid_t pid)
    {
        ::kill(pid, SIGSTOP);
        int status = 0;
        QCOMPARE(::waitpid(pid, &status, WUNTRACED), pid);
        QVERIFY(WIFSTOPPED(status));
    }
    static std::string ringName(const LivingProcess &agent)
    {
        return launch::ringFileName("attempt-of-a-test", agent.identity(), 0);
    }
    static void pollUntilVerdict(AttemptMonitor &monitor, WallNs now)
    {
        for (int i = 0; i < 10 && !monitor.verdict(); ++i)
            monitor.poll(now);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    AttemptLayout m_files;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_files.folder = m_folder->path().toStdString();
    }

    void endedAttemptGivesItsOutcomeAndItsLastObjective()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        monitor.poll(second);
        QVERIFY(!monitor.ranksStarted());
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::RankStarted);
        report(10, 0.5);
        monitor.poll(second);
        QVERIFY(monitor.ranksStarted());
        QCOMPARE(monitor.objective().last()->value, 0.5);
        QVERIFY(!monitor.verdict());

        report(20, 0.25);
        writeEvent(AttemptEventKind::Ended);
        agent.end(SIGKILL);
        pollUntilVerdict(monitor, 9 * second);
        QVERIFY(monitor.verdict().has_value());
        QVERIFY(monitor.verdict()->end == AttemptEnd::Completed);
        QVERIFY(!monitor.verdict()->reason);
        QCOMPARE(monitor.verdict()->time, 5 * second);
        QVERIFY2(monitor.objective().last()->value == 0.25, "what came just before the end is read");
    }

    void durationIsTheAgentsWhateverTheClock_data()
    {
        QTest::addColumn<WallNs>("said");
        QTest::addColumn<WallNs>("expected");
        const WallNs day = 24 * 3600 * second;
        const WallNs started = 100 * day;
        QTest::newRow("not set") << started + 60 * second + 1 << started + 60 * second + 1;
        QTest::newRow("back") << started - 2 * day << started + 60 * second;
        QTest::newRow("forward") << started + 3 * day << started + 60 * second;
    }
    void durationIsTheAgentsWhateverTheClock()
    {
        QFETCH(const WallNs, said);
        QFETCH(const WallNs, expected);
        const WallNs started = 100 * 24 * 3600 * second;
        LivingProcess agent(SIG_DFL, true);
        LocalMonitor monitor(attempt(agent.identity()));
        auto log = launch::AttemptEventLog::open(m_files.eventsFile());
        QVERIFY(log.has_value());
        AttemptEvent event;
        event.time = started;
        QVERIFY(log->append(event).has_value());
        event.kind = AttemptEventKind::Ended;
        event.time = said;
        event.elapsed = 60 * second;
        QVERIFY(log->append(event).has_value());
        pollUntilVerdict(monitor, started + 7 * 24 * 3600 * second);
        QCOMPARE(monitor.verdict()->time, expected);
    }

    void firstErrorIsTheCauseOfAFailedAttempt()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        const facts::Fact first = facts::Fact(facts::Code::RankExited).with(facts::Field::Rank, 1);
        writeEvent(AttemptEventKind::FirstError, first);
        writeEvent(AttemptEventKind::Ended, facts::Code::TelemetryProblem, AttemptOutcome::Failed);
        agent.end(SIGKILL);
        pollUntilVerdict(monitor, second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Failed);
        QVERIFY(monitor.verdict()->reason == first);
    }

    void killedAgentMeansLostWithRecoveredTelemetry()
    {
        LivingProcess agent;
        const auto ring = feed::ringFolder() / ringName(agent);
        auto drain = feed::RingDrain::create(ring, m_files.rankFeed(0), {});
        QVERIFY2(drain.has_value(), drain ? "" : drain.error().message.c_str());
        std::filesystem::create_symlink(ring, m_files.rankRing(0));
        {
            auto writer = feed::FeedWriter::open(ring);
            QVERIFY(writer.has_value());
            writer->write(writer->declare("val_loss"), 3, 0.125);
        }
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::RankStarted);
        monitor.poll(second);
        QVERIFY(!monitor.verdict());

        agent.end(SIGKILL);
        pollUntilVerdict(monitor, 2 * second);
        QVERIFY(monitor.verdict().has_value());
        QVERIFY(monitor.verdict()->end == AttemptEnd::Lost);
        QCOMPARE(monitor.objective().last()->value, 0.125);
        QVERIFY2(!std::filesystem::exists(ring), "the ring is gone");
        QVERIFY2(std::filesystem::file_size(m_files.rankFeed(0)) > 0, "and what was in it is in the log");
    }

    void agentThatEndsWithoutEventsHasNotStarted()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        QVERIFY(writeFileAtomically(m_files.agentLog(), "first\nlaunch.json is broken\n").has_value());
        agent.end(SIGTERM);
        pollUntilVerdict(monitor, second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Failed);
        QVERIFY(monitor.verdict()->reason.code == facts::Code::AgentNotStarted);
        QCOMPARE(monitor.verdict()->reason.text(facts::Field::Detail), std::string("launch.json is broken"));
    }

    void agentThatCannotWriteItsFirstEventHasStartedNothing()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        QVERIFY(launch::AttemptEventLog::open(m_files.eventsFile()).has_value());
        agent.end(SIGKILL);
        pollUntilVerdict(monitor, second);
        QVERIFY(monitor.verdict().has_value());
        QVERIFY(monitor.verdict()->end == AttemptEnd::NeverStarted);
    }

    void lostAttemptEndsOnceTheDiskHasSpaceForItsTelemetry()
    {
        LivingProcess agent;
        const auto ring = feed::ringFolder() / ringName(agent);
        auto drain = feed::RingDrain::create(ring, m_files.rankFeed(0), {});
        QVERIFY2(drain.has_value(), drain ? "" : drain.error().message.c_str());
        std::filesystem::create_symlink(ring, m_files.rankRing(0));
        {
            auto writer = feed::FeedWriter::open(ring);
            QVERIFY(writer.has_value());
            const auto series = writer->declare("val_loss");
            for (int step = 1; step <= 100; ++step)
                writer->write(series, step, 0.125);
        }
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        agent.end(SIGKILL);
        {
            const FileSizeLimit full(1000);
            for (int i = 1; i <= 10; ++i)
                monitor.poll(10 * i * second);
            QVERIFY(!monitor.verdict());
            QVERIFY(!monitor.takeWarning().empty());
            QVERIFY2(monitor.takeWarning().empty(), "it is said once");
            QVERIFY(std::filesystem::exists(ring));
        }
        pollUntilVerdict(monitor, 200 * second);
        QVERIFY(monitor.verdict().has_value());
        QVERIFY(monitor.verdict()->end == AttemptEnd::Lost);
        QCOMPARE(monitor.objective().last()->step, 100);
        QVERIFY(!std::filesystem::exists(ring));
    }

    void invalidRingIsDiscardedAtTheEnd()
    {
        const auto ring = m_files.folder / "ring";
        auto drain = feed::RingDrain::create(ring, m_files.rankFeed(0), {0, 1, 1, "1-1-1"}, feed::minRingBytes);
        QVERIFY2(drain.has_value(), drain ? "" : drain.error().message.c_str());
        std::filesystem::create_symlink(ring, m_files.rankRing(0));
        QVERIFY(drain->drain().has_value());
        {
            auto writer = feed::FeedWriter::open(ring);
            QVERIFY(writer.has_value());
            const auto series = writer->declare("val_loss");
            for (int step = 1; step <= 100; ++step)
                writer->write(series, step, 0.125);
        }
        // Its header claims that all of it is in the log.
        QFile header(QString::fromStdString(ring.string()));
        QVERIFY(header.open(QIODevice::ReadWrite | QIODevice::Unbuffered));
        const auto read = [&header](qint64 place) { return header.seek(place) ? header.read(8) : QByteArray(); };
        constexpr qint64 placeOfCommitted = 64;
        constexpr qint64 placeOfDrained = 128;
        const QByteArray truth = read(placeOfDrained);
        const QByteArray lie = read(placeOfCommitted);
        QVERIFY(header.seek(placeOfDrained) && header.write(lie) == 8);
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        for (int i = 1; i <= 3; ++i)
            monitor.poll(i * second);
        QVERIFY(!monitor.takeWarning().empty());

        QVERIFY(header.seek(placeOfDrained) && header.write(truth) == 8);
        QVERIFY(drain->drain().has_value());
        monitor.poll(4 * second);
        QVERIFY2(!monitor.objective().last(), "the reader has given it up");
        std::filesystem::remove(m_files.rankRing(0));
        std::filesystem::remove(ring);
        writeEvent(AttemptEventKind::Ended);
        agent.end(SIGKILL);
        pollUntilVerdict(monitor, 10 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Completed);
        QVERIFY(monitor.objective().last().has_value());
        QCOMPARE(monitor.objective().last()->step, 100);
    }

    void unconfirmedEndEndsNothing()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::Ended);
        pollUntilVerdict(monitor, 2 * second);
        QVERIFY(!monitor.verdict());
        QVERIFY(launch::isAlive(agent.identity()));

        monitor.poll(20 * second);
        QVERIFY(!monitor.takeWarning().empty());
        QCOMPARE(agent.wait(), SIGTERM);
        pollUntilVerdict(monitor, 21 * second);
        QVERIFY(monitor.verdict().has_value());
        QVERIFY2(monitor.verdict()->end == AttemptEnd::Failed, "not completed, as the file says");
        QCOMPARE(monitor.verdict()->time, 21 * second);
    }

    void unresponsiveAgentAfterAForgedEndIsKilled()
    {
        LivingProcess agent(SIG_IGN);
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::Ended);
        monitor.poll(second);
        monitor.poll(20 * second);
        QVERIFY(launch::isAlive(agent.identity()));
        monitor.poll(60 * second);
        QCOMPARE(agent.wait(), SIGKILL);
    }

    void endIsConfirmedByTheAgentsProcessName()
    {
        LivingProcess agent(SIG_DFL, true);
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::Ended);
        pollUntilVerdict(monitor, 9 * second);
        QVERIFY2(monitor.verdict().has_value(), "though it still compresses its logs");
        QVERIFY(monitor.verdict()->end == AttemptEnd::Completed);
        QVERIFY(launch::isAlive(agent.identity()));
    }

    void timeOfTheEndIsWithinTheAttempt()
    {
        for (const auto &[began, now, expected] :
             {std::tuple(2 * second, 9 * second, 5 * second), std::tuple(6 * second, 9 * second, 6 * second),
              std::tuple(2 * second, 4 * second, 4 * second), std::tuple(8 * second, 4 * second, 4 * second)}) {
            init();
            auto of = attempt(launch::ProcessIdentity{999'999'999, 1});
            of.began = began;
            LocalMonitor monitor(of);
            writeEvent(AttemptEventKind::AgentStarted);
            writeEvent(AttemptEventKind::Ended);  // at 5 s
            pollUntilVerdict(monitor, now);
            QCOMPARE(monitor.verdict()->time, expected);
        }
    }

    void replacedEventFileEndsTheAttemptWithAClearCause()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        monitor.poll(second);
        std::filesystem::remove(m_files.eventsFile());
        std::filesystem::create_symlink("/dev/zero", m_files.eventsFile());
        monitor.poll(2 * second);
        QCOMPARE(agent.wait(), SIGTERM);
        pollUntilVerdict(monitor, 3 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Failed);
        QVERIFY(monitor.verdict()->reason.code == facts::Code::EventsReplaced);
    }

    void eventFileThatWasReplacedBeforeItWasReadEndsTheAttempt()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        QVERIFY(writeFileAtomically(m_files.eventsFile(), "\n", Survives::Kill));
        monitor.poll(second);
        QCOMPARE(agent.wait(), SIGTERM);
        pollUntilVerdict(monitor, 2 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Failed);
        QVERIFY(monitor.verdict()->reason.code == facts::Code::EventsReplaced);
    }

    void removedFolderIsTheCause()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::RankStarted);
        monitor.poll(second);
        std::filesystem::remove_all(m_files.folder);
        pollUntilVerdict(monitor, 2 * second);
        QVERIFY2(!monitor.verdict(), "it may still end well for itself");
        agent.end(SIGTERM);
        pollUntilVerdict(monitor, 3 * second);
        QVERIFY2(monitor.verdict()->end == AttemptEnd::Failed, "nobody was killed");
        QVERIFY(monitor.verdict()->reason.code == facts::Code::FolderVanished);
    }

    void silentAgentIsReportedAndKilledAfterItsTimeout()
    {
        LivingProcess agent;
        stopProcess(agent.identity().pid);
        auto of = attempt(agent.identity());
        of.began = second;
        of.timeout = std::chrono::seconds(40);
        LocalMonitor monitor(of);
        writeEvent(AttemptEventKind::AgentStarted);
        for (int i = 1; i <= 29; ++i)
            monitor.poll(i * second);
        QVERIFY(!monitor.silence());
        for (int i = 30; i <= 49; ++i)
            monitor.poll(i * second);
        QVERIFY(monitor.silence() && monitor.silence()->isStopped);
        QVERIFY2(launch::isAlive(agent.identity()), "not before the timeout and its grace");
        for (int i = 50; i <= 55; ++i)
            monitor.poll(i * second);
        QCOMPARE(agent.wait(), SIGTERM);  // continued, so that it receives the signal
        pollUntilVerdict(monitor, 56 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Lost);
        QVERIFY(monitor.verdict()->reason.code == facts::Code::AgentSilent);
    }

    void agentFrozenByAPauseIsNotSilent()
    {
        LivingProcess agent(SIG_IGN);
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        monitor.poll(second);
        monitor.freeze();
        for (int i = 2; i <= 100; ++i)
            monitor.poll(i * second);
        QVERIFY2(!monitor.silence(), "is not silent");
    }

    void stoppedAgentGetsAStopImmediately()
    {
        LivingProcess agent;
        stopProcess(agent.identity().pid);
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        monitor.stop(second);
        QCOMPARE(agent.wait(), SIGTERM);
    }

    void redirectedLinkIsNotFollowed()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        const auto innocent = m_files.folder / "__init__.py";
        QVERIFY(writeFileAtomically(innocent, "").has_value());
        std::filesystem::create_symlink(innocent, m_files.rankRing(0));
        agent.end(SIGKILL);
        pollUntilVerdict(monitor, 2 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Lost);
        QVERIFY2(std::filesystem::exists(innocent), "it is empty, and yet no ring");
        QVERIFY(!monitor.takeWarning().empty());
    }

    void forgedEndOfAKilledAgentIsCleanedUp()
    {
        LivingProcess agent;
        const auto ring = feed::ringFolder() / ringName(agent);
        auto drain = feed::RingDrain::create(ring, m_files.rankFeed(0), {});
        QVERIFY2(drain.has_value(), drain ? "" : drain.error().message.c_str());
        std::filesystem::create_symlink(ring, m_files.rankRing(0));
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::Ended);
        agent.end(SIGKILL);
        pollUntilVerdict(monitor, 2 * second);
        QVERIFY(monitor.verdict().has_value());
        QVERIFY(monitor.verdict()->withoutAgent);
        QVERIFY(!std::filesystem::exists(ring));
    }

    void problemOfACompletedAttemptIsItsCause()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::Ended, facts::Code::TelemetryProblem);
        agent.end(SIGKILL);
        pollUntilVerdict(monitor, second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Completed);
        QVERIFY(monitor.verdict()->reason.code == facts::Code::TelemetryProblem);
    }

    void stopSendsSigtermToTheAgent()
    {
        LivingProcess agent;
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        monitor.poll(second);
        monitor.stop(second);
        QCOMPARE(agent.wait(), SIGTERM);
        pollUntilVerdict(monitor, second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Stopped);
    }

    void agentThatDoesNotStopIsEventuallyKilled()
    {
        LivingProcess agent(SIG_IGN);
        LocalMonitor monitor(attempt(agent.identity()));
        writeEvent(AttemptEventKind::AgentStarted);
        monitor.stop(second);
        monitor.poll(2 * second);
        QVERIFY(launch::isAlive(agent.identity()));
        monitor.poll(60 * second);
        QCOMPARE(agent.wait(), SIGKILL);
    }

    void intentWithoutAnAgentCannotStartLater()
    {
        QVERIFY(writeFileAtomically(m_files.launchFile(), "{}").has_value());
        LocalMonitor monitor(attempt(std::nullopt));
        monitor.poll(second);
        QVERIFY2(!std::filesystem::exists(m_files.launchFile()), "an agent that comes late finds nothing to run");
        QVERIFY(!monitor.verdict());
        pollUntilVerdict(monitor, 10 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::NeverStarted);
    }

    void agentOfAnIntentIsAdoptedWhenItAppears()
    {
        QVERIFY(writeFileAtomically(m_files.launchFile(), "{}").has_value());
        LocalMonitor monitor(attempt(std::nullopt));
        monitor.poll(second);
        writeEvent(AttemptEventKind::AgentStarted);  // as this process, which is alive
        monitor.poll(10 * second);
        monitor.poll(20 * second);
        QVERIFY(!monitor.verdict());
        QCOMPARE(monitor.agent()->pid, ::getpid());
        QVERIFY2(std::filesystem::exists(m_files.launchFile()), "the record of what runs is back");
    }

    void attemptThatEndedWithoutAnEngineIsReadFromItsFiles()
    {
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::RankStarted);
        report(7, 1.5);
        writeEvent(AttemptEventKind::Ended);
        LocalMonitor monitor(attempt(launch::ProcessIdentity{999'999'999, 1}));
        pollUntilVerdict(monitor, second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Completed);
        QCOMPARE(monitor.objective().last()->value, 1.5);
    }

    void processWithTheFolderAsArgumentIsFound()
    {
        QVERIFY(!node::findAgent(m_files.folder));
        const pid_t child = ::fork();
        if (child == 0) {
            ::execlp("sh", "sh", "-c", "while :; do sleep 0.2; done", m_files.folder.c_str(), nullptr);
            ::_exit(127);
        }
        const bool found = QTest::qWaitFor([this] { return node::findAgent(m_files.folder).has_value(); }, 10'000);
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        QVERIFY(found);
    }

    void endThatArrivesBeforeTheAgentsLifeCounts()
    {
        OtherMachine there;
        AttemptMonitor monitor(attempt(launch::ProcessIdentity{7, 1}), std::make_unique<OtherAgent>(there));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::Ended);
        monitor.poll(6 * second);
        monitor.poll(7 * second);  // life is as old as it was
        QVERIFY(!monitor.verdict());
        ++there.looks;
        there.life->isPastItsRanks = true;
        pollUntilVerdict(monitor, 8 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Completed);
        QVERIFY(there.hasEnded);
    }

    void copyOfALogThatAWholeOneReplacesIsReadAgain()
    {
        OtherMachine there;
        AttemptMonitor monitor(attempt(launch::ProcessIdentity{7, 1}), std::make_unique<OtherAgent>(there));
        writeEvent(AttemptEventKind::AgentStarted);
        report(0, 4);
        const std::filesystem::path copy = m_files.rankFeed(0);
        const std::filesystem::path whole = m_files.folder / "whole";
        std::filesystem::copy_file(copy, whole);
        monitor.poll(6 * second);
        std::filesystem::rename(copy, m_files.folder / "part");
        std::filesystem::rename(whole, copy);
        report(1, 2);
        writeEvent(AttemptEventKind::Ended);
        ++there.looks;
        there.life->isPastItsRanks = true;
        pollUntilVerdict(monitor, 8 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Completed);
        QCOMPARE(monitor.objective().last()->step, std::int64_t{1});
    }

    void endThatTheAgentsLifeContradictsDoesNotCount()
    {
        OtherMachine there;
        AttemptMonitor monitor(attempt(launch::ProcessIdentity{7, 1}), std::make_unique<OtherAgent>(there));
        writeEvent(AttemptEventKind::AgentStarted);
        writeEvent(AttemptEventKind::Ended);
        monitor.poll(6 * second);
        ++there.looks;
        monitor.poll(7 * second);
        there.life.reset();
        pollUntilVerdict(monitor, 8 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Lost);
    }

    void attemptOfAnUnreachableMachineGoesOnUntilItIsGivenUp()
    {
        OtherMachine there;
        AttemptMonitor monitor(attempt(launch::ProcessIdentity{7, 1}), std::make_unique<OtherAgent>(there));
        writeEvent(AttemptEventKind::AgentStarted);
        there.isReachable = false;
        there.life.reset();
        monitor.poll(6 * second);
        QVERIFY(monitor.silence() && monitor.silence()->isUnreachable);
        monitor.stop(7 * second);
        monitor.poll(1000 * second);
        QVERIFY(!monitor.verdict());
        there.isReachable = true;
        there.life = launch::AgentLife{};
        monitor.poll(1001 * second);
        QVERIFY(!monitor.silence());
        QCOMPARE(there.signals, (std::vector<int>{SIGTERM}));  // it has all of its grace
        there.lost = facts::Code::MachineRemoved;
        pollUntilVerdict(monitor, 1002 * second);
        QVERIFY(monitor.verdict()->end == AttemptEnd::Lost);
        QVERIFY(monitor.verdict()->reason.code == facts::Code::MachineRemoved);
    }

    void agentThatAnotherMachineStartsIsAwaited()
    {
        OtherMachine there;
        AttemptMonitor monitor(attempt(std::nullopt), std::make_unique<OtherAgent>(there));
        monitor.stop(second);
        monitor.poll(second);
        QVERIFY(!monitor.verdict());
        there.found.agent = launch::ProcessIdentity{7, 1};
        monitor.poll(100 * second);
        QVERIFY(monitor.agent().has_value());
        QCOMPARE(there.signals, (std::vector<int>{SIGTERM}));

        OtherMachine refusing;
        AttemptMonitor refused(attempt(std::nullopt), std::make_unique<OtherAgent>(refusing));
        refusing.found.never = facts::Code::MachineRefused;
        pollUntilVerdict(refused, second);
        QVERIFY(refused.verdict()->end == AttemptEnd::NeverStarted);
    }
};

SWEEPSCOPE_TEST(TestAttemptMonitor)
#include "tst_attemptmonitor.moc"
