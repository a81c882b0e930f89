#pragma once

#include "protocol/engineclient.h"
#include "sweep/control.h"

#include <QObject>

#include <vector>

namespace sweepscope::ui {

/// Returns the commands that undo one: marks written by the user, places in the queue, and stops of trials that had not
/// started. Empty if it cannot be undone. `trials`: in their state before the command.
std::vector<sweep::Control> takingBack(const sweep::Control &command, const std::vector<sweep::TrialRecord> &trials);

/// Sends commands to the engine and undoes them, last first.
class TrialUndo : public QObject {
    Q_OBJECT

public:
    explicit TrialUndo(protocol::EngineClient *client, QObject *parent = nullptr);

    void send(qint64 sweepId, const sweep::Control &command);
    bool canUndo() const { return !m_steps.empty(); }
    void undo();

Q_SIGNALS:
    void reported(const QString &sentence);

private:
    struct Step {
        qint64 sweepId;
        std::vector<sweep::Control> commands;
    };

    protocol::EngineClient *m_client;
    std::vector<Step> m_steps;
    quint64 m_request = 0;  ///< of the last one that can be undone
};

}  // namespace sweepscope::ui
