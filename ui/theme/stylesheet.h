#pragma once

#include <QPalette>
#include <QString>

namespace sweepscope::ui {

/// What Fusion lacks: flat buttons and fields with one radius, plain headers and tabs. Widgets opt in by the properties
/// "primary" (the default button), "danger" and "flat", splitters by "quiet" (a gap, no line); markProblem() sets
/// "problem". `scale` applies to all lengths except lines.
QString styleSheet(const QPalette &palette, double scale = 1);

}  // namespace sweepscope::ui
