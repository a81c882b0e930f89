#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sweepscope::output {

/// A JSON text of Python, which has NaN and infinities: they become the strings "NaN", "Infinity" and "-Infinity".
/// Empty if it is nested too deeply: JSON is copied and written recursively.
std::string standardJson(std::string_view text);

/// The number, or what such a string stands for.
std::optional<double> pythonNumber(const nlohmann::json &json);

}  // namespace sweepscope::output
