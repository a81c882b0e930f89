#pragma once

#include "base/clock.h"

#include <QString>

#include <vector>

namespace sweepscope::ui {

struct TimeTick {
    WallNs time = 0;
    QString label;
};

/// Returns at most `most` round times between two, in local time.
std::vector<TimeTick> timeTicks(WallNs from, WallNs to, int most);

}  // namespace sweepscope::ui
