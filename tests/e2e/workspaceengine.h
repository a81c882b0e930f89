#pragma once

#include "protocol/engineclient.h"

#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>

namespace sweepscope::tests {

/// A temporary workspace with a real engine, and the client of a window on it. The destructor stops running trials and
/// ends the engine.
class WorkspaceEngine {
public:
    WorkspaceEngine();
    ~WorkspaceEngine();

    /// Returns false after the deadline: see the client's errorText().
    bool connect();

    /// Ends only the engine: its client stays without a connection.
    void endEngine();
    /// Starts a read-only server in its place; read-only clients find it.
    void startReader();

    protocol::EngineClient &client() { return *m_client; }
    QSettings &settings() { return *m_settings; }
    QString path(const QString &name) const { return m_folder.filePath(name); }
    /// Writes a sweep file whose trials run `command` with the parameter n = 1 … trials.
    QString writeSweep(const QString &name, const QStringList &command, int trials,
                       const QString &objective = QStringLiteral("loss")) const;
    static QString clientProgram(const QString &name);

private:
    QTemporaryDir m_folder;
    QProcess m_engine;
    std::unique_ptr<protocol::EngineClient> m_client;
    std::unique_ptr<QSettings> m_settings;
};

}  // namespace sweepscope::tests
