#pragma once

#include <QColor>

namespace sweepscope::ui {

/// The colour of a value between the best (0) and the worst (1): viridis (Smith, van der Walt), which colour-blind people
/// read as an order too and which greys keep. The best stands out from the ground: dark on light, bright on dark.
QColor gradientColor(double share, bool onDark);

}  // namespace sweepscope::ui
