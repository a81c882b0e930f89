#include "remote/ssh.h"

#include "base/installation.h"
#include "base/printable.h"
#include "base/privatefolder.h"
#include "base/workspacelayout.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QThread>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <sstream>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::remote {

namespace {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

constexpr int failedByItself = 255;  ///< ssh's exit code when the connection is at fault
constexpr std::chrono::milliseconds startLimit = 5s;
constexpr std::chrono::milliseconds connectLimit = 20s;  ///< without questions; ssh's ConnectTimeout is shorter
constexpr std::chrono::milliseconds personLimit = 5min;  ///< a person
constexpr std::chrono::milliseconds endLimit = 2s;
constexpr int waitStep = 100;  // ms

int countOf(std::chrono::milliseconds limit)
{
    return static_cast<int>(limit.count());
}

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

}  // namespace

std::string shellWord(const std::string &word)
{
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

QString inShell(const std::string &script)
{
    return text("exec sh -c " + shellWord(script));
}

QString sweepctlThere(const std::vector<std::string> &arguments, const std::string &environment)
{
    std::string command =
        "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin\"; export PATH; cd; "
        "command -v sweepctl > /dev/null || { echo \"Sweepscope is not installed on $(uname -n): sweepctl "
        "was not found in PATH. To run trials there, add it: sweepctl machine add NAME ADDRESS\" >&2; exit 127; }; "
        "exec "
        + (environment.empty() ? "" : "env " + environment + " ") + "sweepctl";
    for (const std::string &argument : arguments)
        command += " " + shellWord(argument);
    return inShell(command);
}

std::string sshMessage(const QByteArray &errors)
{
    std::istringstream lines(errors.toStdString());
    std::string message;
    for (std::string line; std::getline(lines, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.pop_back();
        if (line.starts_with("ssh: "))
            line.erase(0, 5);
        if (line.starts_with('@')) {  // a box around a warning
            line.erase(0, std::min(line.find_first_not_of("@ "), line.size()));
            line.erase(line.find_last_not_of("@ ") + 1);
        }
        if (!line.empty() && !line.starts_with("Warning: Permanently added"))
            message += (message.empty() ? "" : " ") + line;
    }
    return printable(message);
}

Ssh::Ssh(SshTarget target, Questions questions) : m_target(std::move(target)), m_questions(questions) {}

Ssh::~Ssh()
{
    if (!m_master)
        return;
    m_master->terminate();
    if (!m_master->waitForFinished(countOf(endLimit)))
        m_master->kill();
    m_master->waitForFinished(countOf(endLimit));
    std::error_code error;
    std::filesystem::remove(m_socket, error);  // it was killed
}

QStringList Ssh::options() const
{
    QStringList options{u"-T"_s,
                        u"-o"_s,
                        u"ServerAliveInterval=5"_s,
                        u"-o"_s,
                        u"ServerAliveCountMax=3"_s,
                        u"-o"_s,
                        u"ConnectTimeout=15"_s};
    if (m_target.port != 0)
        options << u"-p"_s << QString::number(m_target.port);
    if (m_questions == Questions::Refused)
        options << u"-o"_s << u"BatchMode=yes"_s;
    if (!m_control.isEmpty())
        options << u"-o"_s << u"ControlPath="_s + m_control;
    return options;
}

QStringList Ssh::arguments(const QString &command) const
{
    QStringList all = options();
    if (!m_control.isEmpty())
        all << u"-o"_s << u"ControlMaster=no"_s;
    return all << u"--"_s << text(m_target.destination) << command;
}

QStringList Ssh::sftpArguments() const
{
    QStringList all = options();
    all.removeOne(u"-T"_s);  // it has no terminal anyway
    all.replaceInStrings(QRegularExpression(u"^-p$"_s), u"-P"_s);
    if (!m_control.isEmpty())
        all << u"-o"_s << u"ControlMaster=no"_s;
    return all << u"-S"_s << u"ssh"_s;  // the one in PATH
}

/// Whether a master runs at the control path that is in force.
bool Ssh::answers() const
{
    QProcess check;
    check.setStandardOutputFile(QProcess::nullDevice());
    check.setStandardErrorFile(QProcess::nullDevice());
    check.start(u"ssh"_s, options() << u"-O"_s << u"check"_s << u"--"_s << text(m_target.destination));
    return check.waitForFinished(countOf(startLimit)) && check.exitStatus() == QProcess::NormalExit
           && check.exitCode() == 0;
}

Expected<void> Ssh::connect()
{
    if (m_isConnected && (!m_master || m_master->state() == QProcess::Running))
        return {};
    m_control.clear();
    m_master.reset();
    m_isConnected = answers();
    if (m_isConnected)  // by the user
        return {};
    const std::filesystem::path folder = runtimeFolder();
    if (const Expected<void> made = makePrivateFolder(folder); !made)
        return made;
    // A short name, because paths of sockets are limited to 107 bytes, of which ssh needs 17 for itself.
    static std::atomic<int> masters = 0;  // two machines may have one address
    m_socket = folder / ("ssh-" + std::to_string(::getpid()) + "-" + std::to_string(++masters));
    std::error_code error;
    std::filesystem::remove(m_socket, error);  // of a process that had this number before
    m_control = text(m_socket.string()).replace(u'%', u"%%"_s);
    m_master = std::make_unique<QProcess>();
    m_master->setStandardOutputFile(QProcess::nullDevice());
    // It ends with this process, however that ends.
    m_master->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGTERM); });
    QStringList extra;
    if (m_questions == Questions::InDialogs) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"SSH_ASKPASS"_s, text((executableFolder() / "sweepscope").string()));
        environment.insert(u"SSH_ASKPASS_REQUIRE"_s, u"force"_s);
        environment.insert(QString::fromLatin1(askpassVariable), u"1"_s);
        m_master->setProcessEnvironment(environment);
        extra << u"-o"_s << u"NumberOfPasswordPrompts=1"_s;  // one that cancels is not asked again
    }
    if (m_questions == Questions::OnTerminal)
        m_master->setInputChannelMode(QProcess::ForwardedInputChannel);
    else
        m_master->setStandardInputFile(QProcess::nullDevice());
    m_master->start(u"ssh"_s, options() << u"-N"_s << u"-o"_s << u"ControlMaster=yes"_s << u"-o"_s
                                        << u"ControlPersist=no"_s << extra << u"--"_s << text(m_target.destination));
    if (!m_master->waitForStarted(countOf(startLimit)))
        return makeError(ErrorCode::NotFound, "ssh cannot be started: install OpenSSH's client");
    return waitForMaster();
}

Expected<void> Ssh::waitForMaster()
{
    QElapsedTimer elapsed;
    elapsed.start();
    const auto limit = m_questions == Questions::Refused ? connectLimit : personLimit;
    const auto fail = [this](ErrorCode code, const std::string &otherwise) {
        const std::string message = sshMessage(m_master->readAllStandardError());
        return makeError(code, message.empty() ? otherwise : message);
    };
    while (elapsed.elapsed() < limit.count() && !isCancelled()) {
        if (m_master->waitForFinished(m_questions == Questions::Refused ? 20 : 200))
            return fail(ErrorCode::Unavailable, "ssh ended with code " + std::to_string(m_master->exitCode()));
        m_isConnected = answers();
        if (m_isConnected)
            return {};
    }
    return fail(ErrorCode::Timeout, toString(m_target) + " does not answer");
}

Expected<Ssh::Output> Ssh::run(const QString &command, const QByteArray &input, std::chrono::milliseconds limit) const
{
    QProcess process;
    process.start(u"ssh"_s, arguments(command));
    if (!process.waitForStarted(countOf(startLimit)))
        return makeError(ErrorCode::NotFound, "ssh cannot be started: install OpenSSH's client");
    QElapsedTimer elapsed;
    elapsed.start();
    process.write(input);
    const auto mayWait = [&] {
        return process.state() != QProcess::NotRunning && elapsed.elapsed() < limit.count() && !isCancelled();
    };
    while (process.bytesToWrite() > 0 && mayWait())
        process.waitForBytesWritten(waitStep);
    process.closeWriteChannel();
    while (mayWait())
        process.waitForFinished(waitStep);
    if (process.state() != QProcess::NotRunning) {
        process.kill();
        process.waitForFinished(countOf(endLimit));
        return isCancelled() ? makeError(ErrorCode::Unavailable, "cancelled")
                             : makeError(ErrorCode::Timeout, toString(m_target) + " does not answer");
    }
    Output output{process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    if (process.exitStatus() != QProcess::NormalExit || output.exitCode == failedByItself) {
        const std::string message = sshMessage(output.errors);
        return makeError(ErrorCode::Unavailable, message.empty() ? "the connection broke" : message);
    }
    return output;
}

/// On standard input, so that neither the user's shell nor the limit of an argument matters.
Expected<Ssh::Output> Ssh::runScript(const std::string &script, std::chrono::milliseconds limit) const
{
    return run(u"exec sh -s"_s, QByteArray::fromStdString(script), limit);
}

}  // namespace sweepscope::remote
