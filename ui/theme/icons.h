#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace sweepscope::ui {

/// The drawing resources/icons/NAME.svg in the colour of the surrounding text: follows light and dark palettes, and is
/// grey when disabled. `role` is the role of the text next to it.
QIcon symbolIcon(const QString &name, QPalette::ColorRole role = QPalette::ButtonText);

/// The icon of the program.
QIcon applicationIcon();

}  // namespace sweepscope::ui
