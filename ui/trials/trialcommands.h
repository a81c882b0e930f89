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
};

/// Adds to `menu` what a person can do with these trials now: pause, resume, retry, run next, stop. Stop asks first
/// while one of them runs, because what it has not finished is lost. `undo` sends them.
TrialCommands addTrialCommands(QMenu *menu, protocol::EngineClient *client, TrialUndo *undo, qint64 sweepId,
                               const std::vector<int> &trials, QWidget *parent);

}  // namespace sweepscope::ui
