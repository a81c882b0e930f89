#pragma once

#include <nlohmann/json.hpp>

#include <string_view>

namespace sweepscope::launch {

/// Parses JSON. Returns a discarded value if it is invalid or nested too deeply: values are destroyed recursively, so a
/// line of brackets could overflow the reader's stack.
nlohmann::json parseUntrustedJson(std::string_view text);

}  // namespace sweepscope::launch
