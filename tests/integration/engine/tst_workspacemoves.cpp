#include "enginefixture.h"
#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;

/// A workspace whose files disappear while its engine runs.
class TestWorkspaceMoves : public QObject {
    Q_OBJECT

    static bool fileSays(const QString &path, const QString &words)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) && QString::fromUtf8(file.readAll()).contains(words);
    }
    static bool logSays(const QString &workspace, const QString &words)
    {
        return fileSays(workspace + u"/engine.log"_s, words);
    }
    /// According to its agent's event, whether or not the engine has read it.
    static bool attemptHasEnded(const QString &workspace, int trial)
    {
        return fileSays(
            u"%1/sweeps/0001-shell/trials/%2/1/events.jsonl"_s.arg(workspace).arg(trial, 4, 10, QChar(u'0')),
            u"\"ended\""_s);
    }

private Q_SLOTS:
    void movedWorkspaceIsNotRecreatedAndContinuesWhenRestored()
    {
        EngineFixture fixture;
        const QString script = u"echo $1 >> ran; while [ ! -e go ]; do sleep 0.05; done"_s;
        // Starts the engine too, so that it has a log.
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(script, 4, {}, u"concurrent = 2"_s)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(2, u"running"_s));
        const QString moved = fixture.path(u"moved"_s);
        QVERIFY(QDir().rename(fixture.workspace(), moved));
        QTRY_VERIFY_WITH_TIMEOUT(logSays(moved, u"was moved to "_s + moved), patience);
        fixture.write(u"go"_s, {});
        // The two running ones end; the engine must not treat them as lost agents, nor start the others.
        QTRY_VERIFY_WITH_TIMEOUT(attemptHasEnded(moved, 1) && attemptHasEnded(moved, 2), patience);
        QVERIFY(!QFileInfo::exists(fixture.workspace()));
        QCOMPARE(fixture.lines(u"ran"_s), (QStringList{u"1"_s, u"2"_s}));
        QVERIFY(QDir().rename(moved, fixture.workspace()));
        QTRY_VERIFY_WITH_TIMEOUT(logSays(fixture.workspace(), u"accessible again"_s), patience);
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.lines(u"ran"_s), (QStringList{u"1"_s, u"2"_s, u"3"_s, u"4"_s}));
        QCOMPARE(fixture.trialStates(), QStringList(4, u"completed"_s));
    }

    void removedDatabaseIsReportedAndWrittenAgainAtTheEnd()
    {
        EngineFixture fixture;
        const QString script = u"echo $1 >> ran; while [ ! -e go ]; do sleep 0.05; done"_s;
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(script, 3, {}, u"concurrent = 1"_s)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, u"running"_s));
        const QString database = fixture.workspace() + u"/sweepscope.db"_s;
        for (const QString &end : {u""_s, u"-wal"_s, u"-shm"_s})
            QVERIFY(QFile::remove(database + end));
        QTRY_VERIFY_WITH_TIMEOUT(logSays(fixture.workspace(), u"was removed or replaced"_s), patience);
        const auto run = fixture.sweepctl({u"run"_s, fixture.path(u"sweep.toml"_s)});
        QVERIFY(run.exitCode != 0);
        QVERIFY2(run.err.contains(u"was removed or replaced"_s) && !run.err.contains(u"sweep.toml:"_s),
                 qPrintable(run.err));
        const auto status = fixture.sweepctl({u"status"_s});
        QVERIFY(status.exitCode != 0);
        QVERIFY2(status.err.contains(u"was removed or replaced"_s), qPrintable(status.err));
        fixture.write(u"go"_s, {});
        QTRY_VERIFY_WITH_TIMEOUT(attemptHasEnded(fixture.workspace(), 1), patience);
        fixture.endEngine();
        QVERIFY(QFile::exists(database));
        QCOMPARE(fixture.lines(u"ran"_s), QStringList{u"1"_s});
        QVERIFY(fixture.startEngine());
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.lines(u"ran"_s), (QStringList{u"1"_s, u"2"_s, u"3"_s}));
    }

    void noSweepStartsBesideThoseOfALostDatabase()
    {
        EngineFixture fixture;
        const QString file = fixture.writeShellSweep(u"exit 0"_s, 2);
        QCOMPARE(fixture.sweepctl({u"run"_s, file, u"--wait"_s}).exitCode, 0);
        fixture.endEngine();
        QVERIFY(QFile::remove(fixture.workspace() + u"/sweepscope.db"_s));
        const auto refused = fixture.sweepctl({u"run"_s, file, u"--wait"_s});
        QVERIFY(refused.exitCode != 0);
        QVERIFY2(refused.err.contains(u"sweepctl rescue"_s), qPrintable(refused.err));
        QVERIFY(!QFileInfo::exists(fixture.workspace() + u"/sweeps/0002-shell"_s));
        QVERIFY(!QFileInfo::exists(fixture.workspace() + u"/sweeps/0001-shell/trials/0001/2"_s));
    }
};

SWEEPSCOPE_TEST(TestWorkspaceMoves)
#include "tst_workspacemoves.moc"
