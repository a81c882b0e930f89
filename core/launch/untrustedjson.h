#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace sweepscope::launch {

/// Discarded when it is no JSON, or nests deeper than anybody means: values are destroyed by recursion, so whoever
/// writes a line of brackets could end who reads it.
nlohmann::json parseUntrustedJson(std::string_view text);

}  // namespace sweepscope::launch
