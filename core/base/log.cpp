#include "base/log.h"

#include "base/clock.h"
#include "base/files.h"

#include <array>
#include <cstdlib>
#include <unistd.h>

namespace sweepscope {

namespace {

constexpr std::array<std::string_view, 4> names{"debug", "info", "warning", "error"};

std::string_view nameOf(LogLevel level)
{
    return names[static_cast<std::size_t>(level)];
}

}  // namespace

bool isLogged(LogLevel level, std::string_view threshold)
{
    auto lowest = static_cast<std::size_t>(LogLevel::Info);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == threshold)
            lowest = i;
    }
    return static_cast<std::size_t>(level) >= lowest;
}

std::string logLine(LogLevel level, std::string_view category, std::string_view message, std::string_view time)
{
    std::string line(time);
    line += ' ';
    line += nameOf(level);
    line += ' ';
    line += category;
    line += ": ";
    line += message;
    line += '\n';
    return line;
}

void log(LogLevel level, std::string_view category, std::string_view message) noexcept
{
    const char *const threshold = std::getenv("SWEEPSCOPE_LOG");
    if (!isLogged(level, threshold != nullptr ? threshold : ""))
        return;
    try {
        // In one call, so that lines of several threads and processes do not mix. There is nowhere to report to when it fails.
        (void)writeAll(STDERR_FILENO, logLine(level, category, message, toIso8601(wallNow())), "the log");
    } catch (...) {  // no memory for the line
    }
}

}  // namespace sweepscope
