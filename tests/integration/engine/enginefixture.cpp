#include "enginefixture.h"

#include "base/workspacelayout.h"
#include "launch/attemptevents.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <unistd.h>

namespace {

constexpr int commandTimeoutMs = 120'000;
constexpr int leaveTimeoutMs = 30'000;

QString program()
{
    return QStringLiteral(SWEEPSCOPE_BIN_DIR "/sweepctl");
}

QByteArray contentOf(const QString &file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

bool isGone(pid_t pid)
{
    return ::kill(pid, 0) != 0 || contentOf(QStringLiteral("/proc/%1/stat").arg(pid)).contains(") Z ");
}

}  // namespace

EngineFixture::EngineFixture() : m_folder(QStringLiteral("/tmp/sweepscope-it-XXXXXX"))
{
    // Also the socket's folder: it must be short, and separate for each test.
    qputenv("XDG_RUNTIME_DIR", m_folder.path().toLocal8Bit());
}

EngineFixture::~EngineFixture()
{
    if (enginePid() != 0 && !sweep().isEmpty())
        (void)sweepctl({QStringLiteral("stop"), QStringLiteral("1")});
    endEngine();
    for (const pid_t pid : processes())
        ::kill(pid, SIGKILL);
    m_engine.reset();
}

QString EngineFixture::write(const QString &name, const QString &content) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content.toUtf8()) < 0)
        qFatal("cannot write a test's file");
    return file.fileName();
}

QString EngineFixture::writeShellSweep(const QString &script, int trials, const QString &moreRun,
                                       const QString &moreDevices) const
{
    // A range of one value is an error in a sweep file.
    const QString values = trials == 1 ? QStringLiteral("[1]") : QStringLiteral("{ int = [1, %1] }").arg(trials);
    QString quoted = script;
    quoted.replace(QLatin1Char('{'), QStringLiteral("{{")).replace(QLatin1Char('}'), QStringLiteral("}}"));
    return write(QStringLiteral("sweep.toml"), QStringLiteral("[sweep]\n"
                                                              "name = \"shell\"\n"
                                                              "objective = \"loss\"\n"
                                                              "goal = \"minimize\"\n"
                                                              "[search]\n"
                                                              "method = \"grid\"\n"
                                                              "[space]\n"
                                                              "n = %1\n"
                                                              "[run]\n"
                                                              "command = [\"sh\", \"-c\", '''%2''', \"sh\", \"{n}\"]\n"
                                                              "%3\n"
                                                              "[devices]\n"
                                                              "kind = \"cpu\"\n"
                                                              "cpu_slots = 8\n"
                                                              "%4\n")
                                                   .arg(values)
                                                   .arg(quoted, moreRun, moreDevices));
}

std::unique_ptr<QProcess> EngineFixture::startSweepctl(const QStringList &args) const
{
    auto process = std::make_unique<QProcess>();
    QStringList all = args;
    static const QStringList withoutWorkspace{QStringLiteral("validate"), QStringLiteral("devices"),
                                              QStringLiteral("suggest"), QStringLiteral("keys")};
    if (!args.isEmpty() && !args.first().startsWith(QLatin1Char('-')) && !withoutWorkspace.contains(args.first())
        && !args.contains(QStringLiteral("--workspace")) && !args.contains(QStringLiteral("--help")))
        all << QStringLiteral("--workspace") << workspace();
    process->start(program(), all, QIODevice::ReadOnly);
    return process;
}

EngineFixture::Result EngineFixture::sweepctl(const QStringList &args) const
{
    const std::unique_ptr<QProcess> process = startSweepctl(args);
    if (!process->waitForFinished(commandTimeoutMs))
        return {-1, QString::fromUtf8(process->readAllStandardOutput()), QStringLiteral("it did not end")};
    return {process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1,
            QString::fromUtf8(process->readAllStandardOutput()), QString::fromUtf8(process->readAllStandardError())};
}

QJsonObject EngineFixture::json(const QStringList &args) const
{
    return QJsonDocument::fromJson(sweepctl(args).out.toUtf8()).object();
}

bool EngineFixture::startEngine(const QStringList &args)
{
    m_engine = startSweepctl(QStringList{QStringLiteral("serve")} + args);
    QByteArray said;
    return QTest::qWaitFor(
        [&] {
            said += m_engine->readAllStandardError();
            return said.contains("engine of ");
        },
        commandTimeoutMs);
}

pid_t EngineFixture::enginePid() const
{
    const pid_t pid = contentOf(workspace() + QStringLiteral("/engine.lock")).trimmed().toInt();
    return pid > 0 && !isGone(pid) ? pid : 0;
}

void EngineFixture::killEngine()
{
    const pid_t pid = enginePid();
    if (pid == 0)
        return;
    ::kill(pid, SIGKILL);
    (void)QTest::qWaitFor([pid] { return isGone(pid); }, leaveTimeoutMs);
    if (m_engine)
        m_engine->waitForFinished(leaveTimeoutMs);
}

void EngineFixture::endEngine()
{
    const pid_t pid = enginePid();
    if (pid == 0)
        return;
    ::kill(pid, SIGTERM);
    (void)QTest::qWaitFor([pid] { return isGone(pid); }, leaveTimeoutMs);
    if (m_engine)
        m_engine->waitForFinished(leaveTimeoutMs);
}

QJsonObject EngineFixture::sweep(int id) const
{
    const Result status = sweepctl({QStringLiteral("status"), QStringLiteral("--json")});
    const QJsonArray sweeps =
        QJsonDocument::fromJson(status.out.toUtf8()).object().value(QLatin1String("sweeps")).toArray();
    for (const QJsonValue &entry : sweeps) {
        if (entry.toObject().value(QLatin1String("id")).toInt() == id)
            return entry.toObject();
    }
    return {};
}

QStringList EngineFixture::trialStates(int id) const
{
    QStringList states;
    for (const QJsonValue &trial : sweep(id).value(QLatin1String("trials")).toArray())
        states << trial.toObject().value(QLatin1String("state")).toString();
    return states;
}

QString EngineFixture::trialCause(int trial, int id) const
{
    return sweep(id)
        .value(QLatin1String("trials"))
        .toArray()
        .at(trial - 1)
        .toObject()
        .value(QLatin1String("cause"))
        .toString();
}

QJsonObject EngineFixture::trialReason(int trial, int id) const
{
    return sweep(id)
        .value(QLatin1String("trials"))
        .toArray()
        .at(trial - 1)
        .toObject()
        .value(QLatin1String("reason"))
        .toObject();
}

bool EngineFixture::waitForSweepState(const QString &state, int timeoutMs) const
{
    return QTest::qWaitFor([&] { return sweep().value(QLatin1String("state")).toString() == state; }, timeoutMs);
}

bool EngineFixture::waitForTrialState(int trial, const QString &state, int timeoutMs) const
{
    return QTest::qWaitFor([&] { return trialStates().value(trial - 1) == state; }, timeoutMs);
}

pid_t EngineFixture::agentPid(int trial, int attempt) const
{
    using namespace sweepscope;
    const WorkspaceLayout layout{workspace().toStdString()};
    const std::string folder = sweep().value(QLatin1String("folder")).toString().toStdString();
    launch::AttemptEventReader events(layout.attempt(folder, trial, attempt).eventsFile());
    for (const launch::AttemptEvent &event : events.poll()) {
        if (event.kind == launch::AttemptEventKind::AgentStarted)
            return event.pid;
    }
    return 0;
}

bool EngineFixture::waitForAgent(int trial, int attempt, pid_t &pid) const
{
    return QTest::qWaitFor([&] { return (pid = agentPid(trial, attempt)) != 0; }, 60'000);
}

QStringList EngineFixture::lines(const QString &name) const
{
    QStringList lines = QString::fromUtf8(contentOf(path(name))).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    lines.sort();
    return lines;
}

std::vector<pid_t> EngineFixture::processes() const
{
    const QByteArray mark = m_folder.path().toLocal8Bit();
    std::vector<pid_t> found;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        const pid_t pid = name.toInt();
        if (pid <= 0 || pid == ::getpid() || isGone(pid))
            continue;
        const QString folder = QStringLiteral("/proc/") + name;
        if (contentOf(folder + QStringLiteral("/cmdline")).contains(mark)
            || contentOf(folder + QStringLiteral("/environ")).contains("SWEEPSCOPE_ATTEMPT_FOLDER=" + mark))
            found.push_back(pid);
    }
    return found;
}

bool EngineFixture::waitForNoProcesses() const
{
    return QTest::qWaitFor([this] { return processes().empty(); }, leaveTimeoutMs);
}

std::vector<std::map<QString, QString>> readCsv(const QString &file)
{
    std::vector<QStringList> rows(1);
    QString field;
    bool quoted = false;
    const QString text = QString::fromUtf8(contentOf(file));
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (c == QLatin1Char('"')) {
            if (quoted && i + 1 < text.size() && text.at(i + 1) == c) {
                field += c;
                ++i;
            } else {
                quoted = !quoted;
            }
        } else if (!quoted && (c == QLatin1Char(',') || c == QLatin1Char('\n'))) {
            rows.back() << field;
            field.clear();
            if (c == QLatin1Char('\n'))
                rows.emplace_back();
        } else if (quoted || c != QLatin1Char('\r')) {
            field += c;
        }
    }
    std::vector<std::map<QString, QString>> table;
    for (std::size_t row = 1; row < rows.size(); ++row) {
        if (rows[row].isEmpty())
            continue;
        std::map<QString, QString> entry;
        for (qsizetype column = 0; column < rows[0].size(); ++column)
            entry[rows[0].at(column)] = rows[row].value(column);
        table.push_back(std::move(entry));
    }
    return table;
}
