#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::sweep {

/// A hundred years: fits into 64 bits as nanoseconds, too.
inline constexpr std::chrono::seconds longestDuration{36'500LL * 86'400};

/// "90s", "10m", "1h30m", "2d 12h": whole numbers with d, h, m, s, largest first, each at most once. Nothing for
/// anything else, and for more than 100 years.
std::optional<std::chrono::seconds> parseDuration(std::string_view text);

/// The shortest text that parses back: "1h30m".
std::string toText(std::chrono::seconds duration);

}  // namespace sweepscope::sweep
