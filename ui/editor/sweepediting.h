#pragma once

#include "facts/fact.h"
#include "sweep/problem.h"
#include "sweep/records.h"
#include "ui/editor/editedsweep.h"

#include <QObject>
#include <QPointer>

#include <cstdint>
#include <optional>
#include <vector>

class QMessageBox;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class SweepEditor;

/// Edits the definitions of existing sweeps: asks the engine for the effect, the user for confirmation, then the engine
/// to apply it. The editor follows a sweep that others edit.
class SweepEditing : public QObject {
    Q_OBJECT

public:
    SweepEditing(protocol::EngineClient *client, SweepEditor *editor);

    /// Opens the current definition of the sweep; if it is open already, keeps the changes.
    void edit(qint64 sweepId);
    /// The draft has just been launched as this sweep.
    void adopt(qint64 sweepId);
    void undoLastEdit(qint64 sweepId);
    qint64 sweepId() const;  ///< the sweep whose definition is in the editor; 0 for a new one
    bool isBusy() const { return m_request.has_value(); }
    /// Whether this request only asks for the effect of an edit.
    bool isDryRun(quint64 job) const { return job != 0 && job == m_dryRun; }

Q_SIGNALS:
    void busyChanged();
    void definitionChanged();  ///< of the sweep in the editor; its trials follow later

private:
    struct Request {
        qint64 sweepId = 0;
        QString toml;
        bool isUndo = false;
        bool isDryRun = true;
        std::uint64_t job = 0;
    };
    /// The sweep in the editor in its last known state.
    struct Seen {
        std::string toml;
        EditedSweep sweep;
    };

    void apply();
    void send(Request request);
    void confirm(const Request &request, const facts::Facts &consequence);
    void answered();
    void offerUndo(const Request &request);
    void onDone(quint64 job, const facts::Facts &reply);
    void onRefused(quint64 job, const std::vector<sweep::Problem> &problems);
    void onFailed(quint64 job, const facts::Fact &reason);
    void follow();
    void see(const sweep::SweepRecord &record);
    void detach();
    void followDefinition(const sweep::SweepRecord &record);
    void load(const sweep::SweepRecord &record);

    protocol::EngineClient *m_client;
    SweepEditor *m_editor;
    std::optional<Request> m_request;  ///< without an answer yet
    std::optional<Request> m_done;     ///< an edit by this window
    std::optional<Seen> m_seen;
    QPointer<QMessageBox> m_question;
    quint64 m_dryRun = 0;
};

}  // namespace sweepscope::ui
