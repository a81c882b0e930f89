#include "enginefixture.h"
#include "testprogram.h"

#include "base/workspacelayout.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <filesystem>
#include <sys/stat.h>

/// Running the user's own command.
class TestOwnCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void commandGetsParametersInEnvironmentFileAndFolder()
    {
        EngineFixture fixture;
        QVERIFY(QDir().mkpath(fixture.path(text("runs/1"))));
        const QString file =
            fixture.writeShellSweep(text("cat $SWEEPSCOPE_PARAMS_FILE > params; echo $N > variable"), 1,
                                    text("environment = { N = \"n is {n}\" }\nworking_folder = \"runs/{n}\""));
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        QCOMPARE(fixture.trialReason(1)[text("code")].toString(), text("objective_missing"));
        QCOMPARE(fixture.lines(text("runs/1/params")), QStringList{text("{\"n\":1}")});
        QCOMPARE(fixture.lines(text("runs/1/variable")), QStringList{text("n is 1")});
    }

    /// Ten thousand trials are ten thousand folders: empty files take no space.
    void trialWithoutReportsUsesLittleSpace()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(text("true"), 1);
        QCOMPARE(fixture.sweepctl({text("run"), file}).exitCode, 0);
        QVERIFY(fixture.waitForSweepState(text("completed")));
        fixture.endEngine();
        QVERIFY(fixture.waitForNoProcesses());

        const sweepscope::WorkspaceLayout workspace{fixture.workspace().toStdString()};
        const sweepscope::AttemptLayout attempt = workspace.attempt("0001-shell", 1, 1);
        std::int64_t allocated = 0;
        QStringList files;
        for (const auto &entry : std::filesystem::directory_iterator(attempt.folder)) {
            struct stat info {};
            QCOMPARE(::lstat(entry.path().c_str(), &info), 0);
            allocated += info.st_blocks * 512;
            files.append(QString::fromStdString(entry.path().filename().string()));
        }
        QVERIFY2(files.size() <= 3, qPrintable(files.join(u' ')));
        QVERIFY2(allocated <= 12 * 1024, qPrintable(QString::number(allocated)));
        QVERIFY(std::filesystem::exists(attempt.launchFile()) && std::filesystem::exists(attempt.eventsFile()));
    }

    /// By its path, without being activated: its packages are found, as in a shell that has activated it.
    void pythonOfAnEnvironmentIsRunByItsPath()
    {
        EngineFixture fixture;
        QProcess make;
        make.start(text("python3"), {text("-m"), text("venv"), text("--without-pip"), fixture.path(text("env"))});
        if (!make.waitForFinished(120'000) || make.exitCode() != 0)
            QSKIP("no python3-venv here");
        const QString python = fixture.path(text("env/bin/python"));
        QString file = fixture.writeShellSweep(text("@"), 1);
        QFile sweep(file);
        QVERIFY(sweep.open(QIODevice::ReadOnly));
        const QString toml =
            QString::fromUtf8(sweep.readAll())
                .replace(
                    text("[\"sh\", \"-c\", '''@''', \"sh\", \"{n}\"]"),
                    text("[\"%1\", \"-c\", \"import sys; print(sys.prefix, file=open('prefix', 'w'))\"]").arg(python));
        file = fixture.write(text("sweep.toml"), toml);
        const auto launched = fixture.sweepctl({text("run"), file, text("--wait")});
        QVERIFY2(launched.exitCode == 0, qPrintable(launched.err + toml));
        QCOMPARE(fixture.lines(text("prefix")), QStringList{QFileInfo(fixture.path(text("env"))).canonicalFilePath()});
    }
};

SWEEPSCOPE_TEST(TestOwnCommand)
#include "tst_owncommand.moc"
