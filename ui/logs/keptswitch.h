#pragma once

#include <QString>

class QAbstractButton;
class QSettings;

namespace sweepscope::ui {

/// Restores the button's checked state, and stores it from now on.
void keepChecked(QAbstractButton *button, QSettings *settings, const QString &key);

}  // namespace sweepscope::ui
