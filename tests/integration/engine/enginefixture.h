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

/// What a rank does that lasts until there is a file `go`.
inline const char *const waitsForGo = "echo $1 began >> ran; while [ ! -e go ]; do sleep 0.05; done; echo $1 >> done";

/// A workspace of its own with real programs in it: sweepctl, its engine, agents and ranks. At its end everything that
/// it started is ended, and nothing may be left.
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
    /// A file beside the sweep files.
    QString write(const QString &name, const QString &content) const;
    /// A sweep file with one parameter `n` from 1 to `trials`, whose ranks run `sh -c SCRIPT sh {n}`: $1 is n.
    QString writeShellSweep(const QString &script, int trials, const QString &moreRun = {},
                            const QString &moreDevices = {}) const;

    /// Runs sweepctl to its end, with --workspace where `args` names a subcommand that knows it.
    Result sweepctl(const QStringList &args) const;
    /// What it prints with --json; empty when it is none.
    QJsonObject json(const QStringList &args) const;
    /// Starts it and does not wait.
    std::unique_ptr<QProcess> startSweepctl(const QStringList &args) const;

    /// `sweepctl serve`, ready for clients when this returns true.
    bool startEngine(const QStringList &args = {});
    /// 0 when none runs.
    pid_t enginePid() const;
    /// SIGKILL, and gone when this returns.
    void killEngine();
    void endEngine();

    /// Of the sweep: an object of `sweepctl status --json`; empty when there is none.
    QJsonObject sweep(int id = 1) const;
    QStringList trialStates(int id = 1) const;
    QString trialCause(int trial, int id = 1) const;
    /// {"code": "rank_exited", "rank": 1, …}
    QJsonObject trialReason(int trial, int id = 1) const;
    bool waitForSweepState(const QString &state, int timeoutMs = 60'000) const;
    bool waitForTrialState(int trial, const QString &state, int timeoutMs = 60'000) const;
    /// Of an attempt of trial `trial` of the first sweep; 0 while it has not started.
    pid_t agentPid(int trial, int attempt) const;
    bool waitForAgent(int trial, int attempt, pid_t &pid) const;

    /// Lines that ranks have appended to `name`, sorted.
    QStringList lines(const QString &name) const;
    /// Processes whose command line or environment names this workspace's folder.
    std::vector<pid_t> processes() const;
    bool waitForNoProcesses() const;

private:
    QTemporaryDir m_folder;
    std::unique_ptr<QProcess> m_engine;
};

/// A CSV file: one map of column to field per row. Quoted fields and CRLF are understood.
std::vector<std::map<QString, QString>> readCsv(const QString &file);
