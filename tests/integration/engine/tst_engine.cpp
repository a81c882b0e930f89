#include "enginefixture.h"
#include "testprogram.h"

#include "base/workspacelayout.h"
#include "engine/store.h"
#include "engine/storereader.h"
#include "protocol/engineclient.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <csignal>

using namespace sweepscope;

namespace {

QStringList numbersTo(int last)
{
    QStringList numbers;
    for (int number = 1; number <= last; ++number)
        numbers << QString::number(number);
    numbers.sort();
    return numbers;
}

int attemptsOf(const QJsonObject &sweep, int trial)
{
    return sweep.value(QLatin1String("trials"))
        .toArray()
        .at(trial - 1)
        .toObject()
        .value(QLatin1String("attempts"))
        .toInt();
}

}  // namespace

/// Real engines, agents and ranks, killed at the worst times.
class TestEngine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTrialRunsOnceWhileEnginesAreKilledRepeatedly()
    {
        EngineFixture fixture;
        constexpr int trials = 8;
        const QString file =
            fixture.writeShellSweep(text("sleep 0.4; echo $1 >> ran"), trials, {}, text("concurrent = 2"));
        const auto launched = fixture.sweepctl({text("run"), file});
        QVERIFY2(launched.exitCode == 0, qPrintable(launched.err));
        for (int kills = 1; kills <= 3; ++kills) {
            // At varying points of its work: whenever this many trials have ended.
            QVERIFY(QTest::qWaitFor([&] { return fixture.lines(text("ran")).size() >= 2 * kills; }, 60'000));
            fixture.killEngine();
            QCOMPARE(fixture.enginePid(), 0);
            QVERIFY(fixture.startEngine());
        }
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.lines(text("ran")), numbersTo(trials));
        // On a slow machine, an attempt whose engine was killed before its agent wrote an event is given up, and
        // counts; the lines above show that its agent then runs nothing.
        const QJsonObject sweep = fixture.sweep();
        for (int trial = 1; trial <= trials; ++trial)
            QVERIFY(attemptsOf(sweep, trial) >= 1);
        fixture.endEngine();
        QVERIFY2(fixture.waitForNoProcesses(), "nothing is left behind");
    }

    void trialsContinueAndEndWithoutAnEngine()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("until test -e go; do sleep 0.05; done; echo $1 >> ran"), 1);
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        fixture.killEngine();
        fixture.write(text("go"), {});
        QVERIFY(QTest::qWaitFor([&] { return fixture.lines(text("ran")).size() == 1; }, 60'000));
        QVERIFY(fixture.waitForNoProcesses());
        QCOMPARE(fixture.trialStates(), QStringList{text("running")});  // not noticed yet
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(attemptsOf(fixture.sweep(), 1), 1);
        QCOMPARE(fixture.lines(text("ran")), QStringList{text("1")});
    }

    void otherClientsAreServedWhileALargeSweepIsChecked()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine());
        QFile file(fixture.write(text("large.toml"),
                                 text("[sweep]\nname = \"large\"\nobjective = \"loss\"\ngoal = \"minimize\"\n"
                                      "[space]\na = { int = [1, 1000] }\nb = { int = [1, 20] }\n"
                                      "[constraints]\nmany = \"a * b + a * 2 + b * 3 > 6\"\n"
                                      "[run]\ncommand = [\"/bin/sleep\", \"1000\", \"{a}\", \"{b}\"]\n"
                                      "[devices]\nkind = \"cpu\"\nconcurrent = 1\n")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        protocol::EngineClient large;
        protocol::EngineClient other;
        for (protocol::EngineClient *client : {&large, &other})
            QVERIFY(client->connectAndWait(fixture.workspace(), false, 60'000));
        QStringList order;
        connect(&large, &protocol::EngineClient::requestFailed, &other, [&] {
            order << text("same client");
            other.stopSweep(77);
        });
        connect(&other, &protocol::EngineClient::requestFailed, &large, [&] { order << text("other client"); });
        connect(&large, &protocol::EngineClient::sweepLaunched, &other, [&] { order << text("launched"); });
        connect(&large, &protocol::EngineClient::sweepRefused, &other, [&] { order << text("refused"); });
        large.launchSweep(QString::fromUtf8(file.readAll()), fixture.path({}));
        large.stopSweep(77);  // the engine has read the launch once it answers this
        QTRY_COMPARE_WITH_TIMEOUT(order, QStringList({text("same client"), text("other client"), text("launched")}),
                                  300'000);
        QCOMPARE(large.sweeps().front().trialsTotal, 19'999);
        QCOMPARE(fixture.sweepctl({text("stop"), text("1"), text("--kill")}).exitCode, 0);
    }

    void anUnfinishedSweepIsRemovedByTheNextEngine()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine());
        fixture.endEngine();
        const std::filesystem::path file = WorkspaceLayout{fixture.workspace().toStdString()}.database();
        {
            auto database = engine::Database::openForWriting(file);
            QVERIFY(database.has_value());
            engine::NewSweep sweep;
            sweep.record.name = "half";
            sweep.plans = {{1, {{"n", std::int64_t{1}}}, 0, 1}, {2, {{"n", std::int64_t{2}}}, 0, 1}};
            const auto nothing = [](const sweep::SweepRecord &) { return Expected<void>(); };
            QVERIFY(engine::Store(**database).insertPart(sweep, 1, nothing, 0).has_value());
        }
        QVERIFY(fixture.sweep().isEmpty());
        QVERIFY(fixture.startEngine());
        auto database = engine::Database::openForReading(file);
        QVERIFY(database.has_value());
        QVERIFY(engine::StoreReader(**database).allTrials(1)->empty());
    }

    void statusOfASearchWithoutTrialsSaysSo()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine());
        fixture.endEngine();
        {
            auto database =
                engine::Database::openForWriting(WorkspaceLayout{fixture.workspace().toStdString()}.database());
            QVERIFY(database.has_value());
            engine::Store store(**database);
            sweep::SweepRecord record;
            record.name = "search";
            record.trialsToCome = 3;
            const auto noFolder = [](const sweep::SweepRecord &) { return Expected<void>(); };
            QVERIFY(store.insertSweep(record, {}, noFolder).has_value());
        }
        const auto status = fixture.sweepctl({text("status")});
        QVERIFY2(status.out.contains(text("\n0001-search  running  no trials yet\n")), qPrintable(status.out));
    }

    void intentOfAKilledEngineIsStartedOnce()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("echo $1 >> ran"), 1);
        // The state on disk if an engine is killed between its intent and its agent: written with the engine's own
        // store.
        QVERIFY(fixture.startEngine());
        fixture.endEngine();
        {
            auto database =
                engine::Database::openForWriting(WorkspaceLayout{fixture.workspace().toStdString()}.database());
            QVERIFY(database.has_value());
            engine::Store store(**database);
            sweep::SweepRecord record;
            record.name = "shell";
            record.objective = "loss";
            record.parameterNames = {"n"};
            QFile toml(file);
            QVERIFY(toml.open(QIODevice::ReadOnly));
            record.toml = toml.readAll().toStdString();
            record.baseFolder = fixture.path({}).toStdString();
            const auto makeFolder = [&](const sweep::SweepRecord &made) -> Expected<void> {
                std::filesystem::create_directories(fixture.workspace().toStdString() + "/sweeps/" + made.folder);
                return {};
            };
            QVERIFY(store.insertSweep(record, {{1, {{"n", std::int64_t{1}}}, 0, 1}}, makeFolder).has_value());
            engine::TrialChange begun{engine::StoreReader(**database).trials(1, 1, 1)->front(), {}, {}};
            begun.apply(engine::TrialEvent::AttemptBegun, facts::Code::None);
            begun.row.record.attempts = 1;
            QVERIFY(store.beginAttempt(begun, {1, 1, 1, "killed-in-between", std::nullopt, wallNow()}).has_value());
        }
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(attemptsOf(fixture.sweep(), 1), 2);
        QCOMPARE(fixture.lines(text("ran")), QStringList{text("1")});
    }

    void killedAgentMakesItsTrialLostAndRetried()
    {
        EngineFixture fixture;
        // The first attempt hangs, with a grandchild that has left the process group.
        const QString script =
            text("case $SWEEPSCOPE_ATTEMPT_FOLDER in */1) setsid sleep 1000 & sleep 1000;; esac; echo $1 >> ran");
        const QString file = fixture.writeShellSweep(script, 1, text("retries = 1"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        pid_t agent = 0;
        QVERIFY(fixture.waitForAgent(1, 1, agent));
        ::kill(agent, SIGKILL);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialStates(), QStringList{text("completed")});
        QCOMPARE(attemptsOf(fixture.sweep(), 1), 2);
        QCOMPARE(fixture.lines(text("ran")), QStringList{text("1")});
        fixture.endEngine();
        QVERIFY2(fixture.waitForNoProcesses(), "ranks and grandchildren of the lost attempt are gone");
    }

    void lostTrialWithoutRetriesLeavesTheOthersRunning()
    {
        EngineFixture fixture;
        const QString script = text("if test $1 = 1; then sleep 1000; fi; echo $1 >> ran");
        const QString file = fixture.writeShellSweep(script, 3);
        const auto waiting = fixture.startSweepctl({text("run"), file, text("--wait")});
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        pid_t agent = 0;
        QVERIFY(fixture.waitForAgent(1, 1, agent));
        ::kill(agent, SIGKILL);
        QVERIFY(waiting->waitForFinished(60'000));
        QCOMPARE(waiting->exitCode(), 3);
        QCOMPARE(fixture.trialStates(), (QStringList{text("lost"), text("completed"), text("completed")}));
        QVERIFY(fixture.trialCause(1).contains(QString::number(agent)));
    }

    void failedTrialIsRetriedUpToTheSweepsLimit()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("echo x >> ran; exit 7"), 1, text("retries = 1"));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 3);
        QCOMPARE(fixture.lines(text("ran")).size(), 2);
        QCOMPARE(attemptsOf(fixture.sweep(), 1), 2);
        QVERIFY2(fixture.trialCause(1).contains(text("7")), qPrintable(fixture.trialCause(1)));
    }

    void secondEngineIsRefusedAndNamesTheFirst()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine());
        const auto second = fixture.sweepctl({text("serve")});
        QCOMPARE(second.exitCode, 2);
        QVERIFY2(second.err.contains(QString::number(fixture.enginePid())), qPrintable(second.err));
    }

    void socketOfAKilledEngineIsReplaced()
    {
        EngineFixture fixture;
        const auto sockets = [&fixture] {
            return QDir(fixture.path(text("sweepscope"))).entryList({text("*.sock")}, QDir::AllEntries | QDir::System);
        };
        QVERIFY(fixture.startEngine());
        QCOMPARE(sockets().size(), 1);
        fixture.killEngine();
        QCOMPARE(fixture.sweepctl({text("status")}).exitCode, 0);  // from the database

        QVERIFY(fixture.startEngine());
        QCOMPARE(sockets().size(), 1);
        QCOMPARE(fixture.sweepctl({text("status")}).exitCode, 0);
        fixture.endEngine();
        QVERIFY(sockets().isEmpty());
    }

    void idleEngineEnds()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine({text("--idle-exit"), text("0")}));
        QVERIFY(QTest::qWaitFor([&] { return fixture.enginePid() == 0; }, 30'000));
    }

    void engineOfADeletedWorkspaceEndsAfterItsTrials()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("sleep 1000"), 2, {}, text("concurrent = 1"));
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(!fixture.processes().empty());
        const QString workspace = fixture.workspace();
        QVERIFY(QTest::qWaitFor([&] { return QDir(workspace).removeRecursively(); }, 10'000));
        QVERIFY(fixture.waitForNoProcesses());
        QVERIFY(!QFileInfo::exists(workspace + text("/sweepscope.db")));
    }

    void newSweepsAreRefusedInADeletedWorkspace()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("sleep 1000"), 1);
        QVERIFY(fixture.startEngine());
        const QString copy = fixture.path(text("copy"));
        QCOMPARE(QProcess::execute(text("cp"), {text("-a"), fixture.workspace(), copy}), 0);
        QVERIFY(QDir(fixture.workspace()).removeRecursively());
        QVERIFY(QDir().rename(copy, fixture.workspace()));  // another database in the place of the engine's
        const auto run = fixture.sweepctl({text("run"), file});
        QVERIFY2(run.exitCode != 0 && run.err.contains(text("was deleted")), qPrintable(run.out + run.err));
        QVERIFY(fixture.waitForNoProcesses());
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
    }

    void engineOfAMovedWorkspaceLeavesItsTrialsAlone()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("sleep 1000"), 1);
        QVERIFY(fixture.startEngine());
        const pid_t engine = fixture.enginePid();
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(QFile::remove(fixture.workspace() + text("/engine.lock")));
        const QString moved = fixture.path(text("moved"));
        QVERIFY(QDir().rename(fixture.workspace(), moved));
        QTest::qWait(7000);  // it checks every five seconds
        QVERIFY(QDir().rename(moved, fixture.workspace()));
        QVERIFY(QTest::qWaitFor([&] { return fixture.enginePid() == engine; }, 30'000));  // its lock is there again
        QCOMPARE(fixture.trialStates(), QStringList{text("running")});
    }

    void engineWithADeletedLockGivesWayToTheNextOne()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("sleep 1000"), 1);
        QVERIFY(fixture.startEngine());
        const pid_t first = fixture.enginePid();
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        QVERIFY(QFile::remove(fixture.workspace() + text("/engine.lock")));
        const auto next = fixture.startSweepctl({text("serve")});
        QVERIFY(QTest::qWaitFor([&] { return fixture.enginePid() != 0 && fixture.enginePid() != first; }, 30'000));
        QVERIFY(QTest::qWaitFor([&] { return ::kill(first, 0) != 0; }, 30'000));
        QVERIFY(QTest::qWaitFor([&] { return fixture.trialStates() == QStringList{text("running")}; }, 30'000));
        (void)fixture.sweepctl({text("stop"), text("shell")});
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        next->terminate();
        QVERIFY(next->waitForFinished(30'000));
    }

    void engineStaysWhileASweepRuns()
    {
        EngineFixture fixture;
        QVERIFY(fixture.startEngine({text("--idle-exit"), text("1")}));
        const QString file = fixture.writeShellSweep(text("sleep 3; echo $1 >> ran"), 1);
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(QTest::qWaitFor([&] { return fixture.lines(text("ran")).size() == 1; }, 60'000));
        QVERIFY(QTest::qWaitFor([&] { return fixture.enginePid() == 0; }, 60'000));
        QCOMPARE(fixture.trialStates(), QStringList{text("completed")});
    }

    void stoppedEngineLeavesTrialsRunningAndTheNextOneStopsThem()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("sleep 1000"), 3);
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        fixture.endEngine();
        QVERIFY(!fixture.processes().empty());
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({text("stop"), text("shell")}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("stopped")));
        QCOMPARE(fixture.trialStates(), (QStringList{text("stopped"), text("stopped"), text("stopped")}));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void concurrencyIsLimitedAndFullyUsed()
    {
        EngineFixture fixture;
        // Each trial records how many run concurrently.
        const QString script = text("touch here.$1; sleep 0.3; ls | grep -c '^here' >> seen; sleep 0.3; rm here.$1");
        const QString file = fixture.writeShellSweep(script, 9, {}, text("concurrent = 3"));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        int most = 0;
        for (const QString &line : fixture.lines(text("seen")))
            most = std::max(most, line.toInt());
        QVERIFY2(most <= 3, "never more than the sweep says");
        QVERIFY2(most >= 2, "and not one after the other");
    }

    void aHundredThousandTrialsDoNotFreezeTheEngine()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("sleep 1000"), 100'000);
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, text("running"), 100'000));
        QCOMPARE(fixture.sweepctl({text("stop"), text("1")}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("stopped"), 100'000));
        const QStringList states = fixture.trialStates();
        QCOMPARE(states.size(), 100'000);
        QCOMPARE(states.count(text("stopped")), 100'000);
    }
};

SWEEPSCOPE_TEST(TestEngine)
#include "tst_engine.moc"
