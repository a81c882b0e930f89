#include "testprogram.h"
#include "unit/engine/samplevalues.h"

#include "base/workspacelayout.h"
#include "engine/server.h"
#include "protocol/engineclient.h"
#include "protocol/framereader.h"
#include "protocol/locallistener.h"
#include "protocol/storedstate.h"

#include <QLocalSocket>
#include <QPointer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace sweepscope::engine;
namespace protocol = protocol;

namespace {

/// One sweep whose trials are generated on request.
class FakeService : public EngineService {
public:
    sweep::SweepRecord record;
    sweep::TrialState state = sweep::TrialState::Queued;
    int asked = 0;
    std::int64_t stopped = 0;
    int controls = 0;
    int settled = 0;

    explicit FakeService(int trials)
    {
        record.id = 1;
        record.name = "fake";
        record.trialsTotal = trials;
    }
    void settle() override { ++settled; }
    std::vector<std::int64_t> sweepIds() const override { return {record.id}; }
    const sweep::SweepRecord *sweep(std::int64_t id) const override { return id == record.id ? &record : nullptr; }
    Expected<std::vector<sweep::TrialRecord>> trials(std::int64_t sweepId, int first, int last) override
    {
        asked += last - first + 1;
        std::vector<sweep::TrialRecord> list;
        for (int number = first; number <= last; ++number) {
            sweep::TrialRecord trial;
            trial.sweepId = sweepId;
            trial.number = number;
            trial.state = state;
            list.push_back(trial);
        }
        return list;
    }
    protocol::DevicesChanged devices() const override { return {{}, QStringLiteral("no GPUs")}; }
    void launch(const std::string &toml, const std::string &, QObject *, Launched done) override
    {
        if (toml == "bad")
            return done(tl::unexpected(std::vector<sweep::Problem>{{"run.ranks", "too many"}}));
        done(record.id);
    }
    void edit(const protocol::EditRequest &, QObject *, Edited done) override
    {
        done(facts::Facts{facts::Code::DefinitionApplied});
    }
    Reply enqueue(std::int64_t, const std::map<std::string, std::string> &) override
    {
        return facts::Facts{facts::Code::TrialEnqueued};
    }
    Reply continueTrials(std::int64_t, const std::vector<int> &trials,
                         const std::map<std::string, std::string> &) override
    {
        return facts::Facts{counted(facts::Code::TrialsAdded, trials.size())};
    }
    void join(const protocol::JoinRequest &, QObject *, Launched done) override
    {
        done(tl::unexpected(std::vector<sweep::Problem>{}));
    }
    void importSweep(const protocol::ImportRequest &, QObject *, Launched done) override
    {
        done(tl::unexpected(std::vector<sweep::Problem>{}));
    }
    Expected<sweep::TrialHistory> history(std::int64_t sweepId, int trial) override
    {
        if (sweepId != record.id)
            return makeError(ErrorCode::NotFound, "there is no such sweep");
        return sweep::TrialHistory{{{5, trial, "queued", "running", facts::Code::Queued}}, {}};
    }
    Reply control(std::int64_t sweepId, const sweep::Control &control) override
    {
        ++controls;
        if (sweepId != record.id)
            return tl::unexpected<facts::Fact>(facts::Code::NoSuchSweep);
        stopped = control.action == sweep::Control::Action::Stop ? sweepId : 0;
        return facts::Facts{facts::Code::NoFurtherTrials};
    }
};

/// Joins clients to an engine as an ssh connection does, which may break.
class Line {
public:
    Line(const std::filesystem::path &from, const std::filesystem::path &to)
    {
        QObject::connect(&m_listener, &protocol::LocalListener::accepted, &m_listener,
                         [this, to](QLocalSocket *client) {
                             auto *engine = new QLocalSocket(client);
                             engine->connectToServer(QString::fromStdString(to.string()));
                             QObject::connect(client, &QLocalSocket::readyRead, engine,
                                              [client, engine] { engine->write(client->readAll()); });
                             QObject::connect(engine, &QLocalSocket::readyRead, client, [this, client, engine] {
                                 const QByteArray bytes = engine->readAll();
                                 if (!losesAnswers)
                                     client->write(bytes);
                             });
                             m_clients.emplace_back(client);
                         });
        listens = m_listener.listen(from).has_value();
    }
    ~Line() { cut(); }
    void cut()
    {
        for (const QPointer<QLocalSocket> &client : std::exchange(m_clients, {}))
            delete client.data();
    }

    bool listens = false;
    bool losesAnswers = false;

private:
    protocol::LocalListener m_listener;
    std::vector<QPointer<QLocalSocket>> m_clients;
};

int sayHello(const std::filesystem::path &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    const int line = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(line, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        return errno;
    const QByteArray hello = protocol::frame(protocol::encode(protocol::Hello{}));
    (void)::send(line, hello.constData(), static_cast<std::size_t>(hello.size()), MSG_NOSIGNAL);
    char answer = 0;
    return ::recv(line, &answer, 1, 0) == 1 ? 0 : ECONNRESET;
}

}  // namespace

class TestServer : public QObject {
    Q_OBJECT

    void serve(int trials) { serve(trials, workspace()); }
    void serve(int trials, const QString &folder)
    {
        m_service = std::make_unique<FakeService>(trials);
        m_server = std::make_unique<Server>(*m_service, workspace());
        const Expected<void> listening = m_server->listen(engineSocketPath(folder.toStdString()));
        QVERIFY2(listening.has_value(), listening ? "" : listening.error().message.c_str());
    }
    QString workspace() const { return m_folder->path(); }
    QString folderOfEngine() const { return m_folder->path() + QStringLiteral("/engine"); }
    std::filesystem::path socketPath() const { return engineSocketPath(workspace().toStdString()); }
    void connectRaw(QLocalSocket &socket) const
    {
        socket.connectToServer(QString::fromStdString(socketPath().string()));
        QVERIFY(socket.waitForConnected(patience));
    }
    /// Reads until the connection closes, and returns the last message.
    static std::optional<protocol::Message> lastMessage(QLocalSocket &socket)
    {
        protocol::FrameReader reader;
        std::optional<protocol::Message> last;
        const bool closed = QTest::qWaitFor([&] { return socket.state() == QLocalSocket::UnconnectedState; }, patience);
        reader.append(socket.readAll());
        while (const auto payload = reader.next()) {
            if (!*payload)
                break;
            if (auto message = protocol::decode(**payload))
                last = std::move(*message);
        }
        return closed ? last : std::nullopt;
    }

    /// Sends a hello as a client of that user. Returns 0 if it is answered, ECONNRESET if the connection is closed, or
    /// else the errno of connect().
    int connectAs(uid_t user) const
    {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(patience / 1000);
            ::_exit(::setuid(user) == 0 ? sayHello(socketPath()) : ENOTSUP);
        }
        int status = 0;
        const bool ended = QTest::qWaitFor([&] { return ::waitpid(child, &status, WNOHANG) == child; }, 2 * patience);
        return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeService> m_service;
    std::unique_ptr<Server> m_server;

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_RUNTIME_DIR", m_folder->path().toLocal8Bit());
    }
    void cleanup()
    {
        m_server.reset();
        m_service.reset();
        m_folder.reset();
    }

    void clientGetsTheWholeStateThenChanges()
    {
        serve(1300);  // more than fit into two messages
        protocol::EngineClient client;
        QVERIFY2(client.connectAndWait(workspace(), false, patience), qPrintable(client.errorText()));
        QCOMPARE(client.sweeps().size(), 1U);
        QCOMPARE(client.trials(1).size(), 1300U);
        QCOMPARE(client.trials(1).back().number, 1300);
        QCOMPARE(client.devicesNote(), QStringLiteral("no GPUs"));

        QSignalSpy changes(&client, &protocol::EngineClient::trialsChanged);
        m_service->state = sweep::TrialState::Running;
        m_server->trialsChanged(1, 5, 7);
        QVERIFY(changes.wait(patience));
        QCOMPARE(changes.first(), (QVariantList{qint64(1), 5, 7}));
        QVERIFY(client.trials(1).at(4).state == sweep::TrialState::Running);
        QVERIFY(client.trials(1).at(7).state == sweep::TrialState::Queued);
    }

    void whatAClientKnowsIsStored()
    {
        serve(130);
        protocol::EngineClient client;
        QVERIFY2(client.connectAndWait(workspace(), false, patience), qPrintable(client.errorText()));
        const std::filesystem::path file = WorkspaceLayout{m_folder->path().toStdString()}.mirrorState();
        QVERIFY(protocol::storeState(file, client));
        const auto stored = protocol::storedState(file);
        QVERIFY(stored);
        QCOMPARE(stored->workspace, client.workspaceName());
        QCOMPARE(stored->state.sweeps().size(), 1U);
        QCOMPARE(stored->state.sweeps().front().name, std::string("fake"));
        QCOMPARE(stored->state.trials(1).size(), 130U);
        QCOMPARE(stored->state.trials(1).back().number, 130);

        m_server.reset();
        protocol::EngineClient later;
        later.connectToWorkspace(workspace(), false);
        QCOMPARE(later.trials(1).size(), 130U);
        QVERIFY(later.isMirror() && !later.isConnected() && later.storedAt() > 0);

        std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
        QVERIFY(!protocol::storedState(file));
        QVERIFY(!protocol::storedState(file.parent_path() / "none"));
    }

    void clientThatOmitsTrialsGetsOnlySweeps()
    {
        serve(1300);
        protocol::EngineClient client;
        client.leaveOutTrials();
        QVERIFY2(client.connectAndWait(workspace(), false, patience), qPrintable(client.errorText()));
        QCOMPARE(client.sweeps().size(), 1U);
        m_server->trialsChanged(1, 5, 7);
        QSignalSpy changes(&client, &protocol::EngineClient::sweepsChanged);
        m_server->sweepChanged(1);
        QVERIFY(changes.wait(patience));
        QVERIFY(client.trials(1).empty());
        QCOMPARE(m_service->asked, 0);
    }

    void rapidChangesAreSentOnce()
    {
        serve(10);
        protocol::EngineClient client;
        QVERIFY(client.connectAndWait(workspace(), false, patience));
        m_service->asked = 0;
        QSignalSpy changes(&client, &protocol::EngineClient::trialsChanged);
        for (int i = 0; i < 1000; ++i)
            m_server->trialsChanged(1, 3, 3);
        QVERIFY(changes.wait(patience));
        QCOMPARE(m_service->asked, 1);
        QCOMPARE(changes.size(), 1);
    }

    void requestsAreAnsweredWithTheirJobId()
    {
        serve(1);
        protocol::EngineClient client;
        QVERIFY(client.connectAndWait(workspace(), false, patience));
        QSignalSpy launched(&client, &protocol::EngineClient::sweepLaunched);
        const std::uint64_t good = client.launchSweep(QStringLiteral("good"), QStringLiteral("/"));
        QVERIFY(launched.wait(patience));
        QCOMPARE(launched.first(), (QVariantList{quint64(good), qint64(1)}));
        QVERIFY(m_service->settled > 0);  // stored before it is announced

        QSignalSpy refused(&client, &protocol::EngineClient::sweepRefused);
        const std::uint64_t bad = client.launchSweep(QStringLiteral("bad"), QStringLiteral("/"));
        QVERIFY(refused.wait(patience));
        QCOMPARE(refused.first().at(0).toULongLong(), bad);
        QCOMPARE(refused.first().at(1).value<std::vector<sweep::Problem>>().at(0).field, std::string("run.ranks"));

        QSignalSpy done(&client, &protocol::EngineClient::requestDone);
        client.stopSweep(1);
        QVERIFY(done.wait(patience));
        QCOMPARE(m_service->stopped, 1);
        QSignalSpy failed(&client, &protocol::EngineClient::requestFailed);
        client.stopSweep(2);
        QVERIFY(failed.wait(patience));
        QVERIFY(failed.first().at(1).value<facts::Fact>().code == facts::Code::NoSuchSweep);
    }

    void requestIsCarriedOutOnceAlthoughItsAnswerWasLost()
    {
        serve(1, folderOfEngine());
        Line line(socketPath(), engineSocketPath(folderOfEngine().toStdString()));
        QVERIFY(line.listens);
        protocol::EngineClient client;
        QVERIFY2(client.connectAndWait(workspace(), false, patience), qPrintable(client.errorText()));
        QSignalSpy done(&client, &protocol::EngineClient::requestDone);
        QSignalSpy failed(&client, &protocol::EngineClient::requestFailed);
        line.losesAnswers = true;
        const std::uint64_t job = client.stopSweep(1);
        QTRY_COMPARE_WITH_TIMEOUT(m_service->controls, 1, patience);
        line.cut();
        line.losesAnswers = false;
        QVERIFY(done.wait(patience));
        QCOMPARE(done.first().front().toULongLong(), job);
        QCOMPARE(m_service->controls, 1);
        QVERIFY(failed.isEmpty());
        QCOMPARE(m_server->clientCount(), 1);
    }

    void theLastAnswersAreKept()
    {
        Answers answers;
        for (std::uint64_t job = 0; job <= Answers::most; ++job)
            answers.add(7, job, QByteArray::number(job));
        QVERIFY(answers.find(7, 0) == nullptr);
        QCOMPARE(*answers.find(7, 1), QByteArrayLiteral("1"));
        QVERIFY(answers.find(8, 1) == nullptr);
    }

    void requestWithoutAnAnswerIsReportedIfItsEngineHasEnded()
    {
        serve(1);
        protocol::EngineClient client;
        QVERIFY2(client.connectAndWait(workspace(), false, patience), qPrintable(client.errorText()));
        QSignalSpy failed(&client, &protocol::EngineClient::requestFailed);
        const std::uint64_t job = client.stopSweep(1);
        m_server.reset();
        serve(1);
        QVERIFY(failed.wait(patience));
        QCOMPARE(failed.first().front().toULongLong(), job);
        QVERIFY(failed.first().back().value<facts::Fact>().code == facts::Code::NotAnswered);
    }

    void connectionIsReplacedByALaterOneOfItsClient()
    {
        serve(1);
        QLocalSocket first;
        QLocalSocket second;
        QLocalSocket other;
        protocol::Hello hello;
        for (QLocalSocket *socket : {&first, &second, &other}) {
            connectRaw(*socket);
            hello.client = socket == &other ? 8 : 7;
            socket->write(protocol::frame(protocol::encode(hello)));
            QTRY_VERIFY_WITH_TIMEOUT(socket->bytesAvailable() > 0, patience);
        }
        QTRY_COMPARE_WITH_TIMEOUT(m_server->clientCount(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(first.state(), QLocalSocket::UnconnectedState, patience);
        QCOMPARE(second.state(), QLocalSocket::ConnectedState);
    }

    void problemWithoutARequestIsSentToAll()
    {
        serve(1);
        protocol::EngineClient one;
        protocol::EngineClient other;
        for (protocol::EngineClient *client : {&one, &other})
            QVERIFY(client->connectAndWait(workspace(), false, patience));
        QSignalSpy toOne(&one, &protocol::EngineClient::requestFailed);
        QSignalSpy toOther(&other, &protocol::EngineClient::requestFailed);
        m_server->announce(facts::Code::FolderNotRemoved);
        QTRY_VERIFY_WITH_TIMEOUT(toOne.count() == 1 && toOther.count() == 1, patience);
        QCOMPARE(toOne.front().front().toULongLong(), 0U);  // not the answer to a request
        QVERIFY(toOne.front().back().value<facts::Fact>().code == facts::Code::FolderNotRemoved);
    }

    void historyIsSentToTheRequestingClient()
    {
        serve(3);
        protocol::EngineClient client;
        QVERIFY2(client.connectAndWait(workspace(), false, patience), qPrintable(client.errorText()));
        std::optional<sweep::TrialHistory> told;
        quint64 toldJob = 0;
        connect(&client, &protocol::EngineClient::historyArrived, this,
                [&](quint64 job, qint64 sweepId, int trial, const sweep::TrialHistory &history) {
                    QCOMPARE(sweepId, 1);
                    QCOMPARE(trial, 2);
                    toldJob = job;
                    told = history;
                });
        const quint64 job = client.requestHistory(1, 2);
        QTRY_VERIFY_WITH_TIMEOUT(told, patience);
        QCOMPARE(toldJob, job);
        QCOMPARE(told->entries.size(), 1U);
        QVERIFY(told->entries[0].reason.code == facts::Code::Queued);

        QSignalSpy failed(&client, &protocol::EngineClient::requestFailed);
        const quint64 unknown = client.requestHistory(9, 1);
        QVERIFY(failed.wait(patience));
        QCOMPARE(failed.first().at(0).toULongLong(), unknown);
    }

    void devicesAreWatchedWhileAnyClientWatches()
    {
        serve(1);
        protocol::EngineClient one;
        one.watchDevices(true);  // before it is connected
        QVERIFY(one.connectAndWait(workspace(), false, patience));
        QTRY_VERIFY_WITH_TIMEOUT(m_server->isWatchingDevices(), patience);
        QSignalSpy changes(m_server.get(), &Server::watchChanged);
        {
            protocol::EngineClient other;
            other.setReadOnly(true);
            QVERIFY(other.connectAndWait(workspace(), false, patience));
            other.watchDevices(true);
            QTRY_COMPARE_WITH_TIMEOUT(changes.count(), 1, patience);
            one.watchDevices(false);
            QTRY_COMPARE_WITH_TIMEOUT(changes.count(), 2, patience);
            QVERIFY2(m_server->isWatchingDevices(), "a client that looks on only does");
        }
        QTRY_COMPARE_WITH_TIMEOUT(changes.count(), 3, patience);
        QVERIFY2(!m_server->isWatchingDevices(), "its line is gone");
    }

    void anotherUserIsRejected()
    {
        if (::geteuid() != 0)
            QSKIP("only root can be somebody else");
        serve(1);
        QSignalSpy notes(m_server.get(), &Server::note);
        QCOMPARE(connectAs(nobody), EACCES);  // the socket and its folder are private

        // If both were accessible to everyone, the server would still check the peer's user.
        const std::filesystem::path socket = socketPath();
        for (std::filesystem::path path = socket; path != "/tmp" && path.has_relative_path(); path = path.parent_path())
            QCOMPARE(::chmod(path.c_str(), 0777), 0);
        QCOMPARE(connectAs(nobody), ECONNRESET);
        QCOMPARE(notes.size(), 1);
    }

    void clientOfAnotherVersionIsRefusedWithAReason()
    {
        serve(1);
        QLocalSocket socket;
        connectRaw(socket);
        socket.write(protocol::frame(protocol::encode(protocol::Hello{99, QStringLiteral("future"), 1, {}})));
        const auto last = lastMessage(socket);
        QVERIFY(last && std::holds_alternative<protocol::Refusal>(*last));
        QVERIFY(std::get<protocol::Refusal>(*last).message.contains(QStringLiteral("99")));
    }

    void garbageClosesOnlyItsConnection_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("no frame") << QByteArray(100, '\xff');
        QTest::newRow("no CBOR") << protocol::frame(QByteArray(50, '\xff'));
        QTest::newRow("a request before hello")
            << protocol::frame(protocol::encode(protocol::ControlRequest{1, 1, {}}));
        QTest::newRow("an engine's message") << protocol::frame(protocol::encode(protocol::Hello{}))
                                                    + protocol::frame(protocol::encode(protocol::Ready{}));
        QTest::newRow("hello twice") << protocol::frame(protocol::encode(protocol::Hello{}))
                                            + protocol::frame(protocol::encode(protocol::Hello{}));
    }

    void garbageClosesOnlyItsConnection()
    {
        QFETCH(QByteArray, bytes);
        serve(3);
        protocol::EngineClient client;
        QVERIFY(client.connectAndWait(workspace(), false, patience));
        QLocalSocket socket;
        connectRaw(socket);
        socket.write(bytes);
        const auto last = lastMessage(socket);
        QVERIFY(last && std::holds_alternative<protocol::Refusal>(*last));
        QCOMPARE(m_service->stopped, 0);

        QSignalSpy changes(&client, &protocol::EngineClient::trialsChanged);
        m_server->trialsChanged(1, 1, 1);
        QVERIFY(changes.wait(patience));
        QTRY_COMPARE_WITH_TIMEOUT(m_server->clientCount(), 1, patience);
    }

    void socketAndFolderArePrivate()
    {
        serve(1);
        struct stat folder {};
        struct stat socket {};
        QCOMPARE(::stat(socketPath().parent_path().c_str(), &folder), 0);
        QCOMPARE(::stat(socketPath().c_str(), &socket), 0);
        QCOMPARE(folder.st_mode & 0777U, 0700U);
        QCOMPARE(socket.st_mode & 0777U, 0600U);
    }

    void socketInALinkedFolderIsRefused()
    {
        m_service = std::make_unique<FakeService>(1);
        m_server = std::make_unique<Server>(*m_service, workspace());
        const std::filesystem::path elsewhere = m_folder->filePath(QStringLiteral("elsewhere")).toStdString();
        const std::filesystem::path link = m_folder->filePath(QStringLiteral("link")).toStdString();
        std::filesystem::create_directory(elsewhere);
        std::filesystem::create_directory_symlink(elsewhere, link);
        QVERIFY(!m_server->listen(link / "engine.sock").has_value());
    }

    void clientReconnectsAfterTheEngineReturns()
    {
        serve(2);
        protocol::EngineClient client;
        QVERIFY(client.connectAndWait(workspace(), false, patience));
        QSignalSpy gone(&client, &protocol::EngineClient::disconnected);
        m_server.reset();
        QVERIFY(gone.wait(patience));
        QVERIFY(!client.isConnected());
        QCOMPARE(client.trials(1).size(), 2U);  // the last known state stays readable

        QSignalSpy back(&client, &protocol::EngineClient::connected);
        serve(4);
        QVERIFY(back.wait(patience));
        QCOMPARE(client.trials(1).size(), 4U);
    }

    void clientReportsAMissingEngine()
    {
        protocol::EngineClient client;
        QVERIFY(!client.connectAndWait(workspace(), false, patience));
        QVERIFY(client.errorText().contains(workspace()));
        QSignalSpy failed(&client, &protocol::EngineClient::requestFailed);
        const std::uint64_t job = client.stopSweep(1);
        QVERIFY(failed.wait(patience));
        QCOMPARE(failed.first().at(0).toULongLong(), job);
    }
};

SWEEPSCOPE_TEST(TestServer)
#include "tst_server.moc"
