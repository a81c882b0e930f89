#include "sweep/duration.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace sweepscope::sweep {

namespace {

struct DurationUnit {
    char letter;
    std::int64_t seconds;
};
constexpr std::array<DurationUnit, 4> durationUnits{{{'d', 86'400}, {'h', 3'600}, {'m', 60}, {'s', 1}}};
constexpr std::int64_t longestSeconds = longestDuration.count();

}  // namespace

std::optional<std::chrono::seconds> parseDuration(std::string_view text)
{
    std::int64_t total = 0;
    std::size_t nextUnit = 0;
    bool any = false;
    while (!text.empty()) {
        if (text.front() == ' ') {
            text.remove_prefix(1);
            continue;
        }
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || number < 0 || number > longestSeconds)
            return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        while (nextUnit < durationUnits.size() && (text.empty() || durationUnits[nextUnit].letter != text.front()))
            ++nextUnit;
        if (nextUnit == durationUnits.size())
            return std::nullopt;
        total += number * durationUnits[nextUnit].seconds;
        if (total > longestSeconds)
            return std::nullopt;
        ++nextUnit;
        text.remove_prefix(1);
        any = true;
    }
    return any ? std::optional(std::chrono::seconds(total)) : std::nullopt;
}

std::string toText(std::chrono::seconds duration)
{
    std::int64_t left = duration.count();
    std::string text;
    for (const DurationUnit &unit : durationUnits) {
        if (left >= unit.seconds) {
            text += std::to_string(left / unit.seconds) + unit.letter;
            left %= unit.seconds;
        }
    }
    return text.empty() ? "0s" : text;
}

}  // namespace sweepscope::sweep
