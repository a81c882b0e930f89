#pragma once

#include <QString>

class QMessageBox;
class QWidget;

namespace sweepscope::ui {

/// Whether a sweep is to get another definition. `consequence`: what the engine says that would become of its trials.
/// Not open yet; who accepts it presses confirmEditButton.
QMessageBox *editQuestion(const QString &sweep, bool isUndo, const QString &consequence, QWidget *parent);

}  // namespace sweepscope::ui
