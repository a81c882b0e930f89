#pragma once

#include <QPalette>
#include <QString>

namespace sweepscope::ui {

/// What Fusion leaves to be wished: flat buttons and fields with one radius, quiet headers and tabs. Widgets choose
/// with the properties "primary" (the one button that goes on), "danger" and "flat", splitters with "quiet" (a gap, no line);
/// markProblem() sets "problem".
/// Lengths go with `scale`, but for lines.
QString styleSheet(const QPalette &palette, double scale = 1);

}  // namespace sweepscope::ui
