#pragma once

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

/// New definitions of sweeps that exist: asks the engine what one would do, then the person, then the engine to do it. What
/// the editor shows of a sweep follows the sweep, which others may edit too.
class SweepEditing : public QObject {
    Q_OBJECT

public:
    SweepEditing(protocol::EngineClient *client, SweepEditor *editor);

    /// Puts the sweep's present definition into the editor; where it is there already, what was changed in it stays.
    void edit(qint64 sweepId);
    /// What is in the editor has just been launched as this sweep.
    void adopt(qint64 sweepId);
    void undoLastEdit(qint64 sweepId);
    qint64 sweepId() const;  ///< whose definition is in the editor; 0: no sweep's that exists
    bool isBusy() const { return m_request.has_value(); }
    /// The answer to this only says what would be done.
    bool isDryRun(quint64 job) const { return job != 0 && job == m_dryRun; }

Q_SIGNALS:
    void busyChanged();
    void definitionChanged();  ///< of the sweep in the editor; what becomes of its trials follows

private:
    struct Request {
        qint64 sweepId = 0;
        QString toml;
        bool isUndo = false;
        bool isDryRun = true;
        std::uint64_t job = 0;
    };
    /// The sweep in the editor as it was seen last.
    struct Seen {
        std::string toml;
        EditedSweep sweep;
    };

    void apply(const QString &toml);
    void send(Request request);
    void ask(const Request &request, const QString &consequence);
    void answered();
    void tellDone(const Request &request);
    void onDone(quint64 job, const QString &message);
    void onRefused(quint64 job, const std::vector<sweep::Problem> &problems);
    void onFailed(quint64 job, const QString &message);
    void onDisconnected(const QString &reason);
    void follow();
    void see(const sweep::SweepRecord &record);
    void letGo();
    void followDefinition(const sweep::SweepRecord &record);
    void load(const sweep::SweepRecord &record);

    protocol::EngineClient *m_client;
    SweepEditor *m_editor;
    std::optional<Request> m_request;  ///< not answered yet
    std::optional<Request> m_done;     ///< the change of a definition that is this window's own
    std::optional<Seen> m_seen;
    QPointer<QMessageBox> m_question;
    quint64 m_dryRun = 0;
};

}  // namespace sweepscope::ui
