#pragma once

#include <QColor>
#include <QPalette>

namespace sweepscope::ui {

/// A terminal's colour 0 to 15 in a shade that can be read on the palette's base.
QColor terminalColor(int index, const QPalette &palette);

/// The colour, moved towards the text's until it can be read on the palette's base.
QColor readableColor(const QColor &color, const QPalette &palette);

}  // namespace sweepscope::ui
