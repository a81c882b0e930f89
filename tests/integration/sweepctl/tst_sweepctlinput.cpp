#include "enginefixture.h"
#include "testprogram.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

void expectUsageError(const EngineFixture &fixture, const char *line, const char *message)
{
    const QStringList words = text(line).split(QLatin1Char(' '));
    const auto result = fixture.sweepctl(words);
    QCOMPARE(result.err, text(message) + text("; see sweepctl ") + words.first() + text(" --help\n"));
    QCOMPARE(result.exitCode, 2);
}

}  // namespace

/// User input, and the messages when it is wrong.
class TestSweepctlInput : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpNamesEverySubcommandWithAnExample()
    {
        const EngineFixture fixture;
        const auto help = fixture.sweepctl({text("--help")});
        QCOMPARE(help.exitCode, 0);
        for (const char *name : {"validate", "run", "status", "stop", "diagnose", "export", "devices", "serve"}) {
            QVERIFY2(help.out.contains(text(name)), name);
            const auto own = fixture.sweepctl({text(name), text("--help")});
            QCOMPARE(own.exitCode, 0);
            QVERIFY2(own.out.contains(text("Example")), name);
        }
        QCOMPARE(fixture.sweepctl({text("dance")}).exitCode, 2);
        QCOMPARE(fixture.sweepctl({}).exitCode, 2);
        QCOMPARE(fixture.sweepctl({text("run")}).exitCode, 2);
    }

    void keysOfEverySectionAreExplained()
    {
        const EngineFixture fixture;
        const auto all = fixture.sweepctl({text("keys")});
        for (const char *section : {"sweep", "objectives", "space", "constraints", "outcome_constraints", "stop"}) {
            QVERIFY2(all.out.contains(text("[") + text(section) + text("]\n")), section);
            const auto one = fixture.sweepctl({text("keys"), text(section)});
            QCOMPARE(one.exitCode, 0);
            QVERIFY2(one.out.startsWith(text("[") + text(section) + text("]\n")), section);
        }
        QVERIFY(
            fixture.sweepctl({text("keys"), text("outcome_constraint")}).err.contains(text("'outcome_constraints'")));
    }

    void misspelledWordGetsASuggestion()
    {
        const EngineFixture fixture;
        const auto far = fixture.sweepctl({text("frobnicate")});
        QCOMPARE(far.exitCode, 2);
        QVERIFY2(far.err.contains(text("'frobnicate'")) && far.err.contains(text("validate, plan, run, status")),
                 qPrintable(far.err));
        const auto near = fixture.sweepctl({text("stauts")});
        QVERIFY2(near.err.contains(text("did you mean 'status'?")), qPrintable(near.err));
        const auto option = fixture.sweepctl({text("run"), text("x.toml"), text("--wiat")});
        QCOMPARE(option.exitCode, 2);
        QVERIFY2(option.err.contains(text("'--wiat' (did you mean '--wait'?)")), qPrintable(option.err));
        const auto extra = fixture.sweepctl({text("status"), text("now")});
        QCOMPARE(extra.exitCode, 2);
        QVERIFY2(extra.err.contains(text("'now'")), qPrintable(extra.err));
    }

    void numbersOutOfRangeNameTheirLimit()
    {
        const EngineFixture fixture;
        expectUsageError(fixture, "edit 1 --concurrent 0", "--concurrent must be an integer of at least 1, not '0'");
        expectUsageError(fixture, "edit 1 --concurrent 99999999999",
                         "--concurrent must be at most 2147483647, not '99999999999'");
        expectUsageError(fixture, "retry 1 --trial x", "--trial must be an integer of at least 1, not 'x'");
        expectUsageError(fixture, "diagnose 1 x", "TRIAL must be an integer of at least 1, not 'x'");
        expectUsageError(fixture, "priority 1 --level 1001",
                         "--level must be an integer from -1000 to 1000, not '1001'");
        expectUsageError(fixture, "trace 1 1 --steps 0", "--steps must be an integer from 1 to 1000, not '0'");
        expectUsageError(fixture, "suggest a.toml --count 1.5",
                         "--count must be an integer from 1 to 1000000, not '1.5'");
        expectUsageError(fixture, "suggest a.toml --method optuna",
                         "--method must be grid, random, sobol, tpe, gp, cmaes, nsga2, pbt or auto, not 'optuna'");
        expectUsageError(fixture, "export 1 --optuna a --points 9",
                         "--points must be an integer from 10 to 1000000000, not '9'");
        expectUsageError(fixture, "serve --idle-exit -1",
                         "--idle-exit must be an integer from 0 to 31536000, not '-1'");
    }

    void optionsThatAreMissingOrExcludeEachOtherAreNamed()
    {
        const EngineFixture fixture;
        expectUsageError(fixture, "stop 1 --finish --kill", "--finish and --kill cannot be used together");
        expectUsageError(fixture, "mark 1 -t 1 --no-star --star", "--star and --no-star cannot be used together");
        expectUsageError(fixture, "priority", "sweepctl priority needs SWEEP and --level");
        expectUsageError(fixture, "trace 1", "sweepctl trace needs TRIAL");
        expectUsageError(fixture, "suggest a.toml --count", "--count needs a value");
        expectUsageError(fixture, "export 1 --html --trials a.csv", "--html needs a value");
        expectUsageError(fixture, "export 1 --html=", "--html needs a value");
        const auto withoutCurves = [&fixture](const char *option) {
            return fixture
                .sweepctl(text("export 1 --trials - %1").arg(text(option)).split(QLatin1Char(' '), Qt::SkipEmptyParts))
                .err;
        };
        QCOMPARE(withoutCurves("--points 20"), text("--points needs --optuna or --tensorboard\n"));
        QCOMPARE(withoutCurves("--ranks"), text("--ranks needs --tensorboard\n"));
        expectUsageError(fixture, "edit 1 --retries 1 --retries 2", "--retries can be used only once");
        expectUsageError(fixture, "status --json=maybe", "--json takes no value");
        const auto help = fixture.sweepctl({text("stop"), text("--help")});
        QVERIFY2(!help.out.contains(text("Group:")) && help.out.contains(text("--checkpoint")), qPrintable(help.out));
    }

    void suggestedPointsDifferAndFollowTheHistory()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 5);
        const auto four = fixture.sweepctl({text("suggest"), file, text("--count"), text("4")});
        QVERIFY2(four.exitCode == 0, qPrintable(four.err));
        const QStringList lines = four.out.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        for (int n = 1; n <= 4; ++n)  // those of a grid come in their order
            QVERIFY2(lines.at(n - 1).startsWith(text("{\"number\":%1,\"params\":{\"n\":%1}").arg(n)),
                     qPrintable(lines.at(n - 1)));

        QString history;
        for (int n = 1; n <= 4; ++n)
            history += text("{\"state\": \"complete\", \"params\": {\"n\": %1}, \"value\": \"nan\"}\n").arg(n);
        const QString known = fixture.write(text("history.jsonl"), history);
        const auto last = fixture.sweepctl({text("suggest"), file, text("--history"), known});
        QVERIFY2(last.out.startsWith(text("{\"number\":5,\"params\":{\"n\":5}")), qPrintable(last.out + last.err));
        const auto fewer =
            fixture.sweepctl({text("suggest"), file, text("--history"), known, text("--count"), text("2")});
        QCOMPARE(fewer.exitCode, 0);
        QCOMPARE(fewer.out.count(QLatin1Char('\n')), 1);
        QCOMPARE(fewer.err, text("all 5 points of the space have been tried\n"));
        const QString all =
            fixture.write(text("all.jsonl"), history + text("{\"state\": \"running\", \"params\": {\"n\": 5}}\n"));
        QCOMPARE(fixture.sweepctl({text("suggest"), file, text("--history"), all}).exitCode, 2);
        const auto missing = fixture.sweepctl({text("suggest"), file, text("--history"), text("/no/history")});
        QCOMPARE(missing.exitCode, 2);
        QCOMPARE(missing.err.count(text("/no/history")), 1);

        const QString broken = fixture.write(text("broken.jsonl"), history + text("{\"params\": {}}\n"));
        const auto refused = fixture.sweepctl({text("suggest"), file, text("--history"), broken});
        QCOMPARE(refused.exitCode, 2);
        QVERIFY2(refused.err.contains(text("line 5: state is missing")), qPrintable(refused.err));
    }

    void suggestWarnsOfParametersThatTheSpaceLacks()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 5);
        const QString line = text("{\"state\": \"complete\", \"params\": {\"m\": 1}, \"value\": 1}\n");
        const auto suggested =
            fixture.sweepctl({text("suggest"), file, text("--history"), fixture.write(text("h.jsonl"), line)});
        QCOMPARE(suggested.exitCode, 0);
        QVERIFY2(suggested.err.contains(text("1 trial lacks the parameter 'n'")), qPrintable(suggested.err));
        QVERIFY2(suggested.err.contains(text("1 trial has the unknown parameter 'm'")), qPrintable(suggested.err));
    }

    void suggestTakesNanForAViolatedConstraint()
    {
        const EngineFixture fixture;
        const QString file = fixture.write(
            text("gp.toml"),
            text("[sweep]\nname = \"g\"\nobjective = \"loss\"\n[search]\nmethod = \"gp\"\ntrials = 40\n[space]\n"
                 "x = { float = [0.0, 1.0] }\n[run]\ncommand = [\"true\"]\n"));
        QString history;
        for (int n = 1; n <= 12; ++n)
            history += text("{\"state\": \"complete\", \"params\": {\"x\": %1}, \"value\": %1, \"constraints\": "
                            "[\"%2\"]}\n")
                           .arg(n / 16.0)
                           .arg(n < 6 ? text("nan") : text("-1"));
        const auto suggested =
            fixture.sweepctl({text("suggest"), file, text("--history"), fixture.write(text("h.jsonl"), history)});
        QVERIFY2(suggested.out.contains(text("\"risk\":")), qPrintable(suggested.out + suggested.err));
    }

    void suggestedPointsAreAskedAndTold()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 5);
        QProcess process;
        process.start(text(SWEEPSCOPE_BIN_DIR "/sweepctl"), {text("suggest"), file, text("--ask-tell")});
        const auto ask = [&process](const char *request) {
            process.write(request);
            while (!process.canReadLine() && process.waitForReadyRead(10'000)) {
            }
            return QJsonDocument::fromJson(process.readLine()).object();
        };
        QSet<int> points;
        QJsonObject point = ask("{\"ask\": 1}\n");
        points.insert(point[text("params")][text("n")].toInt());
        QCOMPARE(point[text("number")].toInt(), 1);
        point = ask("{\"number\": 1, \"state\": \"complete\", \"params\": {\"n\": 1}, \"value\": 3}\n{\"ask\": 1}\n");
        QCOMPARE(point[text("number")].toInt(), 2);
        points.insert(point[text("params")][text("n")].toInt());
        process.write("{\"ask\": 0}\n");
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(10'000));
        QCOMPARE(process.exitCode(), 2);
        const QByteArray errors = process.readAllStandardError();
        QCOMPARE(errors, QByteArray("line 4: ask must be a number of points from 1 to 1000000, not 0\n"));
    }

    void validFileIsReportedWithItsTrials()
    {
        const EngineFixture fixture;
        const auto result = fixture.sweepctl({text("validate"), fixture.writeShellSweep(text("true"), 7)});
        QVERIFY2(result.exitCode == 0, qPrintable(result.err));
        QVERIFY2(result.out.contains(QRegularExpression(text("trials +7"))), qPrintable(result.out));
    }

    void everyErrorIsReportedWithItsPosition()
    {
        const EngineFixture fixture;
        const QString file = fixture.write(text("bad.toml"), text("[sweep]\nname = \"x\"\nobjective = \"loss\"\n"
                                                                  "[space]\nn = { int = [9, 1] }\n"
                                                                  "[run]\ncommand = [\"true\"]\nrank = 2\n"));
        for (const char *command : {"validate", "run"}) {
            const auto result = fixture.sweepctl({text(command), file});
            QCOMPARE(result.exitCode, 2);
            QVERIFY2(result.err.contains(file + text(":5:")) && result.err.contains(text("space.n: ")),
                     qPrintable(result.err));
            QVERIFY2(result.err.contains(file + text(":8:")) && result.err.contains(text("run.rank: ")),
                     qPrintable(result.err));
        }
        QVERIFY2(!QFileInfo::exists(fixture.workspace()), "nothing was started for a bad file");
    }

    void missingFileAndUnknownCommandAreBadInput()
    {
        const EngineFixture fixture;
        const auto missing = fixture.sweepctl({text("run"), fixture.path(text("none.toml"))});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY(missing.err.contains(text("none.toml")));

        const QString file =
            fixture.write(text("sweep.toml"), text("[sweep]\nname = \"x\"\nobjective = \"loss\"\n"
                                                   "[space]\nn = [1]\n"
                                                   "[run]\ncommand = [\"no-such-program-anywhere\", \"{n}\"]\n"));
        const auto unknown = fixture.sweepctl({text("run"), file});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(
            unknown.err.contains(file + text(":7:11: run.command: there is no program 'no-such-program-anywhere'")),
            qPrintable(unknown.err));
    }

    void workspaceMayBeNamedBeforeTheCommand()
    {
        const EngineFixture fixture;
        const QString other = fixture.path(text("other"));
        const QString file = fixture.writeShellSweep(text("true"), 1);
        for (const QStringList &args : {QStringList{text("--workspace"), other, text("status")},
                                        QStringList{text("--workspace=") + other, text("status")},
                                        QStringList{text("status"), text("--workspace"), other}}) {
            const auto result = fixture.sweepctl(args);
            QCOMPARE(result.exitCode, 4);
            QVERIFY2(result.err.contains(other), qPrintable(result.err));
        }
        const auto nothing = fixture.sweepctl({text("--workspace"), other});
        QCOMPARE(nothing.exitCode, 2);
        QVERIFY2(nothing.err.contains(text("needs a command")), qPrintable(nothing.err));
        const auto useless = fixture.sweepctl({text("--workspace"), other, text("keys")});
        QCOMPARE(useless.exitCode, 2);
        QVERIFY2(useless.err.contains(text("--workspace")), qPrintable(useless.err));
    }

    void statusAndExportReportAMissingWorkspace()
    {
        const EngineFixture fixture;
        for (const QStringList &args :
             {QStringList{text("status")}, QStringList{text("stop"), text("1")},
              QStringList{text("export"), text("1"), text("--trials"), fixture.path(text("t.csv"))}}) {
            const auto result = fixture.sweepctl(args);
            QCOMPARE(result.exitCode, 4);
            QVERIFY2(result.err.contains(fixture.workspace()), qPrintable(result.err));
        }
        QCOMPARE(fixture.sweepctl({text("export"), text("1")}).exitCode, 2);
        QVERIFY2(!QFileInfo::exists(fixture.workspace()), "looking makes no workspace");
    }

    void workspaceThatCannotBeWrittenIsBadInput()
    {
        const EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 1);
        // A folder below a file: not even root can create it.
        const QString impossible = file + text("/ws");
        for (const QStringList &args : {QStringList{text("run"), file, text("--workspace"), impossible},
                                        QStringList{text("serve"), text("--workspace"), impossible}}) {
            const auto result = fixture.sweepctl(args);
            QCOMPARE(result.exitCode, 2);
            QVERIFY2(result.err.contains(impossible) && result.err.contains(text("not writable")),
                     qPrintable(result.err));
        }
    }

    void missingModuleIsAWarningOfValidate()
    {
        const EngineFixture fixture;
        fixture.write(text("train.py"), text("import no_such_module\n"));
        const QString file = fixture.write(text("s.toml"), text("[sweep]\nname = \"s\"\nobjective = \"loss\"\n"
                                                                "[space]\nlr = [1]\n"
                                                                "[run]\ncommand = [\"python3\", \"train.py\"]\n"));
        const auto result = fixture.sweepctl({text("validate"), file});
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(result.err.startsWith(text("warning: ") + file + text(":7:"))
                     && result.err.contains(text("has no module named 'no_such_module'")),
                 qPrintable(result.err));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 2);
    }

    void builtinSweepWithoutTheWorkerIsRefused()
    {
        if (QFileInfo::exists(text(SWEEPSCOPE_BIN_DIR "/sweepscope-worker")))
            QSKIP("this build has the built-in worker");
        const EngineFixture fixture;
        const auto result =
            fixture.sweepctl({text("run"), text(SWEEPSCOPE_SOURCE_DIR "/resources/examples/digits-mlp.toml")});
        QCOMPARE(result.exitCode, 2);
        QVERIFY2(result.err.contains(text("run.worker")) && result.err.contains(text("LibTorch"))
                     && result.err.contains(text("examples/printed.toml")),
                 qPrintable(result.err));
    }
};

SWEEPSCOPE_TEST(TestSweepctlInput)
#include "tst_sweepctlinput.moc"
