#pragma once

#include "protocol/engineclient.h"
#include "sweep/control.h"

#include <QObject>

#include <vector>

namespace sweepscope::ui {

/// What takes a command back: what a person wrote beside trials, their places among those that wait, and trials that
/// were stopped before they had begun. Empty: it cannot be taken back. `trials`: as they are before the command.
std::vector<sweep::Control> takingBack(const sweep::Control &command, const std::vector<sweep::TrialRecord> &trials);

/// Sends commands to the engine and takes them back, the last one first.
class TrialUndo : public QObject {
    Q_OBJECT

public:
    explicit TrialUndo(protocol::EngineClient *client, QObject *parent = nullptr);

    void send(qint64 sweepId, const sweep::Control &command);
    /// It is sent by somebody else, now.
    void remember(qint64 sweepId, const sweep::Control &command);
    bool canUndo() const { return !m_steps.empty(); }
    void undo();

Q_SIGNALS:
    void told(const QString &sentence);

private:
    struct Step {
        qint64 sweepId;
        std::vector<sweep::Control> commands;
    };

    protocol::EngineClient *m_client;
    std::vector<Step> m_steps;
    quint64 m_request = 0;  ///< of the last one that can be taken back
    bool m_isNew = false;   ///< the last one can be
};

}  // namespace sweepscope::ui
