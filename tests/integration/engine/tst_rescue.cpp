#include "enginefixture.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QProcess>
#include <QTest>

#include <cmath>
#include <csignal>

using namespace Qt::StringLiterals;

/// sweepctl rescue: a rebuilt database contains what the lost one did.
class TestRescue : public QObject {
    Q_OBJECT

    static std::vector<std::map<QString, QString>> trialsOf(const EngineFixture &fixture, const QString &id)
    {
        const QString csv = fixture.path(u"trials.csv"_s);
        if (fixture.sweepctl({u"export"_s, id, u"--trials"_s, csv}).exitCode != 0)
            return {};
        return readCsv(csv);
    }

    static void removeDatabase(const EngineFixture &fixture)
    {
        for (const QString &end : {u""_s, u"-wal"_s, u"-shm"_s, u".bak"_s})
            QFile::remove(fixture.workspace() + u"/sweepscope.db"_s + end);
    }

private Q_SLOTS:
    void rebuiltDatabaseHasTheSameContent()
    {
        EngineFixture fixture;
        // Prints a curve; trial 2 always fails, trials 3 and 4 only at their first attempt. Trial 3 then starts from
        // scratch, trial 4 resumes.
        const QString script = u"if [ $1 = 4 ] && [ -e fourth ]; then echo loss=0.9 step=3; "
                               "else echo loss=0.5 step=1; echo loss=0.$1 step=2; fi; "
                               "[ $1 = 2 ] && { echo \"error: bad value\" >&2; exit 3; }; "
                               "[ $1 = 3 ] && [ ! -e third ] && { touch third; exit 4; }; "
                               "[ $1 = 4 ] && [ ! -e fourth ] && { touch fourth; exit 4; }; exit 0"_s;
        const QString metrics = u"metrics = { step = 'step=(\\d+)', series = { loss = 'loss=(\\S+)' } }\n[run.retry]\n"
                                "exit_code = 1"_s;
        const QString file = fixture.writeShellSweep(script, 4, metrics, u"concurrent = 2"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file, u"--wait"_s}).exitCode, 3);
        fixture.endEngine();
        const QJsonObject before = fixture.sweep();
        const auto trialsBefore = trialsOf(fixture, u"1"_s);
        QCOMPARE(trialsBefore.size(), 4U);
        const auto healthy = fixture.sweepctl({u"rescue"_s});
        QCOMPARE(healthy.exitCode, 2);
        QVERIFY2(healthy.err.contains(u"is intact"_s), qPrintable(healthy.err));

        removeDatabase(fixture);
        // Neither status nor an engine makes a new database, which would use the sweeps' numbers again.
        for (const QStringList &command : {QStringList{u"status"_s}, QStringList{u"run"_s, file}}) {
            const auto refused = fixture.sweepctl(command);
            QVERIFY(refused.exitCode != 0);
            QVERIFY2(refused.err.contains(u"sweepctl rescue"_s), qPrintable(refused.err));
        }
        const auto rescued = fixture.sweepctl({u"rescue"_s});
        QVERIFY2(rescued.exitCode == 0, qPrintable(rescued.err));
        QVERIFY2(rescued.out.contains(u"1 sweep, 4 trials and 7 attempts"_s), qPrintable(rescued.out));
        QVERIFY2(rescued.out.contains(u"stars, tags, notes"_s), qPrintable(rescued.out));
        const QJsonObject after = fixture.sweep();
        for (const QString &key : {u"id"_s, u"name"_s, u"folder"_s, u"state"_s, u"objective"_s})
            QCOMPARE(after.value(key), before.value(key));
        const auto trialsAfter = trialsOf(fixture, u"1"_s);
        QCOMPARE(trialsAfter.size(), trialsBefore.size());
        for (std::size_t i = 0; i < trialsBefore.size(); ++i) {
            for (const auto &[column, value] : trialsBefore[i]) {
                if (column.startsWith(u"seconds"_s) || column == u"device_hours"_s)
                    QVERIFY(std::abs(trialsAfter[i].at(column).toDouble() - value.toDouble()) < 2);
                else if (!value.startsWith(u"20"_s) || !value.endsWith(u'Z'))  // times differ by milliseconds
                    QVERIFY2(trialsAfter[i].at(column) == value,
                             qPrintable(u"%1: %2 was %3"_s.arg(column, trialsAfter[i].at(column), value)));
            }
        }
        // An engine can use it, and another sweep gets a new number.
        QCOMPARE(fixture.sweepctl({u"run"_s, file, u"--wait"_s}).exitCode, 3);
        QVERIFY(!fixture.sweep(2).isEmpty());
    }

    void searchThatItsStopRuleEndedStaysEnded()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s, u"[sweep]\nname = \"search\"\nobjective = \"loss\"\n[search]\nmethod = \"random\"\n"
                              "[space]\nx = { float = [0.0, 1.0] }\n[stop]\ntarget = 0.5\n[run]\n"
                              "ranks = 1\ncommand = [\"echo\", \"loss=0.5\", \"{x}\"]\n[run.metrics]\n"
                              "series = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\nconcurrent = 1\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file, u"--wait"_s}).exitCode, 0);
        fixture.endEngine();
        removeDatabase(fixture);
        const auto rescued = fixture.sweepctl({u"rescue"_s});
        QVERIFY2(rescued.exitCode == 0, qPrintable(rescued.err));
        QVERIFY2(!rescued.out.contains(u"edit"_s), qPrintable(rescued.out));
        QCOMPARE(fixture.sweep().value(u"state"_s), u"completed"_s);
    }

    void runningSweepContinuesAfterARescue()
    {
        EngineFixture fixture;
        const QString script = u"echo $1 >> ran; while [ ! -e go ]; do sleep 0.05; done"_s;
        const QString file = fixture.writeShellSweep(script, 3, {}, u"concurrent = 1"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, u"running"_s));
        fixture.killEngine();
        removeDatabase(fixture);
        const auto rescued = fixture.sweepctl({u"rescue"_s});
        QVERIFY2(rescued.exitCode == 0, qPrintable(rescued.err));
        fixture.write(u"go"_s, {});
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.lines(u"ran"_s), (QStringList{u"1"_s, u"2"_s, u"3"_s}));
    }

    void attemptsOfKilledAgentsAreLostAndLaterOnesAreKept()
    {
        EngineFixture fixture;
        const QString script = u"echo loss=0.$1 step=1; [ -e second ] || { touch second; sleep 100; }; exit 0"_s;
        const QString metrics = u"metrics = { step = 'step=(\\d+)', series = { loss = 'loss=(\\S+)' } }\nretries = 1"_s;
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(script, 1, metrics)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, u"running"_s));
        pid_t agent = 0;
        QVERIFY(fixture.waitForAgent(1, 1, agent));
        ::kill(agent, SIGKILL);
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        fixture.endEngine();
        const auto before = trialsOf(fixture, u"1"_s);
        removeDatabase(fixture);
        const auto rescued = fixture.sweepctl({u"rescue"_s});
        QVERIFY2(rescued.out.contains(u"1 trial and 2 attempts"_s), qPrintable(rescued.out + rescued.err));
        QCOMPARE(fixture.sweep().value(u"state"_s), u"completed"_s);
        const auto after = trialsOf(fixture, u"1"_s);
        for (const QString &column : {u"state"_s, u"attempts"_s, u"objective_best"_s, u"n"_s})
            QCOMPARE(after.at(0).at(column), before.at(0).at(column));
    }

    void trialsAddedByAnEditKeepTheirParameters()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(u"exit 0"_s, 2), u"--wait"_s}).exitCode, 0);
        QCOMPARE(fixture.sweepctl({u"enqueue"_s, u"1"_s, u"n=7"_s}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        fixture.endEngine();
        const auto before = trialsOf(fixture, u"1"_s);
        QCOMPARE(before.size(), 3U);
        // Copies of an attempt, a trial and a sweep are ignored.
        const QString trials =
            fixture.workspace() + u"/sweeps/"_s + fixture.sweep().value(u"folder"_s).toString() + u"/trials/"_s;
        const auto copy = [](const QString &from, const QString &to) {
            return QProcess::execute(u"cp"_s, {u"-a"_s, from, to}) == 0;
        };
        QVERIFY(copy(trials + u"0001/1"_s, trials + u"0001/1.bak"_s));
        QVERIFY(copy(trials + u"0001"_s, trials + u"0099"_s));
        const QString sweep = fixture.workspace() + u"/sweeps/"_s + fixture.sweep().value(u"folder"_s).toString();
        QVERIFY(copy(sweep, sweep + u".bak"_s));
        removeDatabase(fixture);
        const auto rescued = fixture.sweepctl({u"rescue"_s});
        QVERIFY2(rescued.exitCode == 0, qPrintable(rescued.err));
        QVERIFY2(rescued.out.contains(u"3 trials and 3 attempts"_s), qPrintable(rescued.out));
        QCOMPARE(rescued.out.count(u"is a copy"_s), 3);
        QVERIFY2(rescued.out.contains(u".bak: the sweep's own folder is"_s), qPrintable(rescued.out));
        const auto after = trialsOf(fixture, u"1"_s);
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            QCOMPARE(after[i].at(u"n"_s), before[i].at(u"n"_s));
    }

    void trialsWithUnknownParametersAreStopped()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(u"exit 0"_s, 2), u"--wait"_s}).exitCode, 0);
        QCOMPARE(fixture.sweepctl({u"enqueue"_s, u"1"_s, u"n=7"_s}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.sweepctl({u"enqueue"_s, u"1"_s, u"n=8"_s}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(4, u"completed"_s));
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        fixture.endEngine();
        const QString sweep = fixture.workspace() + u"/sweeps/"_s + fixture.sweep().value(u"folder"_s).toString();
        QVERIFY(QDir(sweep + u"/trials/0003"_s).removeRecursively());
        removeDatabase(fixture);
        const auto rescued = fixture.sweepctl({u"rescue"_s});
        QVERIFY2(rescued.exitCode == 0, qPrintable(rescued.err));
        const auto after = trialsOf(fixture, u"1"_s);
        QCOMPARE(after.size(), 4U);
        QCOMPARE(after[2].at(u"state"_s), u"stopped"_s);
        QCOMPARE(after[2].at(u"reason"_s), u"rescued"_s);
        QCOMPARE(after[2].at(u"n"_s), QString());
        QCOMPARE(after[3].at(u"n"_s), u"8"_s);
    }

    void searchIsPausedAndContinues()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"sobol\"\ntrials = 6\n[space]\n"
            "n = { float = [0.0, 1.0] }\n[run]\ncommand = [\"sh\", \"-c\", \"echo {n} >> ran; sleep 0.3\"]\n"
            "[devices]\nkind = \"cpu\"\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(2, u"completed"_s));
        fixture.killEngine();
        QVERIFY(fixture.waitForNoProcesses());
        removeDatabase(fixture);
        const auto rescued = fixture.sweepctl({u"rescue"_s});
        QVERIFY2(rescued.exitCode == 0, qPrintable(rescued.err));
        QCOMPARE(fixture.sweep().value(u"state"_s), u"paused"_s);
        QVERIFY(fixture.startEngine());
        QCOMPARE(fixture.sweepctl({u"resume"_s, u"1"_s}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.sweep().value(u"trials_total"_s).toInt(), 6);
        QStringList ran = fixture.lines(u"ran"_s);
        QCOMPARE(ran.size(), 6);
        QCOMPARE(ran.removeDuplicates(), 0);
    }

    void damagedDatabaseIsKeptUnderAnotherName()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(u"exit 0"_s, 2), u"--wait"_s}).exitCode, 0);
        fixture.endEngine();
        QFile database(fixture.workspace() + u"/sweepscope.db"_s);
        QVERIFY(database.open(QIODevice::WriteOnly));
        database.write(QByteArray(8192, 'x'));
        database.close();
        QVERIFY(fixture.sweepctl({u"status"_s}).exitCode != 0);
        QCOMPARE(fixture.sweepctl({u"rescue"_s}).exitCode, 0);
        QVERIFY(QFileInfo::exists(fixture.workspace() + u"/sweepscope.db.damaged"_s));
        QCOMPARE(fixture.trialStates(), QStringList(2, u"completed"_s));
    }
};

SWEEPSCOPE_TEST(TestRescue)
#include "tst_rescue.moc"
