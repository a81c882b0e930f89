#include "enginefixture.h"
#include "testprogram.h"

#include "launch/agentprocess.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

using namespace sweepscope;

/// Ranks that write to files of their attempt: they may end their own trial, and nothing else.
class TestHostileRanks : public QObject {
    Q_OBJECT

    /// Writes a sweep whose first trial runs `script`, in which $f is its attempt's folder; the second one is healthy.
    static QString sweepOf(const EngineFixture &fixture, const QString &script, const QString &moreRun = {})
    {
        return fixture.writeShellSweep(text("f=$SWEEPSCOPE_ATTEMPT_FOLDER; test $1 = 2 && exit 0; ") + script, 2,
                                       moreRun);
    }
    /// Checks that the engine answers, and ends the sweep.
    static void checkOnlyTheFirstEnds(EngineFixture &fixture, const QString &state, const QString &cause)
    {
        QVERIFY2(fixture.waitForTrialState(2, text("completed"), patience),
                 qPrintable(fixture.trialStates().join(u' ')));
        QVERIFY2(fixture.waitForTrialState(1, state, patience), qPrintable(fixture.trialStates().join(u' ')));
        QVERIFY2(fixture.trialCause(1).contains(cause), qPrintable(fixture.trialCause(1)));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

private Q_SLOTS:
    void invalidEventFileEndsOnlyItsTrial_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("cause");
        QTest::newRow("link to an endless file")
            << text("ln -sf /dev/zero $f/events.jsonl; sleep 300") << text("replaced the attempt");
        QTest::newRow("named pipe") << text("rm $f/events.jsonl; mkfifo $f/events.jsonl; sleep 300")
                                    << text("replaced the attempt");
        QTest::newRow("no line's end") << text("truncate -s 256M $f/events.jsonl; sleep 300") << text("wrote too much");
        QTest::newRow("another file") << text("echo > $f/x; mv $f/x $f/events.jsonl; sleep 300")
                                      << text("replaced the attempt");
        QTest::newRow("cut") << text("sleep 1; : > $f/events.jsonl; sleep 300") << text("truncated the attempt");
    }
    void invalidEventFileEndsOnlyItsTrial()
    {
        QFETCH(QString, script);
        QFETCH(QString, cause);
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), sweepOf(fixture, script)}).exitCode, 0);
        checkOnlyTheFirstEnds(fixture, text("failed"), cause);
    }

    void invalidNotesDoNotBlockTheEnginesRecovery_data()
    {
        QTest::addColumn<QString>("script");
        QTest::newRow("named pipe") << text("rm -f $f/children.txt; mkfifo $f/children.txt");
        QTest::newRow("link to an endless file") << text("ln -sf /dev/zero $f/children.txt");
        QTest::newRow("too many") << text("yes '1 1' | head -n 1500000 > $f/x; mv $f/x $f/children.txt");
    }
    void invalidNotesDoNotBlockTheEnginesRecovery()
    {
        QFETCH(QString, script);
        EngineFixture fixture;
        const QString file = sweepOf(fixture, script + text("; kill -9 $PPID; sleep 300"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        checkOnlyTheFirstEnds(fixture, text("lost"), text("was killed"));
    }

    void leftoverFilesDoNotBlockReaders()
    {
        EngineFixture fixture;
        const QString file =
            sweepOf(fixture, text("rm $f/launch.json; mkfifo $f/launch.json; ln -sf /dev/zero $f/rank-0.log"));
        QCOMPARE(fixture.sweepctl({text("run"), file, text("--wait")}).exitCode, 0);
        QCOMPARE(fixture.sweepctl({text("history"), text("1"), text("--trial"), text("1")}).exitCode, 0);
        QVERIFY(fixture.sweepctl({text("diagnose"), text("1")}).exitCode >= 0);
        QVERIFY(!fixture.sweep().isEmpty());
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void forgedEndIsNotBelieved()
    {
        EngineFixture fixture;
        const QString line = text(R"({"kind":"ended","outcome":"completed","time_ns":1})");
        const QString file = sweepOf(fixture, text("echo '%1' >> $f/events.jsonl; sleep 300").arg(line));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        checkOnlyTheFirstEnds(fixture, text("failed"), text("its agent kept running"));
        const QJsonObject trial = fixture.sweep().value(QLatin1String("trials")).toArray().at(0).toObject();
        QVERIFY(trial.value(QLatin1String("ended")).toString() >= trial.value(QLatin1String("started")).toString());
    }

    void forgedEndIsNotBelievedWhenItsAgentIsKilled()
    {
        EngineFixture fixture;
        const QString line = text(R"({"kind":"ended","outcome":"completed","time_ns":1})");
        const QString script = text("echo '%1' >> $f/events.jsonl; sleep 5; kill -9 $PPID; sleep 300").arg(line);
        QCOMPARE(fixture.sweepctl({text("run"), sweepOf(fixture, script)}).exitCode, 0);
        checkOnlyTheFirstEnds(fixture, text("lost"), text("its agent kept running"));
    }

    void stoppedAgentIsReportedAndThenEnded()
    {
        EngineFixture fixture;
        const QString file = sweepOf(fixture, text("kill -STOP $PPID; sleep 300"), text("timeout = \"4s\""));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(QTest::qWaitFor(
            [&] {
                return !QStringList{text("queued"), text("starting")}.contains(fixture.trialStates().value(0));
            },
            patience));
        QStringList warnings;
        QVERIFY(QTest::qWaitFor(
            [&] {
                for (const QJsonValue &warning : fixture.sweep().value(QLatin1String("warnings")).toArray())
                    warnings << warning.toString();
                return warnings.join(u' ').contains(text("no activity"))
                       || fixture.trialStates().value(0) != text("running");
            },
            patience));
        QVERIFY(QTest::qWaitFor([&] { return fixture.trialStates().value(0) != text("running"); }, patience));
        // Lost, or failed if the agent's own timeout comes first.
        const QString code = fixture.trialReason(1)[text("code")].toString();
        QVERIFY2(code == text("agent_silent") || code == text("timed_out"), qPrintable(fixture.trialCause(1)));
        checkOnlyTheFirstEnds(fixture, fixture.trialStates().value(0), fixture.trialCause(1));
    }

    void forgedNoteKillsNoOtherProcess()
    {
        QProcess innocent;
        innocent.start(text("sleep"), {text("900")});
        QVERIFY(innocent.waitForStarted());
        const auto pid = static_cast<pid_t>(innocent.processId());
        EngineFixture fixture;
        const QString note = text("%1 %2").arg(pid).arg(launch::processStartTime(pid).value_or(0));
        const QString file =
            sweepOf(fixture, text("echo %1 > $f/x; mv $f/x $f/children.txt; kill -9 $PPID; sleep 300").arg(note));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        checkOnlyTheFirstEnds(fixture, text("lost"), text("was killed"));
        QCOMPARE(innocent.state(), QProcess::Running);
        QFile log(fixture.workspace() + text("/engine.log"));
        QVERIFY(log.open(QIODevice::ReadOnly));
        QVERIFY(log.readAll().contains("started before the attempt"));
        innocent.kill();
        innocent.waitForFinished();
    }

    void removedFolderIsTheCause_data()
    {
        QTest::addColumn<QString>("script");
        QTest::newRow("removed") << text("sleep 1; rm -rf $f; exit 0");
        QTest::newRow("renamed") << text("sleep 1; mv $f $f.moved; exit 5");
    }
    void removedFolderIsTheCause()
    {
        QFETCH(QString, script);
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), sweepOf(fixture, script)}).exitCode, 0);
        checkOnlyTheFirstEnds(fixture, text("failed"), text("removed or renamed"));
    }

    void redirectedRingLinkDeletesNothing()
    {
        EngineFixture fixture;
        const QString innocent = fixture.write(text("__init__.py"), {});
        const QString file = sweepOf(fixture, text("ln -sf %1 $f/rank-0.ring; kill -9 $PPID; sleep 300").arg(innocent));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        checkOnlyTheFirstEnds(fixture, text("lost"), text("was killed"));
        QVERIFY(QFile::exists(innocent));
    }
};

SWEEPSCOPE_TEST(TestHostileRanks)
#include "tst_hostileranks.moc"
