#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <QWidget>

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace sweepscope::client {
class EngineClient;
}

namespace sweepscope::ui {

class SweepEditor;

/// The page on which a sweep is written and started on the engine that the client talks to.
class EditorPage : public QWidget {
    Q_OBJECT

public:
    explicit EditorPage(client::EngineClient *client, QWidget *parent = nullptr);

    /// False, with a notice on the page, when the file cannot be read.
    bool openFile(const QString &path);
    /// A copy of a sweep to change and start again. Relative paths in it start in `baseFolder`.
    void setSweep(const sweep::SweepSpec &spec, const QString &baseFolder);
    void newSweep();
    void beginAtName();
    /// Something was changed since it was opened or saved.
    bool isModified() const;

Q_SIGNALS:
    void draftChanged();
    void sweepLaunched(qint64 sweepId);

private:
    void start(const QString &toml, const QString &baseFolder);
    void onLaunched(quint64 job, qint64 sweepId);
    void onRefused(quint64 job, const std::vector<sweep::Problem> &problems);
    void onFailed(quint64 job, const QString &message);
    void onDisconnected(const QString &reason);
    void followDevices();
    void followHindrance();
    void followHistory(qint64 sweepId);

    client::EngineClient *m_client;
    SweepEditor *m_editor;
    std::optional<std::uint64_t> m_job;  ///< a launch that is not answered yet
    std::set<qint64> m_ended;            ///< sweeps that the estimate knows
};

}  // namespace sweepscope::ui
