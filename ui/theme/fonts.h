#pragma once

#include <QFont>

namespace sweepscope::ui {

/// Returns the desktop's font; if no desktop chose one, a plain installed family.
QFont applicationFont();

QFont headingFont(const QFont &base);   ///< a page's title
QFont sectionFont(const QFont &base);   ///< of a page
QFont emphasisFont(const QFont &base);  ///< same size, heavier
QFont smallFont(const QFont &base);     ///< notes below something
QFont monospaceFont();                  ///< logs, commands, paths

}  // namespace sweepscope::ui
