#pragma once

#include <QColor>

namespace sweepscope::ui {

/// Returns the colour of a value between the best (0) and the worst (1): viridis (Smith, van der Walt), whose order is
/// visible to colour-blind people and in greyscale. The best is at the violet end on any background, so that
/// pictures of both can be compared.
QColor gradientColor(double share, bool onDark);

}  // namespace sweepscope::ui
