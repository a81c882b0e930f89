#include "enginefixture.h"
#include "testprogram.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QProcess>
#include <QTest>

/// The history of what ran.
class TestHistory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherMetricsAreStored()
    {
        EngineFixture fixture;
        const QString script =
            text("echo step 1 loss=4 acc=0.75; echo step 2 loss=2 acc=0.25; echo step 3 loss=3 acc=0.5; "
                 "while [ ! -e go ]; do sleep 0.05; done");
        const QString metrics = text("[run.metrics]\nstep = 'step (\\d+)'\n"
                                     "series = { loss = 'loss=(\\S+)', acc = 'acc=(\\S+)' }");
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 1, metrics)}).exitCode, 0);
        const auto accuracy = [&] {
            return fixture.sweep().value(text("trials"))[0][text("metrics")][text("acc")].toObject();
        };
        QVERIFY2(QTest::qWaitFor([&] { return accuracy().value(text("step")).toInt() == 3; }, 60'000),
                 "what runs says how far it is");
        fixture.write(text("go"), {});
        QVERIFY(fixture.waitForSweepState(text("completed")));
        fixture.endEngine();  // from here on read from the database
        QCOMPARE(accuracy(),
                 (QJsonObject{{text("last"), 0.5}, {text("step"), 3}, {text("min"), 0.25}, {text("max"), 0.75}}));
        QVERIFY(!fixture.sweep().value(text("trials"))[0][text("metrics")].toObject().contains(text("loss")));
        const QString csv = fixture.path(text("trials.csv"));
        QCOMPARE(fixture.sweepctl({text("export"), text("1"), text("--trials"), csv}).exitCode, 0);
        QCOMPARE(readCsv(csv).at(0).at(text("metric_max.acc")), text("0.75"));
    }

    void historyListsAllEventsUpToThePresentState()
    {
        EngineFixture fixture;
        const QString script = text("if [ $1 = 2 ]; then exit 3; fi");
        const QString file =
            fixture.writeShellSweep(script, 3, text("environment = { HF_TOKEN = \"hf_123\", A = \"b\" }"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.sweepctl({text("retry"), text("1")}).exitCode, 0);
        QVERIFY(QTest::qWaitFor([&] { return fixture.sweep().value(text("ended")).isString(); }, 60'000));

        const auto all = fixture.sweepctl({text("history"), text("1"), text("--json")});
        QVERIFY2(all.exitCode == 0, qPrintable(all.err));
        QMap<int, QString> states;  // replayed; 0 is the sweep
        for (const QJsonValue &entry :
             QJsonDocument::fromJson(all.out.toUtf8()).object().value(text("history")).toArray()) {
            const int trial = entry[text("trial")].toInt();
            const QString before = entry[text("before")].toString();
            if (states.contains(trial) || trial == 0)
                QCOMPARE(before, states.value(trial));
            else
                QCOMPARE(before, text("queued"));
            states[trial] = entry[text("after")].toString();
            QVERIFY(!entry[text("time")].toString().isEmpty());
        }
        QCOMPARE(states.value(0), text("completed"));
        QCOMPARE(QStringList({states.value(1), states.value(2), states.value(3)}), fixture.trialStates());

        const auto one = fixture.sweepctl({text("history"), text("1"), text("--trial"), text("2")});
        QVERIFY2(one.exitCode == 0, qPrintable(one.err));
        for (const char *what :
             {"Retry requested", "Rank 0 exited with code 3", "attempt 2  failed", "A=b", "HF_TOKEN=***"})
            QVERIFY2(one.out.contains(text(what)), qPrintable(text(what) + text(" is missing in:\n") + one.out));
        QVERIFY(!one.out.contains(text("hf_123")));
        QCOMPARE(fixture.sweepctl({text("history"), text("1"), text("--trial"), text("4")}).exitCode, 2);
    }

    void historyContainsTheRevisionOfTheCode()
    {
        EngineFixture fixture;
        fixture.write(text("train.py"), text("print('v1')\n"));
        const auto git = [&](const QStringList &args) {
            QProcess process;
            process.setWorkingDirectory(fixture.path({}));
            process.start(text("git"), QStringList({text("-c"), text("user.name=t"), text("-c"), text("user.email=t@t"),
                                                    text("-c"), text("commit.gpgsign=false")})
                                           + args);
            process.waitForFinished();
            return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
        };
        git({text("init"), text("-q"), text("-b"), text("topic")});
        git({text("add"), text("train.py")});
        git({text("commit"), text("-q"), text("-m"), text("one")});
        const QString revision = git({text("rev-parse"), text("HEAD")});
        QCOMPARE(revision.size(), 40);
        fixture.write(text("train.py"), text("print('v2')\n"));
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text("sleep 1"), 1)}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));

        const QStringList ask{text("history"), text("1"), text("-t"), text("1")};
        const auto attempt = [&] {
            const auto json = fixture.sweepctl(ask + QStringList(text("--json")));
            return QJsonDocument::fromJson(json.out.toUtf8()).object()[text("attempts")][0];
        };
        // Git runs asynchronously.
        QVERIFY(QTest::qWaitFor([&] { return attempt()[text("source")].isObject(); }, 30'000));
        const QJsonValue source = attempt()[text("source")];
        QCOMPARE(source[text("revision")].toString(), revision);
        QCOMPARE(source[text("branch")].toString(), text("topic"));
        QVERIFY(source[text("changed")].toBool());
        const QString said = fixture.sweepctl(ask).out;
        QVERIFY2(said.contains(revision + text(" (topic), with uncommitted changes")), qPrintable(said));
    }

    /// Also without a repository.
    void theCodeOfATrialIsShownComparedAndRunAgain()
    {
        EngineFixture fixture;
        QVERIFY(QDir().mkpath(fixture.path(text("code/lib"))));
        fixture.write(text("code/lib/answer.sh"), text("answer=41\n"));
        fixture.write(text("code/train.sh"), text(". lib/answer.sh\necho answer $answer for $SWEEPSCOPE_PARAMS\n"));
        const QString file =
            fixture.write(text("code/sweep.toml"), text("[sweep]\nname = \"code\"\nobjective = \"loss\"\n[search]\n"
                                                        "method = \"grid\"\n[space]\nn = [1]\n[run]\n"
                                                        "command = [\"sh\", \"train.sh\"]\n"
                                                        "[devices]\nkind = \"cpu\"\n"));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        const auto code = [&](int trial, const QStringList &more = {}) {
            return fixture.sweepctl(QStringList({text("code"), text("1"), QString::number(trial)}) + more);
        };
        QVERIFY2(QTest::qWaitFor([&] { return code(1).exitCode == 0; }, sweepscope::patience), qPrintable(code(1).err));
        fixture.write(text("code/lib/answer.sh"), text("answer=42\n"));
        QCOMPARE(fixture.sweepctl({text("enqueue"), text("1"), text("n=2")}).exitCode, 0);
        const auto difference = [&] { return code(1, {text("--diff"), text("2")}).out; };
        QVERIFY2(QTest::qWaitFor([&] { return difference().contains(text("-answer=41\n+answer=42\n")); },
                                 sweepscope::patience),
                 qPrintable(difference()));
        QVERIFY(!difference().contains(text("train.sh")));
        QVERIFY2(!difference().contains(text("machine:")), qPrintable(difference()));
        const QString shown = code(1).out;
        QVERIFY2(shown.contains(text("  kernel       ")) && shown.contains(text("  host         ")), qPrintable(shown));
        const auto list = code(1, {text("--list")});
        QVERIFY2(list.out.contains(text("10\tlib/answer.sh\n")), qPrintable(list.out));

        const QString out = fixture.path(text("as it was"));
        const auto restored = code(1, {text("--checkout"), out});
        QVERIFY2(restored.exitCode == 0, qPrintable(restored.err));
        QProcess shell;
        shell.start(text("sh"), {text("-c"), restored.out.section(text(":\n"), 1)});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), text("answer 41 for {\"n\":1}\n"));
        QCOMPARE(code(1, {text("--checkout"), out}).exitCode, 2);
        QCOMPARE(code(9).exitCode, 2);

        const auto json = fixture.sweepctl({text("history"), text("1"), text("-t"), text("1"), text("--json")});
        const QString tree =
            QJsonDocument::fromJson(json.out.toUtf8())[text("attempts")][0][text("source")][text("snapshot")]
                .toString();
        QCOMPARE(tree.size(), 40);
        QVERIFY(fixture.sweepctl({text("history"), text("1"), text("-t"), text("1")}).out.contains(tree));

        // The engine keeps the code as long as the sweep.
        QVERIFY(fixture.waitForSweepState(text("completed")));
        const QDir owners(fixture.path(text("ws/code.git/refs/sweeps")));
        QCOMPARE(owners.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
        QCOMPARE(fixture.sweepctl({text("delete"), text("1"), text("--yes")}).exitCode, 0);
        QVERIFY(QTest::qWaitFor([&] { return owners.entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty(); },
                                sweepscope::patience));
    }
};

SWEEPSCOPE_TEST(TestHistory)
#include "tst_history.moc"
