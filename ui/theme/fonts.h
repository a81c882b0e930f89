#pragma once

#include <QFont>

namespace sweepscope::ui {

/// The desktop's own font; where no desktop chose one, a clean family that is installed.
QFont applicationFont();

QFont headingFont(const QFont &base);   ///< a page's title
QFont sectionFont(const QFont &base);   ///< of a page
QFont emphasisFont(const QFont &base);  ///< the same size, heavier
QFont smallFont(const QFont &base);     ///< notes under something
QFont monospaceFont();                  ///< logs, commands, paths

}  // namespace sweepscope::ui
