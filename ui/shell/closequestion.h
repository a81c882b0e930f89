#pragma once

#include <QString>

class QMessageBox;
class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// What the engine does, with the window or without it.
struct GoingOn {
    bool any = false;  ///< a sweep is not at its end
    int running = 0;   ///< trials
    int waiting = 0;
};
GoingOn whatGoesOn(const protocol::EngineClient &client);

enum class CloseChoice { Close, StopAllAndClose, Cancel };

/// Asked when the window closes while trials run: they go on without it. Open it with open(); choiceOf() after
/// `finished`.
QMessageBox *closeQuestion(const GoingOn &goingOn, QWidget *parent);
CloseChoice choiceOf(const QMessageBox *question);

enum class UnsavedChoice { Discard, Save, Apply, Cancel };

/// Asked when the window closes and the editor holds what was neither saved nor started.
QMessageBox *unsavedQuestion(QWidget *parent);
/// Likewise, of changes to the definition of a sweep that exists. `hindrance`: why they cannot be applied; empty: they can.
QMessageBox *unappliedQuestion(const QString &sweep, const QString &hindrance, QWidget *parent);
UnsavedChoice unsavedChoiceOf(const QMessageBox *question);

}  // namespace sweepscope::ui
