#pragma once

#include <string>
#include <string_view>

namespace sweepscope {

enum class LogLevel { Debug, Info, Warning, Error };

/// One line on stderr, which is engine.log, agent.log or the terminal of the window:
///
///     2026-11-20T21:07:47.123456789Z warning devices: readings are not written: …
///
/// `category`: which part of the program, in one word. The environment variable SWEEPSCOPE_LOG names the lowest level that
/// is written ("debug", "info", "warning" or "error"); without it that is info. From any thread; a message that cannot be
/// written is lost.
void log(LogLevel level, std::string_view category, std::string_view message) noexcept;

/// The line that log() writes, with its end.
std::string logLine(LogLevel level, std::string_view category, std::string_view message, std::string_view time);

/// Returns whether messages of this level pass `threshold`, the value of SWEEPSCOPE_LOG. An unknown value counts as
/// "info".
bool isLogged(LogLevel level, std::string_view threshold);

}  // namespace sweepscope
