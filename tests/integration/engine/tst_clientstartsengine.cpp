#include "enginefixture.h"

#include "base/filedescriptor.h"
#include "base/files.h"
#include "base/privatefolder.h"
#include "base/workspacelayout.h"
#include "engine/enginelock.h"
#include "protocol/engineclient.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sys/socket.h>
#include <sys/un.h>

using namespace sweepscope;
using namespace Qt::StringLiterals;

namespace {

constexpr int patienceMs = 60'000;

}  // namespace

/// A client that starts an engine if none answers, like the window.
class TestClientStartsEngine : public QObject {
    Q_OBJECT

    static bool connectStarting(protocol::EngineClient &client, const EngineFixture &fixture)
    {
        client.connectToWorkspace(fixture.workspace(), true);
        return QTest::qWaitFor([&] { return client.isConnected(); }, patienceMs);
    }

    /// Returns the number of engines that found the workspace taken, by their log.
    static qsizetype enginesThatGaveWay(const EngineFixture &fixture)
    {
        const auto log = readFile(WorkspaceLayout{fixture.workspace().toStdString()}.engineLog(), 1 << 20);
        return log ? QString::fromStdString(*log).count(u"another engine"_s) : 0;
    }

private Q_SLOTS:
    void engineIsStartedIfNoneRuns()
    {
        const EngineFixture fixture;
        protocol::EngineClient client;
        QVERIFY2(connectStarting(client, fixture), qPrintable(client.errorText()));
        QVERIFY(fixture.enginePid() != 0);
    }

    /// An engine that ends because it is idle closes the connections that it has not accepted.
    void engineIsStartedIfOneEndsBeforeItAnswers()
    {
        const EngineFixture fixture;
        std::filesystem::create_directories(fixture.workspace().toStdString());
        const std::string path = engineSocketPath(fixture.workspace().toStdString()).string();
        QVERIFY(makePrivateFolder(std::filesystem::path(path).parent_path()));
        FileDescriptor ending(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(std::data(address.sun_path), sizeof address.sun_path - 1);
        QCOMPARE(::bind(ending.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
        QCOMPARE(::listen(ending.get(), 1), 0);
        protocol::EngineClient client;
        QSignalSpy lost(&client, &protocol::EngineClient::disconnected);
        client.connectToWorkspace(fixture.workspace(), true);
        ending.reset();
        QTRY_VERIFY2_WITH_TIMEOUT(client.isConnected(), qPrintable(client.errorText()), patienceMs);
        QVERIFY(lost.isEmpty());
    }

    void nextEngineAdoptsTrialsOfAKilledOne()
    {
        EngineFixture fixture;
        const QString script = u"echo $1 >> ran; while [ ! -e go ]; do sleep 0.05; done"_s;
        protocol::EngineClient client;
        QVERIFY2(connectStarting(client, fixture), qPrintable(client.errorText()));
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(script, 2)}).exitCode, 0);
        QVERIFY(fixture.waitForTrialState(1, u"running"_s));
        for (int round = 0; round < 3; ++round) {
            QSignalSpy lost(&client, &protocol::EngineClient::disconnected);
            const pid_t killed = fixture.enginePid();
            QVERIFY(killed > 0);
            QCOMPARE(::kill(killed, SIGKILL), 0);
            QTRY_VERIFY_WITH_TIMEOUT(!lost.isEmpty() && client.isConnected(), patienceMs);
            QCOMPARE(lost.size(), 1);  // reported once, and no further start failed
            QVERIFY(fixture.enginePid() != killed);
        }
        fixture.write(u"go"_s, {});
        QVERIFY(fixture.waitForSweepState(u"completed"_s));
        QCOMPARE(fixture.lines(u"ran"_s), (QStringList{u"1"_s, u"2"_s}));
    }

    void hangingEngineIsReportedUntilItAnswers()
    {
        const EngineFixture fixture;
        protocol::EngineClient client;
        QVERIFY2(connectStarting(client, fixture), qPrintable(client.errorText()));
        QSignalSpy silent(&client, &protocol::EngineClient::silentChanged);
        QSignalSpy lost(&client, &protocol::EngineClient::disconnected);
        QVERIFY(!silent.wait(12'000));  // an idle engine still answers
        const pid_t engine = fixture.enginePid();
        QCOMPARE(::kill(engine, SIGSTOP), 0);
        QElapsedTimer stopped;
        stopped.start();
        const bool told = silent.wait(patienceMs);
        const qint64 toldAfter = stopped.elapsed();
        QCOMPARE(::kill(engine, SIGCONT), 0);
        QVERIFY(told);
        QVERIFY(toldAfter >= 9'500);
        QCOMPARE(silent[0][0].toBool(), true);
        QVERIFY(client.isConnected());
        QTRY_VERIFY_WITH_TIMEOUT(!client.isSilent(), patienceMs);
        QCOMPARE(silent.size(), 2);
        QVERIFY(lost.isEmpty());
        QCOMPARE(fixture.enginePid(), engine);
    }

    /// A killed engine holds its lock for a moment after its connection broke; an engine started meanwhile gives up.
    void engineIsStartedAgainAfterOneGaveUpForADyingOne()
    {
        const EngineFixture fixture;
        std::filesystem::create_directories(fixture.workspace().toStdString());
        auto dying = std::make_optional(
            engine::EngineLock::acquire(WorkspaceLayout{fixture.workspace().toStdString()}.lockFile()));
        QVERIFY(dying->has_value());
        protocol::EngineClient client;
        QSignalSpy lost(&client, &protocol::EngineClient::disconnected);
        client.connectToWorkspace(fixture.workspace(), true);
        QTRY_VERIFY_WITH_TIMEOUT(enginesThatGaveWay(fixture) >= 2, patienceMs);
        dying.reset();
        QTRY_VERIFY2_WITH_TIMEOUT(client.isConnected(), qPrintable(client.errorText()), patienceMs);
        QVERIFY2(lost.isEmpty(), qPrintable(client.errorText()));
    }

    void deletedWorkspaceIsNotRecreated()
    {
        const EngineFixture fixture;
        const std::filesystem::path folder = fixture.workspace().toStdString();
        const std::filesystem::path kept = folder.string() + "-kept";
        protocol::EngineClient client;
        QVERIFY2(connectStarting(client, fixture), qPrintable(client.errorText()));
        QCOMPARE(fixture.sweepctl({u"run"_s, fixture.writeShellSweep(u"exit 0"_s, 2), u"--wait"_s}).exitCode, 0);
        QTRY_VERIFY_WITH_TIMEOUT(client.sweeps().size() == 1, patienceMs);
        std::filesystem::copy(folder, kept, std::filesystem::copy_options::recursive);
        std::filesystem::remove_all(folder);
        QTRY_VERIFY2_WITH_TIMEOUT(client.errorText().contains(u"is gone"_s), qPrintable(client.errorText()),
                                  patienceMs);
        QTest::qWait(2500);  // long enough for another attempt
        QVERIFY(!std::filesystem::exists(folder));
        QCOMPARE(client.sweeps().size(), 1U);  // the last known state is still shown
        std::filesystem::rename(kept, folder);
        QTRY_VERIFY2_WITH_TIMEOUT(client.isConnected(), qPrintable(client.errorText()), patienceMs);
        QCOMPARE(client.trials(1).size(), 2U);
    }
};

QTEST_GUILESS_MAIN(TestClientStartsEngine)
#include "tst_clientstartsengine.moc"
