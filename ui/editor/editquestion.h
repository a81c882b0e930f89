#pragma once

#include <QString>

class QMessageBox;
class QWidget;

namespace sweepscope::ui {

/// Asks whether to change a sweep's definition. `consequence`: the engine's words for the effect on its trials. Call
/// open(); the button to accept is confirmEditButton.
QMessageBox *editQuestion(const QString &sweep, bool isUndo, const QString &consequence, QWidget *parent);

}  // namespace sweepscope::ui
