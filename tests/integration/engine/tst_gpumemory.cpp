#include "sharedmachine.h"
#include "testprogram.h"

#include <QProcess>
#include <QTest>

#include <csignal>
#include <unistd.h>

/// Allocation of a GPU whose memory is still used by others, or by trials that have ended.
class TestGpuMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gpuUsedByAnotherProgramIsAvoidedUntilItEnds()
    {
        SharedMachine machine;
        QProcess other;
        other.start(text("sleep"), {text("1000")});
        QVERIFY(other.waitForStarted());
        machine.driver.setScript(text(R"({"gpus": [{"uuid": "GPU-aaaaaaaa", "name": "Fake H200", "memory": 150000000000,
                                    "memory_used": 65498251265, "processes": [{"pid": %1, "memory": 65498251264}]}]})")
                                     .arg(other.processId())
                                     .toStdString());
        QVERIFY(machine.anna.startEngine());
        machine.release();
        QCOMPARE(machine.anna.sweepctl({text("run"), machine.writeSweep(machine.anna, 1, 1, 1)}).exitCode, 0);
        const QString reason = text("Waits for 1 GPU: GPU 0 is used by sleep, pid %1 of ").arg(other.processId());
        QVERIFY2(QTest::qWaitFor([&] { return machine.anna.trialCause(1).startsWith(reason); }, patience),
                 qPrintable(machine.anna.trialCause(1)));
        QVERIFY(machine.anna.trialCause(1).endsWith(text(", 61 GiB")));
        other.kill();
        other.waitForFinished();
        QVERIFY(machine.anna.waitForSweepState(text("completed"), patience));
    }

    void sharingOrIgnoringSweepsDoNotWaitForAnotherProgram_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::newRow("share") << text("share");
        QTest::newRow("ignore") << text("ignore");
    }

    void sharingOrIgnoringSweepsDoNotWaitForAnotherProgram()
    {
        QFETCH(QString, policy);
        SharedMachine machine;
        machine.driver.setScript(text(R"({"gpus": [{"uuid": "GPU-aaaaaaaa", "name": "Fake H200", "memory": 150000000000,
                                    "memory_used": 1000, "processes": [{"pid": %1, "memory": 1000}]}]})")
                                     .arg(::getpid())
                                     .toStdString());
        QVERIFY(machine.anna.startEngine());
        machine.release();
        QCOMPARE(machine.anna
                     .sweepctl({text("run"), machine.writeSweep(machine.anna, 1, 1, 1, "", text("true"),
                                                                text("foreign = \"%1\"").arg(policy))})
                     .exitCode,
                 0);
        QVERIFY(machine.anna.waitForSweepState(text("completed"), patience));
    }

    void twoTrialsShareAPinnedGpuAndTheNextWaitsForItsMemory()
    {
        SharedMachine machine;
        QVERIFY(machine.anna.startEngine());
        QVERIFY(machine.ben.startEngine());
        const QString more = text("pin = [\"GPU-bbbbbbbb\"]\nper_gpu = 3\nmemory = \"400 MB\"");
        const QString body = text("while ! test -e '%1'; do sleep 0.05; done").arg(machine.anna.path(text("go")));
        QCOMPARE(
            machine.anna.sweepctl({text("run"), machine.writeSweep(machine.anna, 4, 1, 4, "", body, more)}).exitCode,
            0);
        QVERIFY(machine.anna.waitForTrialState(2, text("running"), patience));
        QVERIFY(QTest::qWaitFor([&] { return machine.attemptsOn("GPU-bbbbbbbb").size() == 2; }, patience));
        QVERIFY2(QTest::qWaitFor(
                     [&] {
                         return machine.anna.trialCause(3).startsWith(
                             text("Waits for 1 GPU: GPU 1 has 191 MiB of memory left, and each rank needs 381 MiB"));
                     },
                     patience),
                 qPrintable(machine.anna.trialCause(3)));
        QVERIFY(machine.attemptsOn("GPU-aaaaaaaa").empty());

        // No other engine intervenes, and the next engine recognises both as its own.
        QCOMPARE(machine.ben.sweepctl({text("run"), machine.writeSweep(machine.ben, 1, 1, 1, "", body, more)}).exitCode,
                 0);
        QVERIFY2(QTest::qWaitFor([&] { return machine.ben.trialCause(1).contains(text("GPU 1 is leased to shell")); },
                                 patience),
                 qPrintable(machine.ben.trialCause(1)));
        const pid_t agent = machine.anna.agentPid(1, 1);
        QVERIFY(agent > 0);
        ::kill(agent, SIGKILL);
        QVERIFY2(machine.anna.waitForTrialState(3, text("running"), patience), qPrintable(machine.anna.trialCause(3)));
        machine.anna.killEngine();
        QVERIFY(machine.anna.startEngine());
        QCOMPARE(machine.anna.trialStates().mid(1, 2), (QStringList{text("running"), text("running")}));
        QCOMPARE(machine.attemptsOn("GPU-bbbbbbbb").size(), 2U);

        machine.release();
        QVERIFY(machine.anna.waitForSweepState(text("completed"), patience));
        QVERIFY(machine.ben.waitForSweepState(text("completed"), patience));
    }
};

SWEEPSCOPE_TEST(TestGpuMemory)
#include "tst_gpumemory.moc"
