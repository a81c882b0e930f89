#pragma once

#include <QString>

class QMessageBox;
class QWidget;

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ui {

/// The work of the engine that continues without the window.
struct GoingOn {
    bool any = false;  ///< a sweep has not ended
    int running = 0;   ///< number of trials
    int waiting = 0;
};
GoingOn whatGoesOn(const protocol::EngineClient &client);

enum class CloseChoice { Close, StopAllAndClose, Cancel };

/// Asks what to do when the window closes while trials run, which continue without it. Call open(), and choiceOf()
/// after `finished`.
QMessageBox *closeQuestion(const GoingOn &goingOn, QWidget *parent);
CloseChoice choiceOf(const QMessageBox *question);

enum class UnsavedChoice { Discard, Save, Apply, Cancel };

/// Asks what to do when the window closes while the editor has neither saved nor launched changes.
QMessageBox *unsavedQuestion(QWidget *parent);
/// The same for changes to the definition of an existing sweep. `hindrance`: why they cannot be applied; empty if they
/// can.
QMessageBox *unappliedQuestion(const QString &sweep, const QString &hindrance, QWidget *parent);
UnsavedChoice unsavedChoiceOf(const QMessageBox *question);

}  // namespace sweepscope::ui
