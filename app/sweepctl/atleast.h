#pragma once

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>
#include <string>

namespace sweepscope::ctl {

/// Accepts integers from `least` on. CLI11's own check for this prints the largest double as the other bound.
inline CLI::Validator atLeast(std::int64_t least)
{
    return CLI::Validator(
        [least](std::string &text) {
            std::int64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc() && end == text.data() + text.size() && value >= least)
                return std::string();
            return "must be an integer of at least " + std::to_string(least) + ", not '" + text + "'";
        },
        "");
}

}  // namespace sweepscope::ctl
