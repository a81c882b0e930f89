#pragma once

#include <QtGlobal>

#include <vector>

class QAction;
class QMenu;
class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

class TrialUndo;

struct TrialCommands {
    QAction *retry;
    QAction *stop;
    QAction *trace;
};

/// Adds the actions that these trials allow now to `menu`: pause, resume, retry, continue, run next, trace, stop. Stop asks first
/// while one of them runs, because its unfinished work is lost; trace asks for the number of steps. `undo` sends them.
TrialCommands addTrialCommands(QMenu *menu, protocol::EngineClient *client, TrialUndo *undo, qint64 sweepId,
                               const std::vector<int> &trials, QWidget *parent);

}  // namespace sweepscope::ui
