#pragma once

#include "ui/logs/loglevel.h"

namespace sweepscope::ui {

/// Number of messages by level; lines that continue one do not count.
struct LevelCounts {
    int warnings = 0;
    int errors = 0;

    void add(LineLevel line, int times = 1)
    {
        if (line.begins && line.level == LogLevel::Warning)
            warnings += times;
        else if (line.begins && line.level == LogLevel::Error)
            errors += times;
    }
    bool operator==(const LevelCounts &) const = default;
};

}  // namespace sweepscope::ui
