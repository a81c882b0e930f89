#pragma once

#include <QColor>
#include <QPalette>

namespace sweepscope::ui {

/// Returns colour 0 to 15 of a terminal in a shade that is readable on the palette's base.
QColor terminalColor(int index, const QPalette &palette);

/// Returns the colour, moved towards that of text until it is readable on the palette's base.
QColor readableColor(const QColor &color, const QPalette &palette);

}  // namespace sweepscope::ui
