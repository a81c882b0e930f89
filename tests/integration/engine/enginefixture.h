#pragma once

#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>
#include <map>
#include <memory>
#include <sys/types.h>
#include <vector>

inline QString text(const char *latin1)
{
    return QString::fromLatin1(latin1);
}

/// The script of a rank that runs until the file `go` exists.
inline const char *const waitsForGo = "echo $1 began >> ran; while [ ! -e go ]; do sleep 0.05; done; echo $1 >> done";

/// A temporary workspace with real programs: sweepctl, its engine, agents and ranks. The destructor ends everything
/// that it started, and fails the test if a process is left.
class EngineFixture {
public:
    struct Result {
        int exitCode = -1;
        QString out;
        QString err;
    };

    EngineFixture();
    ~EngineFixture();

    QString workspace() const { return m_folder.filePath(QStringLiteral("ws")); }
    QString path(const QString &name) const { return m_folder.filePath(name); }
    /// Writes a file next to the sweep files.
    QString write(const QString &name, const QString &content) const;
    /// Writes a sweep file with one parameter `n` from 1 to `trials`, whose ranks run `sh -c SCRIPT sh {n}`: $1 is n.
    QString writeShellSweep(const QString &script, int trials, const QString &moreRun = {},
                            const QString &moreDevices = {}) const;

    /// Runs sweepctl to its end, with --workspace if `args` contains a subcommand that accepts it.
    Result sweepctl(const QStringList &args) const;
    /// Returns its --json output; empty if it is not an object.
    QJsonObject json(const QStringList &args) const;
    /// Starts it without waiting.
    std::unique_ptr<QProcess> startSweepctl(const QStringList &args) const;

    /// Starts `sweepctl serve`; it is ready for clients when this returns true.
    bool startEngine(const QStringList &args = {});
    /// Returns 0 if none runs.
    pid_t enginePid() const;
    /// Kills it with SIGKILL and waits for it.
    void killEngine();
    void endEngine();

    /// Returns the sweep in `sweepctl status --json`; empty if there is none.
    QJsonObject sweep(int id = 1) const;
    QStringList trialStates(int id = 1) const;
    QString trialCause(int trial, int id = 1) const;
    /// {"code": "rank_exited", "rank": 1, …}
    QJsonObject trialReason(int trial, int id = 1) const;
    bool waitForSweepState(const QString &state, int timeoutMs = 60'000) const;
    bool waitForTrialState(int trial, const QString &state, int timeoutMs = 60'000) const;
    /// Returns the agent of an attempt of trial `trial` of the first sweep; 0 before its start.
    pid_t agentPid(int trial, int attempt) const;
    bool waitForAgent(int trial, int attempt, pid_t &pid) const;

    /// Returns the lines that ranks have appended to `name`, sorted.
    QStringList lines(const QString &name) const;
    /// Returns the processes whose command line or environment contains this workspace's folder.
    std::vector<pid_t> processes() const;
    bool waitForNoProcesses() const;

private:
    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_engine;
};

/// Reads a CSV file: one map of column to field per row. Handles quoted fields and CRLF.
std::vector<std::map<QString, QString>> readCsv(const QString &file);
