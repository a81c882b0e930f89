#pragma once

#include "train/trainsettings.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sweepscope::train {

/// Settings from "name=value" as a worker gets them; fails the test if one is wrong.
inline TrainSettings settings(const std::vector<std::string> &assignments, std::uint64_t seed = 3)
{
    const auto parsed = parseSettings(assignments, seed);
    REQUIRE(parsed.has_value());
    return *parsed;
}

}  // namespace sweepscope::train
