#include "e2e/workspaceengine.h"

#include "testprogram.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace sweepscope::tests {
using namespace Qt::StringLiterals;

WorkspaceEngine::WorkspaceEngine()
    : m_client(std::make_unique<protocol::EngineClient>()),
      m_settings(std::make_unique<QSettings>(m_folder.filePath(u"window.ini"_s), QSettings::IniFormat))
{
    QDir(m_folder.path()).mkdir(u"run"_s);
    QFile::setPermissions(m_folder.filePath(u"run"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("XDG_RUNTIME_DIR", m_folder.filePath(u"run"_s).toLocal8Bit());
    m_engine.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_engine.start(QStringLiteral(SWEEPSCOPE_BIN_DIR "/sweepctl"),
                   {u"serve"_s, u"--workspace"_s, path(u"workspace"_s)});
}

WorkspaceEngine::~WorkspaceEngine()
{
    for (const sweep::SweepRecord &record : m_client->sweeps()) {
        if (record.state == sweep::SweepState::Running && m_client->isConnected())
            m_client->stopSweep(record.id);
    }
    const bool allEnded = QTest::qWaitFor(
        [this] {
            return !m_client->isConnected()
                   || std::ranges::all_of(m_client->sweeps(), [](const sweep::SweepRecord &record) {
                          return !sweep::isActive(record.state);
                      });
        },
        patience);
    if (!allEnded)
        qCritical("sweeps of this test still run");
    m_client.reset();
    endEngine();
}

void WorkspaceEngine::endEngine()
{
    if (m_engine.state() == QProcess::NotRunning)
        return;
    m_engine.terminate();
    if (!m_engine.waitForFinished(patience))
        m_engine.kill();
}

void WorkspaceEngine::startReader()
{
    endEngine();
    m_engine.start(QStringLiteral(SWEEPSCOPE_BIN_DIR "/sweepctl"),
                   {u"serve"_s, u"--read-only"_s, u"--workspace"_s, path(u"workspace"_s)});
}

bool WorkspaceEngine::connect()
{
    if (!m_engine.waitForStarted(patience))
        return false;
    bool known = false;
    const auto connection = QObject::connect(m_client.get(), &protocol::EngineClient::connected, m_client.get(),
                                             [&known] { known = true; });
    m_client->connectToWorkspace(path(u"workspace"_s), false);
    const bool arrived = QTest::qWaitFor([&known] { return known; }, patience);
    QObject::disconnect(connection);
    return arrived;
}

QString WorkspaceEngine::writeSweep(const QString &name, const QStringList &command, int trials,
                                    const QString &objective) const
{
    QStringList numbers;
    for (int n = 1; n <= trials; ++n)
        numbers << QString::number(n);
    QStringList words;
    for (const QString &word : command)
        words << (word.contains(u'"') ? u"'%1'"_s : u"\"%1\""_s).arg(word);
    const QString toml =
        u"[sweep]\nname = \"%1\"\nobjective = \"%4\"\ngoal = \"maximize\"\n\n[search]\nmethod = \"grid\"\n\n"
        "[space]\nn = [%2]\n\n[run]\ncommand = [%3]\nranks = 1\n\n[devices]\nkind = \"cpu\"\nconcurrent = 1\n"_s.arg(
            name, numbers.join(u", "_s), words.join(u", "_s), objective);
    QFile file(path(name + u".toml"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(toml.toUtf8()) != toml.toUtf8().size())
        qFatal("cannot write %s", qUtf8Printable(file.fileName()));
    return file.fileName();
}

QString WorkspaceEngine::clientProgram(const QString &name)
{
    return QStringLiteral(SWEEPSCOPE_TEST_BIN_DIR "/clients/client-") + name;
}

}  // namespace sweepscope::tests
