#pragma once

#include "base/error.h"
#include "remote/sshtarget.h"

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sweepscope::remote {

/// Quotes a word for a POSIX shell.
std::string shellWord(const std::string &word);
/// Returns a command that runs the script in sh, whatever the user's shell is. Its standard input stays free.
QString inShell(const std::string &script);
/// Returns a command that runs sweepctl in the home folder there, also from folders of pip and of users. `environment`:
/// NAME=VALUE words, quoted for a shell.
QString sweepctlThere(const std::vector<std::string> &arguments, const std::string &environment = {});

/// Whether and where ssh may ask for a passphrase, a password or about a host key. In dialogs: by the program `sweepscope`,
/// in which the environment variable `askpassVariable` is set.
enum class Questions { Refused, OnTerminal, InDialogs };
inline constexpr const char *askpassVariable = "SWEEPSCOPE_ASKPASS";

/// Runs commands on a machine with the system's ssh and the user's configuration. All of them share one connection: the
/// user's own, if a master of theirs runs (ControlMaster), else one that this object opens and closes. May be used on any
/// one thread.
class Ssh {
public:
    struct Output {
        int exitCode = 0;
        QByteArray output;
        QByteArray errors;
    };

    Ssh(SshTarget target, Questions questions);
    ~Ssh();
    Ssh(const Ssh &) = delete;
    Ssh &operator=(const Ssh &) = delete;

    /// What waits returns Unavailable soon after the flag, which outlives this, has become true.
    void cancelWhen(const std::atomic<bool> &flag) { m_cancelled = &flag; }

    /// Unavailable: ssh's own words. Does nothing if it is connected.
    Expected<void> connect();

    /// Returns the arguments of ssh for a remote command, which the user's shell there parses.
    QStringList arguments(const QString &command) const;
    /// Options of sftp, without the destination.
    QStringList sftpArguments() const;
    /// Runs a script in the machine's sh. Unavailable: the connection broke. Timeout.
    Expected<Output> runScript(const std::string &script, std::chrono::milliseconds limit) const;
    /// Runs a command with this input.
    Expected<Output> run(const QString &command, const QByteArray &input, std::chrono::milliseconds limit) const;

    const SshTarget &target() const { return m_target; }

private:
    QStringList options() const;
    bool answers() const;
    bool isCancelled() const { return m_cancelled != nullptr && *m_cancelled; }
    Expected<void> waitForMaster();

    SshTarget m_target;
    Questions m_questions;
    std::filesystem::path m_socket;  ///< of our master
    QString m_control;               ///< the same for ssh; empty: the user has one
    std::unique_ptr<QProcess> m_master;
    bool m_isConnected = false;
    const std::atomic<bool> *m_cancelled = nullptr;
};

/// ssh's message without its prefixes and blank lines, on one line.
std::string sshMessage(const QByteArray &errors);

}  // namespace sweepscope::remote
