#pragma once

#include "base/clock.h"

#include <QString>

#include <vector>

namespace sweepscope::ui {

struct TimeTick {
    WallNs time = 0;
    QString label;
};

/// Round moments between two, in local time, at most `most` of them.
std::vector<TimeTick> timeTicks(WallNs from, WallNs to, int most);

}  // namespace sweepscope::ui
