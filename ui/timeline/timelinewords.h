#pragma once

#include "ui/timeline/timelinerows.h"

#include <QString>

namespace sweepscope::ui {

/// "Trial 3 · completed · 2 min 4 s from 12:30:05"
QString barText(const TimelineBar &bar);
/// Describes how long the device of a row is idle around `time`, which no bar covers, and which of its trials were
/// between two attempts.
QString idleText(const Timeline &timeline, std::size_t row, WallNs time);

}  // namespace sweepscope::ui
