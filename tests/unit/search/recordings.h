#pragma once

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

/// What other programs calculated; peers/record_*.py wrote it.
namespace sweepscope::search::testing {

/// The file peers/NAME.
inline nlohmann::json recording(const char *name)
{
    return nlohmann::json::parse(std::ifstream(std::string(SEARCH_PEERS "/") + name));
}

/// The tolerance is relative above 1, absolute below.
inline void checkNear(double ours, double theirs, double tolerance = 1e-9)
{
    CHECK(std::fabs(ours - theirs) <= tolerance * std::max(1.0, std::fabs(theirs)));
}

}  // namespace sweepscope::search::testing
