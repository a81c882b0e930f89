#pragma once

#include "ui/plot/qcustomplotheader.h"

namespace sweepscope::ui {

/// Sets the look of a legend inside a plot: small text without a border, on a translucent ground.
void styleInsetLegend(QCPLegend *legend, const QPalette &palette, const QFont &font);

}  // namespace sweepscope::ui
