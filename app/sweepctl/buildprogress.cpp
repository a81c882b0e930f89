#include "buildprogress.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace sweepscope::ctl {

namespace {

/// Takes a number and the character after it from the front of the line.
std::optional<int> takeNumber(std::string_view &line, char end)
{
    int number = 0;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    const auto length = static_cast<std::size_t>(read.ptr - line.data());
    if (read.ec != std::errc() || number < 0 || length == line.size() || line[length] != end)
        return std::nullopt;
    line.remove_prefix(length + 1);
    return number;
}

}  // namespace

std::optional<int> buildPercentage(std::string_view line)
{
    if (!line.starts_with('['))
        return std::nullopt;
    line.remove_prefix(std::min(line.find_first_not_of(' ', 1), line.size()));
    if (const std::optional<int> percentage = takeNumber(line, '%'))
        return percentage;
    const std::optional<int> done = takeNumber(line, '/');
    const std::optional<int> all = done ? takeNumber(line, ']') : std::nullopt;
    if (!all || *all == 0 || *done > *all)
        return std::nullopt;
    return static_cast<int>(100.0 * *done / *all);
}

}  // namespace sweepscope::ctl
