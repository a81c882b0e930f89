#pragma once

#include <QString>

class QAbstractButton;
class QSettings;

namespace sweepscope::ui {

/// Pressed as it was left, and from now on kept.
void keepChecked(QAbstractButton *button, QSettings *settings, const QString &key);

}  // namespace sweepscope::ui
