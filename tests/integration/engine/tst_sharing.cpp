#include "sharedmachine.h"
#include "testprogram.h"

#include "base/workspacelayout.h"
#include "device/cputopology.h"
#include "launch/launchspec.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

#include <csignal>

using namespace sweepscope;

/// Engines of several workspaces on one machine, and their GPUs.
class TestSharing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void secondEngineWaitsAndNamesTheHolderWhateverIsKilled()
    {
        SharedMachine machine;
        QVERIFY(machine.anna.startEngine());
        QVERIFY(machine.ben.startEngine());
        QCOMPARE(machine.anna.sweepctl({text("run"), machine.writeSweep(machine.anna, 2, 1, 2)}).exitCode, 0);
        QVERIFY(machine.anna.waitForTrialState(1, text("running"), patience));
        QVERIFY(machine.anna.waitForTrialState(2, text("running"), patience));
        QCOMPARE(machine.ben.sweepctl({text("run"), machine.writeSweep(machine.ben, 1, 1, 1)}).exitCode, 0);
        const QString holder =
            text("(process %1, workspace %2)").arg(machine.anna.agentPid(1, 1)).arg(machine.anna.workspace());
        const auto benIsTold = [&] {
            const QString cause = machine.ben.trialCause(1);
            return cause.contains(text("Waits for 1 of 2 GPUs: "))
                   && cause.contains(text("is leased to shell, trial 1 of "))
                   && cause.contains(text("is leased to shell, trial 2 of ")) && cause.contains(holder);
        };
        QVERIFY2(QTest::qWaitFor(benIsTold, patience), qPrintable(machine.ben.trialCause(1)));
        const QString status = machine.ben.sweepctl({text("status")}).out;
        QVERIFY2(status.contains(text("\n  trial 1: waits for 1 of 2 GPUs: ")) && status.contains(holder),
                 qPrintable(status));

        // The agents keep their devices without their engine, and the next engine recognises them as its own.
        machine.anna.killEngine();
        machine.ben.killEngine();
        QVERIFY(machine.ben.startEngine());
        QVERIFY2(QTest::qWaitFor(benIsTold, patience), qPrintable(machine.ben.trialCause(1)));
        QVERIFY(machine.isFair());
        QVERIFY(machine.anna.startEngine());
        QCOMPARE(machine.anna.trialStates(), (QStringList{text("running"), text("running")}));
        QVERIFY2(benIsTold(), qPrintable(machine.ben.trialCause(1)));

        // The devices of a killed agent are free again when its rank is dead.
        const pid_t agent = machine.anna.agentPid(1, 1);
        QVERIFY(agent > 0);
        ::kill(agent, SIGKILL);
        QVERIFY(machine.ben.waitForTrialState(1, text("running"), patience));
        QVERIFY(machine.isFair());
        machine.release();
        QVERIFY(machine.anna.waitForSweepState(text("completed"), patience));
        QVERIFY(machine.ben.waitForSweepState(text("completed"), patience));
        QVERIFY(QTest::qWaitFor([&] { return machine.allIsFree(); }, patience));
    }

    void devicesOfOthersAndThePlanOfASweepAreReported()
    {
        SharedMachine machine;
        QVERIFY(machine.anna.startEngine());
        QCOMPARE(machine.anna.sweepctl({text("run"), machine.writeSweep(machine.anna, 1, 1, 1)}).exitCode, 0);
        QVERIFY(machine.anna.waitForTrialState(1, text("running"), patience));

        const QJsonObject devices = machine.ben.json({text("devices"), text("--json")});
        const QJsonObject first = devices[text("devices")][0].toObject();
        QCOMPARE(first[text("id")].toString(), text("GPU-aaaaaaaa"));
        QVERIFY(first[text("leased")].toBool());
        const QJsonObject lease = first[text("leases")][0].toObject();
        QCOMPARE(lease[text("sweep")].toString(), text("shell"));
        QCOMPARE(lease[text("trial")].toInt(), 1);
        QCOMPARE(lease[text("workspace")].toString(), machine.anna.workspace());
        QCOMPARE(lease[text("pid")].toInt(), machine.anna.agentPid(1, 1));
        QVERIFY(!lease[text("user")].toString().isEmpty());
        QVERIFY(!devices[text("devices")][1].toObject()[text("leased")].toBool());
        QCOMPARE(devices[text("topology")][0].toObject()[text("path")].toString(), text("PIX"));
        const QString words = machine.ben.sweepctl({text("devices")}).out;
        QVERIFY2(words.contains(text("leased to shell, trial 1 of ")), qPrintable(words));
        QVERIFY2(
            words.contains(text("Connections (simulated):\n        GPU 0   GPU 1   near CPUs\nGPU 0   X       PIX")),
            qPrintable(words));

        const QString alone = machine.writeSweep(machine.ben, 3, 1, 2);
        const QJsonObject plan = machine.ben.json({text("plan"), alone, text("--json")});
        QCOMPARE(plan[text("at_once")].toInt(), 1);
        QCOMPARE(plan[text("trials")].toArray().size(), 3);
        QCOMPARE(plan[text("trials")][0].toObject()[text("devices")][0][0].toString(), text("GPU-bbbbbbbb"));
        QVERIFY(plan[text("trials")][0].toObject()[text("simulated")].toBool());
        QCOMPARE(plan[text("trials")][2].toObject()[text("after_trial")].toInt(), 2);
        const QJsonArray causes = plan[text("waiting")][text("reason")][text("because")].toArray();
        for (const QJsonValue &leased : {QJsonValue(causes.last()), QJsonValue(plan[text("held")][0])}) {
            QCOMPARE(leased[text("code")].toString(), text("gpu_leased"));
            QCOMPARE(leased[text("index")].toInt(-1), 0);
            QCOMPARE(leased[text("because")][0][text("sweep")].toString(), text("shell"));
            QCOMPARE(leased[text("because")][0][text("trial")].toInt(), 1);
        }
        QVERIFY(plan[text("seconds")].isNull());
        const auto pair = machine.ben.sweepctl({text("plan"), machine.writeSweep(machine.ben, 1, 2, 1)});
        QCOMPARE(pair.exitCode, 0);
        QVERIFY2(pair.out.contains(text("1 trial, and none would start now")), qPrintable(pair.out));
        QVERIFY2(pair.out.contains(text("Time: unknown")), qPrintable(pair.out));
        QVERIFY(machine.anna.sweepctl({text("status")}).out.contains(text("on simulated GPUs")));

        machine.release();
        QVERIFY(machine.anna.waitForSweepState(text("completed"), patience));
        const QString csv = machine.anna.path(text("trials.csv"));
        QCOMPARE(machine.anna.sweepctl({text("export"), text("1"), text("--trials"), csv}).exitCode, 0);
        QCOMPARE(readCsv(csv).at(0).at(text("simulated")), text("true"));
        const auto basis = machine.anna.sweepctl({text("plan"), machine.writeSweep(machine.anna, 4, 1, 2)});
        QVERIFY2(basis.out.contains(text("1 trial of the sweep shell took ")), qPrintable(basis.out));

        QVERIFY(machine.ben.startEngine());
        QCOMPARE(machine.ben.sweepctl({text("run"), machine.writeSweep(machine.ben, 1, 2, 1)}).exitCode, 0);
        QVERIFY(machine.ben.waitForSweepState(text("completed"), patience));
        const QString history = machine.ben.sweepctl({text("history"), text("1"), text("--trial"), text("1")}).out;
        QVERIFY2(history.contains(text("its 2 GPUs are connected by one PCIe switch")), qPrintable(history));
    }

    void rankOnAnUnassignedGpuFailsItsTrial()
    {
        SharedMachine machine;
        // A torch with a GPU is not available here: this module prints what the real one would.
        machine.anna.write(text("torch.py"), text("import types\n"
                                                  "cuda = types.SimpleNamespace(\n"
                                                  "    is_initialized=lambda: True, device_count=lambda: 2,\n"
                                                  "    memory_allocated=lambda index: index,\n"
                                                  "    get_device_properties=lambda index: types.SimpleNamespace(\n"
                                                  "        uuid='aaaaaaaa' if index == 0 else 'bbbbbbbb'))\n"));
        machine.anna.write(text("train.py"), text("import sweepscope, torch\n"
                                                  "run = sweepscope.init()\n"
                                                  "run.log(1, loss=1)\n"));
        const QString body =
            text("PYTHONPATH=\"$PYTHONPATH:%1\" exec '%2' '%3'")
                .arg(machine.anna.path(text(".")), text(SWEEPSCOPE_PYTHON), machine.anna.path(text("train.py")));
        QVERIFY(machine.anna.startEngine());
        const auto run = [&](const char *pin) {
            return machine.anna.sweepctl({text("run"), text("--wait"),
                                          machine.writeSweep(machine.anna, 1, 1, 1, "retries = 2", body,
                                                             text("pin = [\"%1\"]").arg(text(pin)))});
        };
        QCOMPARE(run("GPU-aaaaaaaa").exitCode, 3);
        const QString history = machine.anna.sweepctl({text("history"), text("1"), text("--trial"), text("1")}).out;
        QVERIFY2(history.contains(text("device mismatch: rank 0 computes on GPU-bbbbbbbb, but was given GPU-aaaaaaaa")),
                 qPrintable(history));
        QVERIFY2(history.contains(text("failure      device mismatch")), qPrintable(history));
        QVERIFY2(!history.contains(text("attempt 2")), "it would end in the same way again");
        const auto good = run("GPU-bbbbbbbb");
        QVERIFY2(good.exitCode == 0, qPrintable(good.out + good.err));
    }

    void trialsThatNeedAllGpusOfTwoEnginesNeverClash()
    {
        SharedMachine machine;
        // A rank reports another attempt that uses its GPUs.
        const QString folder = machine.anna.path(QString());
        const QString body = text("mark='%1has-'\"$CUDA_VISIBLE_DEVICES\"\n"
                                  "if test \"$RANK\" = 0; then mkdir \"$mark\" || echo $1 >> '%1clash'; sleep 0.1; "
                                  "rmdir \"$mark\"; fi")
                                 .arg(folder);
        QVERIFY(machine.anna.startEngine());
        QVERIFY(machine.ben.startEngine());
        for (const EngineFixture *fixture : {&machine.anna, &machine.ben})
            QCOMPARE(fixture->sweepctl({text("run"), machine.writeSweep(*fixture, 4, 2, 2, "", body)}).exitCode, 0);
        QVERIFY(machine.anna.waitForSweepState(text("completed"), patience));
        QVERIFY(machine.ben.waitForSweepState(text("completed"), patience));
        for (const EngineFixture *fixture : {&machine.anna, &machine.ben})
            QCOMPARE(fixture->trialStates().count(text("completed")), 4);
        QCOMPARE(machine.anna.lines(text("clash")), QStringList());
    }

    void ranksOfTwoEnginesAreBoundToSeparateCores()
    {
        SharedMachine machine;
        const auto cores = device::cpuTopologyHere().cores.size();
        const auto bound = [&](const EngineFixture &fixture) {
            const WorkspaceLayout workspace{fixture.workspace().toStdString()};
            const auto spec = launch::readLaunchSpec(workspace.attempt("0001-shell", 1, 1).launchFile());
            return spec ? spec->cpus : std::vector<std::vector<int>>();
        };
        for (const EngineFixture *fixture : {&machine.anna, &machine.ben}) {
            const QString body = text("while ! test -e '%1'; do sleep 0.05; done").arg(machine.anna.path(text("go")));
            const QString file =
                fixture->writeShellSweep(body, 2, text("ranks = 1\n"), text("concurrent = 1\ncores_per_rank = 1\n"));
            QCOMPARE(fixture->sweepctl({text("run"), file}).exitCode, 0);
            QVERIFY(fixture->waitForTrialState(1, text("running"), patience));
        }
        const auto annas = bound(machine.anna);
        const auto bens = bound(machine.ben);
        QCOMPARE(annas.size(), 1U);
        QCOMPARE(bens.size(), 1U);
        QVERIFY(!annas.front().empty());
        QCOMPARE(annas.front() != bens.front(), cores > 1);  // with a single one there is no choice
        machine.release();
        QVERIFY(machine.anna.waitForSweepState(text("completed"), patience));
        QVERIFY(machine.ben.waitForSweepState(text("completed"), patience));
    }

    void cpuSlotsOfAnotherEngineAreReportedButNotWaitedFor()
    {
        SharedMachine machine;
        const QString body = text("while ! test -e '%1'; do sleep 0.05; done").arg(machine.anna.path(text("go")));
        const auto sweep = [&](const EngineFixture &fixture, const char *ranks) {
            return fixture.writeShellSweep(body, 1, text(ranks));
        };
        QVERIFY(machine.anna.startEngine());
        QVERIFY(machine.ben.startEngine());
        QCOMPARE(machine.anna.sweepctl({text("run"), sweep(machine.anna, "ranks = 5\n")}).exitCode, 0);
        QVERIFY(machine.anna.waitForTrialState(1, text("running"), patience));
        const QString holder =
            text("(process %1, workspace %2)").arg(machine.anna.agentPid(1, 1)).arg(machine.anna.workspace());
        machine.anna.killEngine();
        const QString bens = sweep(machine.ben, "ranks = 4\n");
        const QString plan = machine.ben.sweepctl({text("plan"), bens}).out;
        QVERIFY2(plan.contains(text("5 CPU slots are used by shell, trial 1 of ")), qPrintable(plan));
        QVERIFY2(plan.contains(holder), qPrintable(plan));
        QCOMPARE(machine.ben.sweepctl({text("run"), bens}).exitCode, 0);
        QVERIFY2(machine.ben.waitForTrialState(1, text("running"), patience), qPrintable(machine.ben.trialCause(1)));
        machine.release();
        QVERIFY2(machine.ben.waitForSweepState(text("completed"), patience), qPrintable(machine.ben.trialCause(1)));
    }

    void noLeaseRemainsAfterAllAreKilled()
    {
        SharedMachine machine;
        QVERIFY(machine.anna.startEngine());
        QCOMPARE(machine.anna.sweepctl({text("run"), machine.writeSweep(machine.anna, 1, 2, 1)}).exitCode, 0);
        QVERIFY(machine.anna.waitForTrialState(1, text("running"), patience));
        QVERIFY(!machine.allIsFree());
        const pid_t agent = machine.anna.agentPid(1, 1);
        machine.anna.killEngine();
        ::kill(agent, SIGKILL);
        QVERIFY(QTest::qWaitFor([&] { return machine.allIsFree(); }, patience));
    }

    void readOnlyLeaseFolderIsReported()
    {
        SharedMachine machine;
        qputenv("SWEEPSCOPE_LEASE_FOLDER", "/proc/sweepscope/leases");
        QVERIFY(machine.anna.startEngine());
        QCOMPARE(machine.anna.sweepctl({text("run"), machine.writeSweep(machine.anna, 1, 1, 1)}).exitCode, 0);
        QVERIFY(QTest::qWaitFor(
            [&] { return machine.anna.trialCause(1).contains(text("cannot create /proc/sweepscope/leases")); },
            patience));
        QCOMPARE(machine.anna.trialStates(), QStringList{text("queued")});
    }
};

SWEEPSCOPE_TEST(TestSharing)
#include "tst_sharing.moc"
