#include "enginefixture.h"

#include "base/filelock.h"
#include "base/workspacelayout.h"
#include "protocol/engineclient.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <map>

using namespace sweepscope;

namespace {

constexpr int patienceMs = 60'000;

/// Returns every file with its modification time, except the files that SQLite keeps next to the database for readers
/// too.
std::map<QString, qint64> filesIn(const QString &folder)
{
    std::map<QString, qint64> files;
    QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                      QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QFileInfo info(each.next());
        if (!info.fileName().startsWith(text("sweepscope.db")))
            files[info.filePath()] = info.lastModified().toMSecsSinceEpoch();
    }
    return files;
}

}  // namespace

/// Read-only clients in workspaces where no engine runs.
class TestWorkspaceReader : public QObject {
    Q_OBJECT

    static bool engineRuns(const EngineFixture &fixture)
    {
        return isLocked(WorkspaceLayout{fixture.workspace().toStdString()}.lockFile());
    }

    /// A killed engine may still accept a connection with its last threads: the connection then breaks once.
    static bool connectReading(protocol::EngineClient &client, const EngineFixture &fixture)
    {
        client.setReadOnly(true);
        client.connectToWorkspace(fixture.workspace(), true);
        return QTest::qWaitFor([&] { return client.isConnected(); }, patienceMs);
    }

private Q_SLOTS:
    void endedSweepIsShownWithoutWriting()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text("exit 0"), 3), text("--wait")}).exitCode,
                 0);
        fixture.killEngine();
        QVERIFY(QTest::qWaitFor([&] { return !engineRuns(fixture); }, patienceMs));
        const auto before = filesIn(fixture.workspace());
        {
            protocol::EngineClient client;
            QVERIFY2(connectReading(client, fixture), qPrintable(client.errorText()));
            QCOMPARE(client.sweeps().size(), 1U);
            QCOMPARE(client.trials(1).size(), 3U);
            for (const sweep::TrialRecord &trial : client.trials(1))
                QVERIFY(trial.state == sweep::TrialState::Completed);
            QVERIFY(client.sweeps()[0].warnings.empty());
            QVERIFY(client.isReading());
            QSignalSpy answered(&client, &protocol::EngineClient::historyArrived);
            client.requestHistory(1, 2);
            QVERIFY(answered.wait(patienceMs));
            QVERIFY(!engineRuns(fixture));
        }
        QVERIFY(fixture.waitForNoProcesses());
        QCOMPARE(filesIn(fixture.workspace()), before);
    }

    void interruptedSweepWaitsForAnEngine()
    {
        EngineFixture fixture;
        const QString script = text("echo $1 >> ran; while [ ! -e go ]; do sleep 0.05; done");
        QCOMPARE(
            fixture.sweepctl({text("run"), fixture.writeShellSweep(script, 3, {}, text("concurrent = 1"))}).exitCode,
            0);
        QVERIFY(fixture.waitForTrialState(1, text("running")));
        fixture.killEngine();
        fixture.write(text("go"), {});
        protocol::EngineClient client;
        QVERIFY2(connectReading(client, fixture), qPrintable(client.errorText()));
        QCOMPARE(client.sweeps().size(), 1U);
        QVERIFY(!client.sweeps()[0].warnings.empty());
        QTest::qWait(1500);
        QCOMPARE(fixture.lines(text("ran")), QStringList{text("1")});

        // If another program starts an engine, clients connect to it instead.
        QVERIFY(fixture.startEngine());
        QVERIFY(QTest::qWaitFor(
            [&] { return client.isConnected() && client.sweeps()[0].state == sweep::SweepState::Completed; },
            patienceMs));
        QVERIFY(client.sweeps()[0].warnings.empty());
        QVERIFY(!client.isReading());
        QCOMPARE(fixture.lines(text("ran")).size(), 3);
    }

    void clientThatLeavesReadOnlyModeGetsAnEngine()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text("exit 0"), 1), text("--wait")}).exitCode,
                 0);
        fixture.killEngine();
        protocol::EngineClient client;
        QVERIFY2(connectReading(client, fixture), qPrintable(client.errorText()));
        QVERIFY(!engineRuns(fixture));
        client.setReadOnly(false);
        QVERIFY(QTest::qWaitFor([&] { return client.isConnected() && engineRuns(fixture); }, patienceMs));
        QCOMPARE(client.trials(1).size(), 1U);
    }

    void secondReaderStaysWhenTheFirstOneEnds()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text("exit 0"), 1), text("--wait")}).exitCode,
                 0);
        fixture.killEngine();
        const QString socket = QString::fromStdString(readerSocketPath(fixture.workspace().toStdString()).string());
        const QStringList serve{text("serve"), text("--read-only"), text("--workspace"), fixture.workspace()};
        auto firstClient = std::make_unique<protocol::EngineClient>();
        QProcess first;
        first.start(text(SWEEPCTL), serve);
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(socket); }, patienceMs));
        QVERIFY2(connectReading(*firstClient, fixture), qPrintable(firstClient->errorText()));

        QVERIFY(QFile::remove(socket));
        QProcess second;
        second.start(text(SWEEPCTL), serve);
        QVERIFY(QTest::qWaitFor([&] { return QFileInfo::exists(socket); }, patienceMs));
        protocol::EngineClient secondClient;
        QVERIFY2(connectReading(secondClient, fixture), qPrintable(secondClient.errorText()));
        firstClient.reset();
        QVERIFY(first.waitForFinished(patienceMs));
        QVERIFY(QFileInfo::exists(socket));
        QVERIFY(second.state() == QProcess::Running);
    }

    void workspaceOnAReadOnlyDiskIsShown()
    {
        EngineFixture fixture;
        QCOMPARE(fixture.sweepctl({text("run"), fixture.writeShellSweep(text("exit 0"), 2), text("--wait")}).exitCode,
                 0);
        fixture.killEngine();
        QVERIFY(fixture.startEngine());
        fixture.endEngine();  // its last changes are then in the database file itself
        QProcess reader;
        reader.start(
            text("unshare"),
            {text("--mount"), text("--map-root-user"), text("sh"), text("-c"),
             text("mount --bind %1 %1 && mount -o remount,ro,bind %1 && exec %2 serve --read-only --workspace %1")
                 .arg(fixture.workspace(), text(SWEEPCTL))});
        QVERIFY(reader.waitForStarted());
        const QString socket = QString::fromStdString(readerSocketPath(fixture.workspace().toStdString()).string());
        (void)QTest::qWaitFor([&] { return QFileInfo::exists(socket) || reader.state() == QProcess::NotRunning; },
                              patienceMs);
        if (reader.state() == QProcess::NotRunning) {
            const QByteArray said = reader.readAllStandardError();
            if (said.contains("mount") || said.startsWith("unshare:"))  // in a container, for example
                QSKIP("no mounts of one's own here");
        }
        {
            protocol::EngineClient client;
            QVERIFY2(connectReading(client, fixture), qPrintable(client.errorText()));
            QCOMPARE(client.trials(1).size(), 2U);
            QVERIFY(reader.state() == QProcess::Running);
        }
        QVERIFY(reader.waitForFinished(patienceMs));  // no client is connected any more
    }
};

QTEST_GUILESS_MAIN(TestWorkspaceReader)
#include "tst_workspacereader.moc"
