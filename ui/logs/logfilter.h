#pragma once

#include "ui/logs/loglevel.h"

#include <QRegularExpression>

#include <optional>

namespace sweepscope::ui {

/// Which lines of a log are shown.
struct LogFilter {
    std::optional<QRegularExpression> pattern;
    LogLevel least = LogLevel::Other;

    bool isActive() const { return pattern || least != LogLevel::Other; }
    bool operator==(const LogFilter &) const = default;
};

}  // namespace sweepscope::ui
