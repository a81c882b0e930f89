#include "enginefixture.h"
#include "testprogram.h"

#include "base/filedescriptor.h"
#include "base/workspacelayout.h"
#include "protocol/engineclient.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace sweepscope;
using namespace Qt::StringLiterals;

namespace {

constexpr uid_t nobody = 65534;

/// Listens in an engine's place, and counts what clients send. As root it can act as another user.
class FakeEngine {
public:
    explicit FakeEngine(const std::filesystem::path &path, uid_t user = ::geteuid())
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        m_socket = FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        const auto *name = reinterpret_cast<const sockaddr *>(&address);
        isListening = ::bind(m_socket.get(), name, sizeof address) == 0;
        // SO_PEERCRED reports the user who called listen().
        const uid_t own = ::geteuid();
        isListening = isListening && (user == own || ::seteuid(user) == 0) && ::listen(m_socket.get(), 8) == 0;
        if (user != own)
            isListening = ::seteuid(own) == 0 && isListening;
    }

    /// Returns the connections so far; the received bytes are in `received`.
    int connections()
    {
        for (;;) {
            const FileDescriptor client(::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
            if (!client)
                return m_count;
            ++m_count;
            char buffer[4096];
            for (ssize_t got = 0; (got = ::read(client.get(), buffer, sizeof buffer)) > 0;)
                received.append(buffer, got);
        }
    }

    bool isListening = false;
    QByteArray received;

private:
    FileDescriptor m_socket;
    int m_count = 0;
};

unsigned modeOf(const QString &path)
{
    struct stat info {};
    return ::stat(path.toLocal8Bit().constData(), &info) == 0 ? info.st_mode & 07777U : 0U;
}

}  // namespace

/// What other users of the machine can do and read.
class TestOtherUsers : public QObject {
    Q_OBJECT

    static std::filesystem::path socketOf(const EngineFixture &fixture)
    {
        return engineSocketPath(fixture.workspace().toStdString());
    }

    /// Writes a sweep with a trial that prints its token and fails.
    static QString writeLeakingSweep(const EngineFixture &fixture, const QString &environment)
    {
        return fixture.writeShellSweep(u"echo \"RuntimeError: login failed with $API_TOKEN\"; umask > mask; exit 3"_s,
                                       1, u"environment = "_s + environment);
    }

    /// Returns files of the workspace that contain `text`, except those that the rank itself wrote.
    static QStringList filesWith(const QByteArray &text, const QString &workspace)
    {
        QStringList found;
        for (QDirIterator files(workspace, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
             files.hasNext();) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text)
                && QFileInfo(file).fileName() != "rank-0.log"_L1)
                found += file.fileName();
        }
        return found;
    }

private Q_SLOTS:
    void clientSendsNothingIntoAFolderThatIsOpenToOthers()
    {
        const EngineFixture fixture;
        const std::filesystem::path socket = socketOf(fixture);
        QCOMPARE(::chmod(socket.parent_path().c_str(), 0755), 0);
        FakeEngine fake(socket);
        QVERIFY(fake.isListening);
        protocol::EngineClient client;
        client.connectToWorkspace(fixture.workspace(), true);
        QTRY_VERIFY_WITH_TIMEOUT(!client.errorText().isEmpty(), patience);
        QVERIFY2(client.errorText().contains(u"chmod 700"_s), qPrintable(client.errorText()));
        QCOMPARE(fake.connections(), 0);
        const auto run = fixture.sweepctl({u"run"_s, writeLeakingSweep(fixture, u"{ API_TOKEN = \"sk-12345678\" }"_s)});
        QVERIFY(run.exitCode != 0);
        QVERIFY2(run.err.contains(u"accessible to other users"_s), qPrintable(run.err));
        QCOMPARE(fake.connections(), 0);
    }

    void clientSendsNothingToAnotherUsersProcess()
    {
        if (::geteuid() != 0)
            QSKIP("only root can listen as another user");
        const EngineFixture fixture;
        FakeEngine fake(socketOf(fixture), nobody);
        QVERIFY(fake.isListening);
        protocol::EngineClient client;
        client.connectToWorkspace(fixture.workspace(), true);
        QTRY_VERIFY_WITH_TIMEOUT(!client.errorText().isEmpty(), patience);
        QVERIFY2(client.errorText().contains(u"uid 65534"_s), qPrintable(client.errorText()));
        QTRY_VERIFY_WITH_TIMEOUT(fake.connections() > 0, patience);
        QVERIFY(fake.received.isEmpty());
    }

    void newWorkspaceIsClosedToOthersWhateverTheUmask()
    {
        const mode_t before = ::umask(0000);
        const EngineFixture fixture;
        const auto run =
            fixture.sweepctl({u"run"_s, writeLeakingSweep(fixture, u"{ API_TOKEN = \"sk-12345678\" }"_s), u"--wait"_s});
        ::umask(before);
        QVERIFY(run.exitCode != 0);  // its trial failed
        QCOMPARE(modeOf(fixture.workspace()), 0700U);
        int files = 0;
        for (QDirIterator entries(fixture.workspace(), QDir::AllEntries | QDir::NoDotAndDotDot | QDir::NoSymLinks,
                                  QDirIterator::Subdirectories);
             entries.hasNext(); ++files) {
            const QString path = entries.next();
            if (QFileInfo(path).fileName() != "engine.log"_L1)  // opened by the process that starts the engine
                QVERIFY2((modeOf(path) & 0077U) == 0, qPrintable(path));
        }
        QVERIFY(files > 8);
        QCOMPARE(fixture.lines(u"mask"_s), QStringList{u"0000"_s});  // ranks have the user's umask
    }

    void groupOfAWorkspaceKeepsItsAccess()
    {
        EngineFixture fixture;
        QCOMPARE(::mkdir(fixture.workspace().toLocal8Bit().constData(), 0750), 0);
        QCOMPARE(::chmod(fixture.workspace().toLocal8Bit().constData(), 02750), 0);
        QVERIFY(fixture.sweepctl({u"run"_s, writeLeakingSweep(fixture, u"{ N = \"1\" }"_s), u"--wait"_s}).exitCode
                != 0);
        QCOMPARE(modeOf(fixture.workspace()), 02750U);
        QCOMPARE(modeOf(fixture.workspace() + u"/sweepscope.db"_s), 0640U);
        const QString attempt = fixture.workspace() + u"/sweeps/0001-shell/trials/0001/1"_s;
        QCOMPARE(modeOf(attempt) & 0777U, 0750U);
        QCOMPARE(modeOf(attempt + u"/launch.json"_s), 0640U);
        QCOMPARE(modeOf(attempt + u"/rank-0.log"_s), 0640U);
    }

    void secretPrintedByARankIsNotInItsCause()
    {
        // In the engine's environment, so that no file of the workspace contains it for another reason.
        const QByteArray token = "sk-4f9a77b2c1";
        EngineFixture fixture;
        qputenv("API_TOKEN", token);
        const auto run = fixture.sweepctl({u"run"_s, writeLeakingSweep(fixture, u"{ N = \"1\" }"_s), u"--wait"_s});
        qunsetenv("API_TOKEN");
        QCOMPARE(run.exitCode, 3);
        QFile log(fixture.workspace() + u"/sweeps/0001-shell/trials/0001/1/rank-0.log"_s);
        QVERIFY(log.open(QIODevice::ReadOnly));
        QVERIFY(log.readAll().contains(token));  // the rank had it
        QCOMPARE(filesWith(token, fixture.workspace()), QStringList());
        const QString csv = fixture.path(u"trials.csv"_s);
        QCOMPARE(fixture.sweepctl({u"export"_s, u"1"_s, u"--trials"_s, csv}).exitCode, 0);
        QFile exported(csv);
        QVERIFY(exported.open(QIODevice::ReadOnly));
        const QString all = run.out + run.err + fixture.sweepctl({u"status"_s, u"1"_s, u"--json"_s}).out
                            + fixture.sweepctl({u"history"_s, u"1"_s, u"--trial"_s, u"1"_s, u"--json"_s}).out
                            + QString::fromUtf8(exported.readAll());
        QVERIFY(!all.contains(QString::fromLatin1(token)));
        QVERIFY2(all.contains(u"login failed with ***"_s), qPrintable(all));
    }
};

SWEEPSCOPE_TEST(TestOtherUsers)
#include "tst_otherusers.moc"
