#pragma once

#include "base/clock.h"

#include <QString>

namespace sweepscope::ui {

/// "14:03:59", local time; a dash if the time is unknown (0).
QString clockText(WallNs time);
/// "29 Nov", local time; empty if the time is unknown.
QString dayText(WallNs time);
/// "2026-11-29 14:03:59", local time; a dash if it is unknown.
QString fullTimeText(WallNs time);
/// Whether the times are on the same local day. An unknown time is on the day of the other.
bool isSameDay(WallNs a, WallNs b);

}  // namespace sweepscope::ui
