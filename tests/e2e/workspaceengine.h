#pragma once

#include "protocol/engineclient.h"

#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>

namespace sweepscope::tests {

/// A workspace of its own with a real engine, and the client of a window on it. Ends the engine, and stops what still
/// runs, when it goes.
class WorkspaceEngine {
public:
    WorkspaceEngine();
    ~WorkspaceEngine();

    /// False after the deadline: see the client's errorText().
    bool connect();

    /// The engine alone: its client has nobody to talk to then.
    void endEngine();
    /// In its place what only reads the workspace; whoever looks on finds it.
    void startReader();

    protocol::EngineClient &client() { return *m_client; }
    QSettings &settings() { return *m_settings; }
    QString path(const QString &name) const { return m_folder.filePath(name); }
    /// A sweep file whose trials run `command` with the parameter n = 1 … trials.
    QString writeSweep(const QString &name, const QStringList &command, int trials) const;
    static QString clientProgram(const QString &name);

private:
    QTemporaryDir m_folder;
    QProcess m_engine;
    std::unique_ptr<protocol::EngineClient> m_client;
    std::unique_ptr<QSettings> m_settings;
};

}  // namespace sweepscope::tests
