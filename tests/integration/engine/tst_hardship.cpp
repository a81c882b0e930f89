#include "enginefixture.h"
#include "testprogram.h"

#include "engine/database.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QSqlQuery>
#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace sweepscope;

namespace {

constexpr int day = 86'400;

/// While it exists, all started programs read the wall clock with an offset in seconds from a file.
class SettableClock {
public:
    explicit SettableClock(const EngineFixture &fixture) : m_fixture(fixture), m_asanOptions(qgetenv("ASAN_OPTIONS"))
    {
        set(0);
        qputenv("CLOCK_SHIM_FILE", m_fixture.path(text("clock")).toUtf8());
        qputenv("LD_PRELOAD", CLOCK_SHIM);
        qputenv("ASAN_OPTIONS", m_asanOptions + ":verify_asan_link_order=0");  // its runtime is not the first library
    }
    ~SettableClock()
    {
        qunsetenv("CLOCK_SHIM_FILE");
        qunsetenv("LD_PRELOAD");
        qputenv("ASAN_OPTIONS", m_asanOptions);
    }
    SettableClock(const SettableClock &) = delete;
    SettableClock &operator=(const SettableClock &) = delete;

    void set(int seconds) { m_fixture.write(text("clock"), QString::number(seconds)); }

private:
    const EngineFixture &m_fixture;
    const QByteArray m_asanOptions;
};

/// A control group of at most 100 MB of memory, which processes can join; version 1 or 2.
class SmallMemory {
public:
    SmallMemory()
    {
        const QString name = text("/sweepscope-test-%1").arg(::getpid());
        for (const auto &[root, limit] : {std::pair(text("/sys/fs/cgroup/memory"), text("/memory.limit_in_bytes")),
                                          std::pair(text("/sys/fs/cgroup"), text("/memory.max"))}) {
            if (!m_folder.isEmpty() || !QDir(root).mkdir(name.mid(1)))
                continue;
            m_folder = root + name;
            QFile file(m_folder + limit);
            m_isThere = file.exists() && file.open(QFile::WriteOnly) && file.write("100000000") > 0;
        }
        QFile swap(m_folder + text("/memory.swap.max"));
        if (swap.exists() && swap.open(QFile::WriteOnly))
            swap.write("0");
    }
    ~SmallMemory()
    {
        // The kernel may still charge it for processes that have just ended.
        (void)QTest::qWaitFor([this] { return m_folder.isEmpty() || QDir().rmdir(m_folder); }, patience);
    }
    SmallMemory(const SmallMemory &) = delete;
    SmallMemory &operator=(const SmallMemory &) = delete;

    bool isThere() const { return m_isThere; }
    QString processes() const { return m_folder + text("/cgroup.procs"); }

private:
    QString m_folder;
    bool m_isThere = false;
};

}  // namespace

/// What machines and ranks may do to an engine unintentionally.
class TestHardship : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outOfMemoryKillIsDistinguished()
    {
        const SmallMemory memory;
        if (!memory.isThere())
            QSKIP("no control groups of one's own here");
        EngineFixture fixture;
        const QString eats =
            text("echo $$ > %1; exec python3 -c 'b = bytes([1]) * 300_000_000'").arg(memory.processes());
        const QString file = fixture.writeShellSweep(text("test $1 = 2 && kill -9 $$; ") + eats, 2);
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 3);
        QCOMPARE(fixture.trialReason(1)[text("code")].toString(), text("rank_killed"));
        QCOMPARE(fixture.trialReason(1)[text("shortage")].toString(), text("memory"));
        const auto history = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("1")});
        QVERIFY2(history.out.contains(text("out of memory")), qPrintable(history.out));
        QVERIFY2(!fixture.trialReason(2).contains(text("shortage")), qPrintable(fixture.trialCause(2)));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void rankThatTruncatesItsFeedEndsOnlyItself()
    {
        EngineFixture fixture;
        const QString script =
            text("test $1 = 1 && : > $SWEEPSCOPE_RING || truncate -s 5000 $SWEEPSCOPE_RING; sleep 0.5");
        const QString file = fixture.writeShellSweep(script, 2);
        const auto run = fixture.sweepctl({text("run"), file, text("--wait")});
        QVERIFY2(run.exitCode == 0, qPrintable(run.out + run.err));
        QCOMPARE(fixture.trialStates(), QStringList({text("completed"), text("completed")}));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void clockSetBackDelaysNothing()
    {
        EngineFixture fixture;
        SettableClock clock(fixture);
        QVERIFY(fixture.startEngine());
        const QString sweep =
            fixture.writeShellSweep(text("echo x >> ran; test $(wc -l < ran) -ge 3"), 1, text("retries = 3"));
        QCOMPARE(fixture.sweepctl({text("run"), sweep}).exitCode, 0);
        QVERIFY(QTest::qWaitFor([&] { return !fixture.lines(text("ran")).isEmpty(); }, patience));
        clock.set(-day);
        QVERIFY2(fixture.waitForSweepState(text("completed"), patience), "the retries come in seconds, not tomorrow");
        QCOMPARE(fixture.lines(text("ran")).size(), 3);
    }

    void clockSetForwardEndsNothing()
    {
        EngineFixture fixture;
        SettableClock clock(fixture);
        QVERIFY(fixture.startEngine());
        // After SIGTERM, it takes a while to save its work.
        const QString script = text("trap 'sleep 2; echo saved >> ran; exit 0' TERM; echo up >> ran; "
                                    "while :; do sleep 0.1; done");
        const QString sweep = fixture.writeShellSweep(script, 1, text("timeout = \"10m\""));
        QCOMPARE(fixture.sweepctl({text("run"), sweep}).exitCode, 0);
        QVERIFY(QTest::qWaitFor([&] { return fixture.lines(text("ran")).contains(text("up")); }, patience));
        clock.set(day);
        QTest::qWait(1000);
        QCOMPARE(fixture.trialStates(), QStringList{text("running")});
        QCOMPARE(fixture.sweepctl({text("stop"), text("1")}).exitCode, 0);
        clock.set(2 * day);
        QVERIFY(fixture.waitForSweepState(text("stopped"), patience));
        QVERIFY2(fixture.lines(text("ran")).contains(text("saved")), "it had the time that it was promised");
    }

    /// The machine was rebooted, and the agent's pid now belongs to another process.
    void processWithAReusedAgentPidIsSpared()
    {
        EngineFixture fixture;
        const QString sweep = fixture.writeShellSweep(text("sleep 1000"), 1);
        QCOMPARE(fixture.sweepctl({text("run"), sweep}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        pid_t agent = 0;
        QVERIFY(fixture.waitForAgent(1, 1, agent));
        fixture.killEngine();
        ::kill(agent, SIGKILL);

        const pid_t stranger = ::fork();
        QVERIFY(stranger >= 0);
        if (stranger == 0) {
            ::pause();
            ::_exit(0);
        }
        {
            auto database = engine::Database::openForWriting(fixture.workspace().toStdString() + "/sweepscope.db");
            QVERIFY(database.has_value());
            auto change = (*database)->prepare("UPDATE attempt SET agent_pid = ?");
            QVERIFY(change.has_value());
            change->addBindValue(stranger);
            QVERIFY((*database)->execute(*change).has_value());
        }
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForTrialState(1, text("lost"), patience));
        int status = 0;
        const bool lives = ::waitpid(stranger, &status, WNOHANG) == 0;
        ::kill(stranger, SIGKILL);
        ::waitpid(stranger, &status, 0);
        QVERIFY2(lives, "a stranger was killed for an agent");
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    /// A backup on a read-only disk can still be read; nothing in it runs.
    void workspaceOnAReadOnlyDiskIsReadable()
    {
        EngineFixture fixture;
        const QString sweep = fixture.writeShellSweep(text("exit 0"), 2);
        QCOMPARE(fixture.sweepctl({text("run"), sweep, text("--wait")}).exitCode, 0);
        const auto onReadOnlyDisk = [&](const QString &command) {
            const QString mount = text("mount --bind %1 %1 && mount -o remount,ro,bind %1 && exec %2 --workspace %1")
                                      .arg(fixture.workspace(), text(SWEEPCTL " ") + command);
            QProcess process;
            process.start(text("unshare"), {text("--mount"), text("--map-root-user"), text("sh"), text("-c"), mount});
            process.waitForFinished(patience);
            return EngineFixture::Result{process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
                                         QString::fromUtf8(process.readAllStandardError())};
        };
        if (onReadOnlyDisk(text("--version; true")).exitCode != 0)
            QSKIP("no mounts of one's own here");
        fixture.killEngine();
        const auto early = onReadOnlyDisk(text("status"));
        QVERIFY(early.exitCode != 0);
        QVERIFY2(early.err.contains(text("copy the workspace")), qPrintable(early.err));

        QVERIFY(fixture.startEngine());
        fixture.endEngine();
        const auto status = onReadOnlyDisk(text("status"));
        QVERIFY2(status.exitCode == 0, qPrintable(status.err));
        QVERIFY2(status.out.contains(text("2 completed")), qPrintable(status.out));
        const auto exported = onReadOnlyDisk(text("export 1 --trials -"));
        QVERIFY2(exported.out.count(text(",completed,")) == 2, qPrintable(exported.err));
        const auto serve = onReadOnlyDisk(text("serve"));
        QCOMPARE(serve.exitCode, 2);
        QVERIFY2(serve.err.contains(text("not writable")), qPrintable(serve.err));
    }

    /// Commits, agents' events and logs all fail for a while, between any two trials.
    void temporarilyFullDiskLosesNoTrial()
    {
        const auto withMounts = [](const QStringList &command) {
            QProcess process;
            process.setProcessChannelMode(QProcess::MergedChannels);
            process.start(text("unshare"), QStringList{text("--mount"), text("--map-root-user")} + command);
            process.waitForFinished(2 * patience);
            return std::pair(process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAll());
        };
        EngineFixture fixture;
        const QString own = fixture.path(text("own"));
        QVERIFY(QDir().mkpath(own));
        if (withMounts({text("mount"), text("-t"), text("tmpfs"), text("none"), own}).first != 0)
            QSKIP("no mounts of one's own here");
        constexpr int trials = 60;
        fixture.writeShellSweep(text("echo $1 >> ran; sleep 0.1"), trials, {}, text("concurrent = 4"));
        const auto [exitCode, said] = withMounts(
            {text(FULL_DISK), text(SWEEPCTL), QFileInfo(fixture.workspace()).path(), QString::number(trials)});
        QVERIFY2(exitCode == 0, said.constData());
        QVERIFY(fixture.waitForNoProcesses());
    }

    void garbageInTelemetryAffectsOnlyItsOwnCurves()
    {
        EngineFixture fixture;
        const QString sweep = fixture.writeShellSweep(text("exec python3 " VANDAL), 4);
        QVERIFY(fixture.startEngine());
        const pid_t engine = fixture.enginePid();
        (void)fixture.sweepctl({text("run"), sweep, text("--wait")});
        QCOMPARE(fixture.enginePid(), engine);
        for (const QString &state : fixture.trialStates())
            QCOMPARE(state, text("completed"));
        for (const char *what : {"--trials", "--curves"}) {
            const auto exported =
                fixture.sweepctl({text("export"), text("1"), text(what), fixture.path(text("out.csv"))});
            QVERIFY2(exported.exitCode == 0, qPrintable(exported.err));
        }
    }

    void ranksOfTwoHundredTrialsFindTheirPeers()
    {
        EngineFixture fixture;
        const QString sweep = fixture.writeShellSweep(text("exec python3 " RENDEZVOUS), 200, text("ranks = 2"),
                                                      text("concurrent = 16\nper_rank = 1"));
        QFile file(sweep);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString more = QString::fromUtf8(file.readAll()).replace(text("cpu_slots = 8"), text("cpu_slots = 32"));
        fixture.write(text("sweep.toml"), more);
        (void)fixture.sweepctl({text("run"), sweep, text("--wait")});
        const QStringList states = fixture.trialStates();
        QCOMPARE(states.size(), 200);
        for (int i = 0; i < states.size(); ++i)
            QVERIFY2(states.at(i) == text("completed"), qPrintable(fixture.trialCause(i + 1)));
    }
};

SWEEPSCOPE_TEST(TestHardship)
#include "tst_hardship.moc"
