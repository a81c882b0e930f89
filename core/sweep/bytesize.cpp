#include "sweep/bytesize.h"

#include <array>
#include <charconv>
#include <cmath>

namespace sweepscope::sweep {

namespace {

struct Unit {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::uint64_t kibi = 1024, kilo = 1000;
constexpr std::array<Unit, 9> units{{{"TiB", kibi *kibi *kibi *kibi},
                                     {"GiB", kibi *kibi *kibi},
                                     {"MiB", kibi *kibi},
                                     {"KiB", kibi},
                                     {"TB", kilo *kilo *kilo *kilo},
                                     {"GB", kilo *kilo *kilo},
                                     {"MB", kilo *kilo},
                                     {"kB", kilo},
                                     {"B", 1}}};
constexpr double mostBytes = 1ULL << 60U;

}  // namespace

std::optional<std::uint64_t> parseBytes(std::string_view text)
{
    std::uint64_t whole = 0;
    const auto exact = std::from_chars(text.data(), text.data() + text.size(), whole);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || !(number >= 0))
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    for (const Unit &unit : units) {
        const double bytes = number * static_cast<double>(unit.bytes);
        if (text == unit.name && bytes <= mostBytes && exact.ptr == end)
            return whole * unit.bytes;
        if (text == unit.name && bytes <= mostBytes)
            return static_cast<std::uint64_t>(std::llround(bytes));
    }
    return std::nullopt;
}

std::string bytesToText(std::uint64_t bytes)
{
    for (const Unit &unit : units) {
        if (bytes >= unit.bytes && bytes % unit.bytes == 0)
            return std::to_string(bytes / unit.bytes) + " " + std::string(unit.name);
    }
    return "0 B";
}

}  // namespace sweepscope::sweep
