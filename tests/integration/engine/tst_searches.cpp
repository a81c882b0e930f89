#include "enginefixture.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

using namespace Qt::StringLiterals;

/// Sweeps that choose their points while they run.
class TestSearches : public QObject {
    Q_OBJECT

    static QString sweepFile(const EngineFixture &fixture, const QString &search, const QString &space,
                             const QString &more = {}, int concurrent = 2)
    {
        return fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nseed = 5\n%1\n[space]\n%2\n[run]\n"
            "command = [\"sh\", \"-c\", 'echo \"$2\" >> ran; sleep $3; echo loss=\"$2\"', \"sh\", \"x\", \"{n}\", "
            "\"0.05\"]\n"
            "[run.metrics]\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\nconcurrent = %4\n%3\n"_s
                .arg(search, space, more)
                .arg(concurrent));
    }

    static void checkReplay(const EngineFixture &fixture, int choices)
    {
        const auto replay = fixture.sweepctl({u"history"_s, u"1"_s, u"--replay"_s});
        QVERIFY2(replay.exitCode == 0, qPrintable(replay.out + replay.err));
        QVERIFY2(replay.out.startsWith(u"%1 choices replayed, all identical"_s.arg(choices)), qPrintable(replay.out));
    }

private Q_SLOTS:
    void anotherProgramChoosesAndMayDie()
    {
        EngineFixture fixture;
        fixture.write(
            u"sampler.py"_s,
            u"import json, os, sys\n"
            "told = 0\n"
            "for line in sys.stdin:\n"
            "    told += '\"complete\"' in line\n"
            "    ask = json.loads(line).get('ask')\n"
            "    if ask in (4, 9) and not os.path.exists('died%d' % ask):\n"
            "        open('died%d' % ask, 'w').close()\n"
            "        os.kill(os.getpid(), 9)\n"
            "    if ask:\n"
            "        print(json.dumps({'params': {'n': ask / 100}, 'why': 'after %d' % told}), flush=True)\n"_s);
        const QString file =
            sweepFile(fixture, u"method = \"command\"\ncommand = [\"python3\", \"sampler.py\"]\ntrials = 12"_s,
                      u"n = { float = [0.0, 1.0] }"_s, {}, 1);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(6, u"completed"_s));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QStringList expected;
        for (int n = 1; n <= 12; ++n)
            expected << QString::number(n / 100.0);
        expected.sort();
        QCOMPARE(fixture.lines(u"ran"_s), expected);
        const auto replay = fixture.sweepctl({u"history"_s, u"1"_s, u"--replay"_s});
        QCOMPARE(replay.exitCode, 0);
        QVERIFY2(replay.out.startsWith(u"12 choices were made by another program"_s), qPrintable(replay.out));
        // Each answer knew all results, also after the program and the engine had died.
        const QString csv = fixture.path(u"trials.csv"_s);
        QCOMPARE(fixture.sweepctl({u"export"_s, u"1"_s, u"--trials"_s, csv}).exitCode, 0);
        QFile table(csv);
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QByteArray text = table.readAll();
        for (int n = 2; n <= 12; ++n)
            QVERIFY2(text.contains("hosen by after " + QByteArray::number(n - 1)), text.constData());
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    void runWarnsOfAConstraintWhoseMetricNoTrialReported()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[space]\nn = [3, 2]\n[outcome_constraints]\n"
            "fits = \"memmory < 1 and loss < 9\"\n[run]\ncommand = [\"python3\", \"-c\", \"import sweepscope; "
            "sweepscope.init().log(1, loss={n})\"]\n[devices]\nkind = \"cpu\"\n"_s);
        const auto run = fixture.sweepctl({u"run"_s, file, u"--wait"_s});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains(u"warning: no trial reported 'memmory', which"_s), qPrintable(run.err));
        QVERIFY2(!run.err.contains(u"'loss'"_s), qPrintable(run.err));
    }

    void statusNamesTheProgramThatTakesLong()
    {
        EngineFixture fixture;
        fixture.write(u"slow.py"_s, u"import json, os, sys, time\n"
                                    "for line in sys.stdin:\n"
                                    "    if 'ask' in json.loads(line):\n"
                                    "        while not os.path.exists('go'):\n"
                                    "            time.sleep(0.05)\n"
                                    "        print(json.dumps({'params': {'n': 0.5}}), flush=True)\n"_s);
        const QString file =
            sweepFile(fixture, u"method = \"command\"\ncommand = [\"python3\", \"slow.py\"]\ntrials = 1"_s,
                      u"n = { float = [0.0, 1.0] }"_s, {}, 1);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        const QString waits = u"aiting for the program that chooses the points"_s;
        QTRY_VERIFY_WITH_TIMEOUT(fixture.sweepctl({u"status"_s}).out.contains(waits), 20'000);
        fixture.write(u"go"_s, {});
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QVERIFY(!fixture.sweepctl({u"status"_s}).out.contains(waits));
    }

    void pointsAreRepeatedAndRankedByTheirMeans()
    {
        EngineFixture fixture;
        // Points are 1 apart; the last two digits of the seed add up to 0.099.
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"grid\"\nrepeats = 3\n[space]\n"
            "n = [3, 1, 2, 4]\n[run]\ncommand = [\"python3\", \"-c\", \"import sys, time; time.sleep(0.1); "
            "print('loss=' + "
            "str(int(sys.argv[1]) + int(sys.argv[2]) % 100 / 1000))\", \"{n}\", \"{seed}\"]\n"
            "[run.metrics]\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\nconcurrent = 2\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(3, u"completed"_s));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        std::map<int, std::vector<double>> values;
        const QJsonArray trials = fixture.sweep().value(u"trials"_s).toArray();
        for (const QJsonValue &trial : trials) {
            const int n = trial[u"parameters"_s][u"n"_s].toInt();
            const double value = trial[u"objective_best"_s][u"value"_s].toDouble();
            QCOMPARE(value, n + static_cast<int>(trial[u"seed"_s].toInteger() % 100) / 1000.0);
            values[n].push_back(value);
        }
        QCOMPARE(values.size(), 4);
        QCOMPARE(values[1].size(), 3);
        QVERIFY2(trials.size() < 12, "points that had lost were repeated");
        for (const QJsonValue &trial : trials) {
            const std::vector<double> &ofPoint = values[trial[u"parameters"_s][u"n"_s].toInt()];
            const double mean =
                std::accumulate(ofPoint.begin(), ofPoint.end(), 0.0) / static_cast<double>(ofPoint.size());
            QVERIFY(std::abs(trial[u"objective_mean"_s].toDouble() - mean) < 1e-12);
            QCOMPARE(trial[u"objective_runs"_s].toInt(), static_cast<int>(ofPoint.size()));
        }
        checkReplay(fixture, static_cast<int>(trials.size()));
        const QString status = fixture.sweepctl({u"status"_s}).out;
        QVERIFY2(status.contains(u"(3 runs) (trial 2)"_s), qPrintable(status));
    }

    void severalObjectivesHaveAFrontAndResultsHaveConstraints()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[objectives]\ncost = \"minimize\"\n[search]\nmethod = "
            u"\"tpe\"\n"
            "trials = 24\n[space]\nx = { float = [0.0, 1.0] }\ny = { float = [0.0, 1.0] }\n[outcome_constraints]\n"
            "fits = \"memory < 1\"\n[run]\ncommand = [\"python3\", \"-c\", \"import sys; x, y = map(float, "
            "sys.argv[1:]); "
            "print('loss=%r cost=%r memory=%r' % (x + y * y, (1 - x) ** 2 + y, x + 0.3))\", \"{x}\", \"{y}\"]\n"
            "[run.metrics]\nseries = { loss = 'loss=(\\S+)', cost = 'cost=(\\S+)', memory = 'memory=(\\S+)' }\n"
            "[devices]\nkind = \"cpu\"\nconcurrent = 2\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(15, u"completed"_s));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        checkReplay(fixture, 24);
        struct Point {
            int number;
            double loss;
            double cost;
            bool fits;
        };
        std::vector<Point> points;
        const QJsonObject sweep = fixture.sweep();
        for (const QJsonValue &trial : sweep.value(u"trials"_s).toArray()) {
            const double x = trial[u"parameters"_s][u"x"_s].toDouble();
            const double y = trial[u"parameters"_s][u"y"_s].toDouble();
            points.push_back({trial[u"number"_s].toInt(), x + y * y, (1 - x) * (1 - x) + y, x + 0.3 < 1});
            QCOMPARE(trial[u"violation"_s].toDouble() == 0, points.back().fits);
        }
        QCOMPARE(points.size(), 24);
        QList<int> front;
        for (const Point &point : points) {
            const auto beats = [&point](const Point &other) {
                return other.fits && other.loss <= point.loss && other.cost <= point.cost
                       && (other.loss < point.loss || other.cost < point.cost);
            };
            if (point.fits && std::ranges::none_of(points, beats))
                front.append(point.number);
        }
        QVERIFY(front.size() >= 3);
        QList<int> told;
        for (const QJsonValue &number : sweep.value(u"pareto_front"_s).toArray())
            told.append(number.toInt());
        QCOMPARE(told, front);

        // An edit of the constraint is applied to what was reported.
        QFile definition(file);
        QVERIFY(definition.open(QIODevice::ReadOnly));
        const QString edited = QString::fromUtf8(definition.readAll()).replace(u"memory < 1"_s, u"memory < 0.5"_s);
        QCOMPARE(fixture.sweepctl({u"edit"_s, u"1"_s, fixture.write(u"edited.toml"_s, edited)}).exitCode, 0);
        for (const QJsonValue &trial : fixture.sweep().value(u"trials"_s).toArray())
            QCOMPARE(trial[u"violation"_s].toDouble() == 0, trial[u"parameters"_s][u"x"_s].toDouble() + 0.3 < 0.5);
    }

    void searchEndsWhenTheOtherProgramFails()
    {
        EngineFixture fixture;
        fixture.write(u"sampler.py"_s, u"import no_such_module\n"_s);
        const QString file =
            sweepFile(fixture, u"method = \"command\"\ncommand = [\"python3\", \"sampler.py\"]\ntrials = 12"_s,
                      u"n = { float = [0.0, 1.0] }"_s);
        const auto run = fixture.sweepctl({u"run"_s, file, u"--wait"_s});
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains(u"No module named 'no_such_module'"_s), qPrintable(run.err));
        QCOMPARE(fixture.sweep().value(u"state"_s).toString(), u"failed"_s);
        const QString history = fixture.sweepctl({u"history"_s, u"1"_s}).out;
        QVERIFY2(history.contains(u"The program that chooses the points failed: it exited with code 1: "
                                  "ModuleNotFoundError: No module named 'no_such_module'"_s),
                 qPrintable(history));

        // An edit of the program continues the search.
        fixture.write(u"better.py"_s,
                      u"import json, sys\nfor line in sys.stdin:\n    ask = json.loads(line).get('ask')\n"
                      "    if ask:\n        print(json.dumps({'params': {'n': ask / 100}}), flush=True)\n"_s);
        sweepFile(fixture, u"method = \"command\"\ncommand = [\"python3\", \"better.py\"]\ntrials = 3"_s,
                  u"n = { float = [0.0, 1.0] }"_s);
        const auto edit = fixture.sweepctl({u"edit"_s, u"1"_s, file});
        QVERIFY2(edit.exitCode == 0, qPrintable(edit.err));
        QVERIFY2(edit.out.contains(u"hooses 3 more trials"_s), qPrintable(edit.out));
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.lines(u"ran"_s).size(), 3);
    }

    void hangingProgramHoldsUpNothingElse()
    {
        EngineFixture fixture;
        fixture.write(u"hang.py"_s, u"import signal, sys, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                                    "for line in sys.stdin:\n    if 'ask' in line:\n        time.sleep(1000)\n"_s);
        fixture.write(u"good.py"_s,
                      u"import json, sys\nfor line in sys.stdin:\n    ask = json.loads(line).get('ask')\n"
                      "    if ask:\n        print(json.dumps({'params': {'n': ask / 100}}), flush=True)\n"_s);
        const auto start = [&](const QString &program) {
            const QString file =
                sweepFile(fixture,
                          u"method = \"command\"\ncommand = [\"python3\", \"%1\", \"%2\"]\ntrials = 3"_s.arg(
                              program, fixture.workspace()),
                          u"n = { float = [0.0, 1.0] }"_s);
            return fixture.sweepctl({u"run"_s, file}).exitCode;
        };
        QCOMPARE(start(u"hang.py"_s), 0);
        QCOMPARE(start(u"good.py"_s), 0);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.sweep(2).value(u"state"_s).toString(), u"completed"_s, 30'000);
        QCOMPARE(fixture.sweepctl({u"stop"_s, u"1"_s}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(u"stopped"_s));
        QCOMPARE(start(u"hang.py"_s), 0);
        QTest::qWait(500);
        fixture.killEngine();
        QVERIFY(fixture.waitForNoProcesses());  // the program ends with it
        QVERIFY(fixture.startEngine());
        QTest::qWait(500);
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());
    }

    /// It may never answer.
    void editReplacesAHangingProgram()
    {
        EngineFixture fixture;
        fixture.write(u"hang.py"_s, u"import time\ntime.sleep(1000)\n"_s);
        fixture.write(u"good.py"_s,
                      u"import json, sys\nfor line in sys.stdin:\n    ask = json.loads(line).get('ask')\n"
                      "    if ask:\n        print(json.dumps({'params': {'n': ask / 100}}), flush=True)\n"_s);
        const auto write = [&fixture](const QString &program) {
            return sweepFile(fixture,
                             u"method = \"command\"\ncommand = [\"python3\", \"%1\"]\ntrials = 3"_s.arg(program),
                             u"n = { float = [0.0, 1.0] }"_s);
        };
        const QString file = write(u"hang.py"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QTest::qWait(500);
        write(u"good.py"_s);
        const auto edit = fixture.sweepctl({u"edit"_s, u"1"_s, file});
        QVERIFY2(edit.exitCode == 0, qPrintable(edit.err));
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.lines(u"ran"_s).size(), 3);
    }

    /// SWEEPSCOPE_OPTUNA: the folder with the python3 that has Optuna.
    void optunaChooses_data()
    {
        QTest::addColumn<QString>("sampler");
        for (const char *sampler : {"TPESampler", "CmaEsSampler", "NSGAIISampler", "RandomSampler"})
            QTest::newRow(sampler) << QString::fromLatin1(sampler);
    }

    void optunaChooses()
    {
        if (!qEnvironmentVariableIsSet("SWEEPSCOPE_OPTUNA"))
            QSKIP("SWEEPSCOPE_OPTUNA names no folder with a python3 that has Optuna");
        QFETCH(QString, sampler);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", qgetenv("SWEEPSCOPE_OPTUNA") + ':' + path);
        EngineFixture fixture;
        const QString file = fixture.write(
            u"optuna.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"optuna\"\nsampler = \"%1\"\n"
            "trials = 30\n[space]\nn = { float = [-1.0, 1.0] }\nk = [8, 2, 4]\nc = [\"a\", \"b\"]\n"
            "d = { int = [1, 9], step = 3, when = \"c == 'b'\" }\n[run]\n"
            "command = [\"sh\", \"-c\", 'echo loss=$1', \"sh\", \"{n}\", \"{k}\", \"{c}\", \"{d}\"]\n"
            "[run.metrics]\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\nconcurrent = 2\n"_s.arg(
                sampler));
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(15, u"completed"_s));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        qputenv("PATH", path);
        QCOMPARE(fixture.sweep().value(u"trials_total"_s).toInt(), 30);
        const QString csv = fixture.path(u"trials.csv"_s);
        QCOMPARE(fixture.sweepctl({u"export"_s, u"1"_s, u"--trials"_s, csv}).exitCode, 0);
        QFile table(csv);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll().count("hosen by " + sampler.toLatin1() + " of Optuna"), 30);
    }

    void optunaPrunes()
    {
        if (!qEnvironmentVariableIsSet("SWEEPSCOPE_OPTUNA"))
            QSKIP("SWEEPSCOPE_OPTUNA names no folder with a python3 that has Optuna");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", qgetenv("SWEEPSCOPE_OPTUNA") + ':' + path);
        EngineFixture fixture;
        // The first two run to their ends, and the median is 2.5 or less.
        const QString file = fixture.write(
            u"optuna.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"grid\"\n"
            "[space]\nn = [2, 3, 5, 1, 4]\n[run]\n"
            "command = [\"sh\", \"-c\", 'for i in 1 2 3; do echo step $i loss=$1; sleep 0.2; done; "
            "test $1 -lt 4 || sleep 1000', \"sh\", \"{n}\"]\n"
            "[run.metrics]\nstep = 'step (\\d+)'\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\n"
            "concurrent = 1\n[prune]\nmethod = \"optuna\"\npruner = \"MedianPruner("
            "n_startup_trials=2)\"\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        qputenv("PATH", path);
        QCOMPARE(fixture.trialStates(),
                 (QStringList{u"completed"_s, u"completed"_s, u"pruned"_s, u"completed"_s, u"pruned"_s}));
        const QString history = fixture.sweepctl({u"history"_s, u"1"_s, u"--trial"_s, u"3"_s}).out;
        QVERIFY2(history.contains(u": MedianPruner(n_startup_trials=2) of Optuna "_s), qPrintable(history));
    }

    void searchContinuesAfterItsEngineWasKilled_data()
    {
        QTest::addColumn<QString>("last");
        QTest::newRow("tpe") << u"chosen_by_model"_s;
        QTest::newRow("gp") << u"chosen_by_prediction"_s;
    }

    void searchContinuesAfterItsEngineWasKilled()
    {
        EngineFixture fixture;
        const QString method = u"method = \"%1\"\ntrials = 30"_s.arg(QString::fromLatin1(QTest::currentDataTag()));
        const QString file = sweepFile(fixture, method, u"n = { float = [-1.0, 1.0] }"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        for (const int trial : {4, 13, 22}) {
            QVERIFY(fixture.waitForTrialState(trial, u"completed"_s));
            fixture.killEngine();
            QVERIFY(fixture.startEngine());
        }
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        const QJsonObject sweep = fixture.sweep();
        QCOMPARE(sweep.value(u"trials_total"_s).toInt(), 30);
        QCOMPARE(sweep.value(u"trials_expected"_s).toInt(), 30);
        QStringList ran = fixture.lines(u"ran"_s);
        QCOMPARE(ran.size(), 30);
        QCOMPARE(ran.removeDuplicates(), 0);
        checkReplay(fixture, 30);
        const QString csv = fixture.path(u"trials.csv"_s);
        QCOMPARE(fixture.sweepctl({u"export"_s, u"1"_s, u"--trials"_s, csv}).exitCode, 0);
        QCOMPARE(readCsv(csv).at(0).at(u"chosen"_s), u"chosen_to_start"_s);
        QFETCH(const QString, last);
        QCOMPARE(readCsv(csv).at(29).at(u"chosen"_s), last);
    }

    void searchStartsFromResultsOfAnotherSweep()
    {
        EngineFixture fixture;
        // Whose best point is 0.2.
        const QString earlier = fixture.write(
            u"earlier.toml"_s,
            u"[sweep]\nname = \"e\"\nobjective = \"loss\"\n[search]\nmethod = \"sobol\"\ntrials = 16\n"
            "[space]\nn = { float = [-1.0, 1.0] }\n[run]\ncommand = [\"python3\", \"-c\", \"import sys; "
            "print('loss=%r' % (float(sys.argv[1]) - 0.2) ** 2)\", \"{n}\"]\n"
            "[run.metrics]\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\nconcurrent = 4\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, earlier, u"--wait"_s}).exitCode, 0);
        QCOMPARE(fixture.sweepctl({u"export"_s, u"1"_s, u"--trials"_s, fixture.path(u"earlier.csv"_s)}).exitCode, 0);
        const QString file = sweepFile(fixture, u"method = \"gp\"\ntrials = 12\nwarm_start = [\"earlier.csv\"]"_s,
                                       u"n = { float = [-1.0, 1.0] }"_s, {}, 1);
        const auto validated = fixture.sweepctl({u"validate"_s, file});
        QVERIFY2(validated.out.contains(u"16 results of 1 file"_s), qPrintable(validated.out + validated.err));
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        // From then on it needs nothing but its own copy.
        QVERIFY(QFile::remove(fixture.path(u"earlier.csv"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(fixture.sweep(2).value(u"trials"_s).toArray().size() >= 5, 30'000);
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QTRY_COMPARE_WITH_TIMEOUT(fixture.sweep(2).value(u"state"_s).toString(), u"completed"_s, 30'000);
        const QJsonArray trials = fixture.sweep(2).value(u"trials"_s).toArray();
        QCOMPARE(trials.size(), 12);
        for (const QJsonValue &trial : trials) {
            const int number = trial[u"number"_s].toInt();
            QCOMPARE(trial[u"chosen"_s][u"code"_s].toString(),
                     number == 4 || number == 8 ? u"chosen_to_explore"_s : u"chosen_by_prediction"_s);
        }
        const double first = trials.first()[u"parameters"_s][u"n"_s].toDouble();
        QVERIFY2(std::abs(first - 0.2) < 0.2, qPrintable(QString::number(first)));
        const auto replay = fixture.sweepctl({u"history"_s, u"2"_s, u"--replay"_s});
        QVERIFY2(replay.out.startsWith(u"12 choices replayed, all identical"_s), qPrintable(replay.out + replay.err));

        const auto refused = fixture.sweepctl({u"run"_s, file});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains(u"search.warm_start"_s), qPrintable(refused.err));
    }

    void searchWithABudgetOfDeviceTimeKnowsWhatTrialsCost()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"gp\"\ntrials = 16\nseed = 5\n[space]\n"
            "n = { float = [0.0, 1.0] }\n[run]\ncommand = [\"sh\", \"-c\", 'sleep \"$2\"; echo loss=\"$2\"', \"sh\", "
            "\"x\", "
            "\"{n}\"]\n[run.metrics]\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\nconcurrent = 2\n"
            "[budget]\ndevice_time = \"1h\"\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(11, u"completed"_s));
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        checkReplay(fixture, 16);
        const QJsonArray trials = fixture.sweep().value(u"trials"_s).toArray();
        const QJsonObject last = trials.last()[u"chosen"_s].toObject();
        QCOMPARE(last.value(u"code"_s).toString(), u"chosen_by_prediction"_s);
        const double seconds = last.value(u"seconds"_s).toDouble();
        QVERIFY2(seconds > 0 && seconds < 3, qPrintable(QString::number(seconds)));
    }

    void searchInBracketsIsReplayedAfterItsEngineWasKilled()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"tpe\"\ntrials = 30\nseed = 5\n"
            "[space]\nn = { float = [-1.0, 1.0] }\n[run]\n"
            "command = [\"sh\", \"-c\", 'for i in 1 2 3 4; do echo \"step $i loss=$2$i\"; sleep 0.05; done', \"sh\", "
            "\"x\", \"{n}\"]\n"
            "[run.metrics]\nstep = 'step (\\d+)'\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\n"
            "concurrent = 2\n[prune]\nmethod = \"hyperband\"\nfirst_step = 1\nmax_step = 4\nfactor = 2\n"
            "min_trials = 2\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        for (const int trial : {6, 15, 22}) {
            QVERIFY(
                QTest::qWaitFor([&] { return fixture.sweep().value(u"trials_total"_s).toInt() >= trial; }, 120'000));
            fixture.killEngine();
            QVERIFY(fixture.startEngine());
        }
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        const auto replay = fixture.sweepctl({u"history"_s, u"1"_s, u"--replay"_s});
        QVERIFY2(replay.exitCode == 0, qPrintable(replay.out + replay.err));
        QVERIFY2(replay.out.contains(u"30 choices replayed, all identical"_s), qPrintable(replay.out));
        QVERIFY2(replay.out.contains(u"pruning decisions replayed, all identical"_s), qPrintable(replay.out));
        const QString csv = fixture.path(u"trials.csv"_s);
        QCOMPARE(fixture.sweepctl({u"export"_s, u"1"_s, u"--trials"_s, csv}).exitCode, 0);
        const auto rows = readCsv(csv);
        QVERIFY(std::ranges::any_of(rows, [](const auto &row) { return row.at(u"state"_s) == u"pruned"_s; }));
        QVERIFY(std::ranges::any_of(rows, [](const auto &row) { return row.at(u"chosen"_s) == u"chosen_by_model"_s; }));
        QVERIFY(
            std::ranges::none_of(rows, [](const auto &row) { return row.at(u"chosen"_s) == u"chosen_to_explore"_s; }));
    }

    /// Whatever is killed, each trial continues its parent with the state that this had at that step.
    void populationContinuesItsBestTrials()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"pbt\"\ntrials = 12\nseed = 5\n"
            "[space]\nlr = { log = [1e-3, 10.0] }\n[run]\ncommand = [\"%1\", \"%2\", \"300\"]\n"
            "[devices]\nkind = \"cpu\"\ncpu_slots = 4\nconcurrent = 4\n[prune]\nmethod = \"percentile\"\n"
            "percentile = 60\nfirst_step = 15\nevery = 15\nmin_trials = 3\n"_s.arg(text(SWEEPSCOPE_PYTHON),
                                                                                   text(POPULATION)));
        const auto launched = fixture.sweepctl({u"run"_s, file});
        QVERIFY2(launched.exitCode == 0, qPrintable(launched.err));
        for (const int trial : {5, 6}) {
            QVERIFY(
                QTest::qWaitFor([&] { return fixture.sweep().value(u"trials_total"_s).toInt() >= trial; }, 120'000));
            fixture.killEngine();
            QVERIFY(fixture.startEngine());
        }
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        const QJsonArray trials = fixture.sweep().value(u"trials"_s).toArray();
        checkReplay(fixture, static_cast<int>(trials.size()));
        QVERIFY(trials.size() >= 6);

        struct Begun {
            int step = 0;
            double state = 0;
            QJsonArray line;
        };
        std::map<int, Begun> begun;
        for (const QString &line : fixture.lines(u"begun"_s)) {
            const QJsonArray attempt = QJsonDocument::fromJson(line.toUtf8()).array();
            if (attempt[1].toInt() == 1)
                begun[attempt[0].toInt()] = {attempt[2].toInt(), attempt[3].toDouble(), attempt[4].toArray()};
        }
        const QString csv = fixture.path(u"trials.csv"_s);
        QCOMPARE(fixture.sweepctl({u"export"_s, u"1"_s, u"--trials"_s, csv}).exitCode, 0);
        const auto rows = readCsv(csv);
        int successors = 0;
        for (const QJsonValue &trial : trials) {
            const int number = trial[u"number"_s].toInt();
            const auto &row = rows.at(static_cast<std::size_t>(number - 1));
            const Begun &start = begun.at(number);
            QCOMPARE(start.line.last().toInt(), number);
            if (number <= 4) {
                QCOMPARE(row.at(u"chosen"_s), u"chosen_in_sequence"_s);
                QCOMPARE(start.step, 1);
                continue;
            }
            ++successors;
            QCOMPARE(row.at(u"chosen"_s), u"chosen_to_continue"_s);
            const auto named = QRegularExpression(u"^Continues from trial (\\d+), "_s).match(row.at(u"why"_s));
            QVERIFY2(named.hasMatch(), qPrintable(row.at(u"why"_s)));
            const int parent = named.captured(1).toInt();
            const QJsonValue parentTrial = trials[parent - 1];
            QCOMPARE(start.line.at(start.line.size() - 2).toInt(), parent);
            QCOMPARE(trial[u"seed"_s].toInteger(), parentTrial[u"seed"_s].toInteger());
            const double lr = parentTrial[u"parameters"_s][u"lr"_s].toDouble();
            QVERIFY(trial[u"parameters"_s][u"lr"_s].toDouble() != lr);
            const Begun &before = begun.at(parent);
            const int steps = start.step - before.step;
            QVERIFY(steps >= 5);
            QVERIFY(std::abs(start.state - before.state - steps * lr) < 1e-9 * start.state);
        }
        QVERIFY(successors >= 2);
    }

    void populationWaitsForACheckpoint()
    {
        EngineFixture fixture;
        const QString file = fixture.write(
            u"search.toml"_s,
            u"[sweep]\nname = \"s\"\nobjective = \"loss\"\n[search]\nmethod = \"pbt\"\ntrials = 9\n[space]\n"
            "n = { float = [0.0, 1.0] }\n[run]\ncommand = [\"sh\", \"-c\", '"
            "while :; do i=$((i+1)); echo \"step $i loss=$2\"; [ -e go ] && break; sleep 0.05; done; "
            "cat \"$SWEEPSCOPE_PARENT_CHECKPOINT/here\" >> inherited; true', \"sh\", \"x\", \"{n}\"]\n"
            "[run.metrics]\nstep = 'step (\\d+)'\nseries = { loss = 'loss=(\\S+)' }\n[devices]\nkind = \"cpu\"\n"
            "cpu_slots = 3\nconcurrent = 3\n[prune]\nmethod = \"percentile\"\npercentile = 60\nfirst_step = 5\n"
            "every = 5\nmin_trials = 3\n"_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        const QRegularExpression waits(u"the next trial is waiting for trial (\\d) to save"_s,
                                       QRegularExpression::CaseInsensitiveOption);
        const auto status = [&] { return fixture.sweepctl({u"status"_s}).out; };
        QVERIFY2(QTest::qWaitFor([&] { return waits.match(status()).hasMatch(); }, 60'000), qPrintable(status()));
        QCOMPARE(fixture.sweep().value(u"trials_total"_s).toInt(), 3);
        const QString parent = waits.match(status()).captured(1);
        const QString folder = fixture.workspace() + u"/sweeps/0001-s/trials/000"_s + parent + u"/1/checkpoint"_s;
        QVERIFY(QDir().mkpath(folder));
        QFile saved(folder + u"/here"_s);
        QVERIFY(saved.open(QIODevice::WriteOnly));
        saved.write("from trial " + parent.toUtf8() + "\n");
        saved.close();
        QVERIFY(QTest::qWaitFor([&] { return fixture.sweep().value(u"trials_total"_s).toInt() == 4; }, 60'000));
        QVERIFY2(!waits.match(status()).hasMatch(), qPrintable(status()));
        fixture.write(u"go"_s, {});
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QVERIFY(fixture.lines(u"inherited"_s).contains(u"from trial "_s + parent));
        const QString history = fixture.sweepctl({u"history"_s, u"1"_s}).out;
        QVERIFY2(history.contains(u"population"_s), qPrintable(history));
    }

    void searchEndsWhenAllPointsAreTried()
    {
        EngineFixture fixture;
        const QString file =
            sweepFile(fixture, u"method = \"sobol\""_s, u"n = [1, 2, 3, 4, 5]"_s, u"[budget]\ntime = \"1h\""_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file, u"--wait"_s}).exitCode, 0);
        QStringList ran = fixture.lines(u"ran"_s);
        ran.sort();
        QCOMPARE(ran, (QStringList{u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s}));
        QVERIFY(fixture.sweepctl({u"history"_s, u"1"_s}).out.contains(u"All 5 points of the space have been tried"_s));
        checkReplay(fixture, 5);
    }

    void searchStopsAtItsTarget()
    {
        EngineFixture fixture;
        const QString file =
            sweepFile(fixture, u"method = \"random\""_s, u"n = { float = [0.0, 1.0] }"_s, u"[stop]\ntarget = 0.2"_s, 1);
        QCOMPARE(fixture.sweepctl({u"run"_s, file, u"--wait"_s}).exitCode, 0);
        const QStringList ran = fixture.lines(u"ran"_s);
        QCOMPARE(std::ranges::count_if(ran, [](const QString &n) { return n.toDouble() <= 0.2; }), 1);
        checkReplay(fixture, static_cast<int>(ran.size()));
    }

    void gridThatReachesItsTargetHasSucceeded()
    {
        EngineFixture fixture;
        const QString file =
            sweepFile(fixture, u"method = \"grid\""_s, u"n = [3, 2, 1, 4, 5]"_s, u"[stop]\ntarget = 2"_s, 1);
        const auto run = fixture.sweepctl({u"run"_s, file, u"--wait"_s});
        QVERIFY2(run.exitCode == 0, qPrintable(run.out + run.err));
        QVERIFY(fixture.lines(u"ran"_s).size() < 5);
    }

    void editRestartsAnEndedSearch()
    {
        EngineFixture fixture;
        const QString space = u"n = { float = [-1.0, 1.0] }"_s;
        const QString file = sweepFile(fixture, u"method = \"tpe\"\ntrials = 12"_s, space);
        QCOMPARE(fixture.sweepctl({u"run"_s, file, u"--wait"_s}).exitCode, 0);
        const QString more = sweepFile(fixture, u"method = \"tpe\"\ntrials = 15"_s, u"n = { float = [-0.5, 2.0] }"_s);
        const auto edited = fixture.sweepctl({u"edit"_s, u"1"_s, more});
        QVERIFY2(edited.exitCode == 0, qPrintable(edited.err));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.sweep().value(u"trials_total"_s).toInt(), 15, 60'000);
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        checkReplay(fixture, 15);
    }

    void stoppedSearchStartsNoMoreTrials()
    {
        EngineFixture fixture;
        const QString file =
            sweepFile(fixture, u"method = \"random\""_s, u"n = { float = [0.0, 1.0] }"_s, u"[budget]\ntime = \"1h\""_s);
        QCOMPARE(fixture.sweepctl({u"run"_s, file}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(3, u"completed"_s));
        QVERIFY(fixture.sweep().value(u"trials_expected"_s).isNull());
        QCOMPARE(fixture.sweepctl({u"stop"_s, u"1"_s}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(u"stopped"_s));
        const QJsonObject sweep = fixture.sweep();
        QCOMPARE(sweep.value(u"trials_expected"_s), sweep.value(u"trials_total"_s));
    }
};

SWEEPSCOPE_TEST(TestSearches)
#include "tst_searches.moc"
