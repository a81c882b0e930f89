#pragma once

#include "ui/home/sweepmenu.h"

#include <QList>

#include <functional>

class QString;
class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class SweepUndo;

/// Does what a user asks of sweeps in a list, after a question where something would be lost: stars and marks them, stops,
/// archives, restores and deletes them, and removes checkpoints. SweepRequest::Edit, Clone, Rename and Join are not among these.
/// `undo` sends what can be undone or concerns several sweeps.
void carryOut(SweepRequest request, const QList<qint64> &sweeps, protocol::EngineClient *client, SweepUndo *undo,
              QWidget *parent);

/// Asks for another name of the sweep.
void askForName(qint64 sweepId, protocol::EngineClient *client, const std::function<void(const QString &)> &rename,
                QWidget *parent);

}  // namespace sweepscope::ui
