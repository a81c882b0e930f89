#pragma once

#include "protocol/engineclient.h"
#include "sweep/control.h"

#include <QList>
#include <QObject>

#include <optional>
#include <set>
#include <utility>
#include <vector>

class QWidget;

namespace sweepscope::ui {

/// Returns the command that undoes one: marks, and archiving. nullopt if it cannot be undone or changes nothing.
/// `sweep`: in its state before the command.
std::optional<sweep::Control> takingBack(const sweep::Control &command, const sweep::SweepRecord &sweep);

/// Returns what the replies to the same command about several sweeps say together: "Starred 3 sweeps."
QString repliesText(const std::vector<facts::Facts> &replies);

/// Sends commands about sweeps to the engine, reports their replies in one sentence, and undoes them, last first.
class SweepUndo : public QObject {
    Q_OBJECT

public:
    explicit SweepUndo(protocol::EngineClient *client, QObject *parent = nullptr);

    void send(const QList<qint64> &sweeps, const sweep::Control &command);
    /// Undo works while the widget or a part of it has the focus.
    void addShortcutTo(QWidget *widget);

Q_SIGNALS:
    void reported(const QString &sentence);

private:
    using Step = std::vector<std::pair<qint64, sweep::Control>>;

    void undo();
    void collect(quint64 request, const facts::Facts *reply);

    protocol::EngineClient *m_client;
    std::vector<Step> m_steps;
    std::set<quint64> m_requests;  ///< of the last command, without a reply
    std::vector<facts::Facts> m_replies;
    bool m_canBeUndone = false;  ///< the last command
};

}  // namespace sweepscope::ui
