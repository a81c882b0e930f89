#pragma once

#include <QIcon>
#include <QPalette>
#include <QString>

namespace sweepscope::ui {

/// The drawing resources/icons/NAME.svg in the colour of the text around it: it follows the light and the dark palette,
/// and greys out when disabled. `role` is the text it stands beside.
QIcon symbolIcon(const QString &name, QPalette::ColorRole role = QPalette::ButtonText);

/// The program's own.
QIcon applicationIcon();

}  // namespace sweepscope::ui
