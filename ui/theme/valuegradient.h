#pragma once

#include <QColor>

namespace sweepscope::ui {

/// Returns the colour of a value between the best (0) and the worst (1): viridis (Smith, van der Walt), whose order is
/// visible to colour-blind people and in greyscale. The best contrasts with the background: dark on light, bright on
/// dark.
QColor gradientColor(double share, bool onDark);

}  // namespace sweepscope::ui
