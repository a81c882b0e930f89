#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sweepscope::sweep {

using ParameterValue = std::variant<std::int64_t, double, bool, std::string>;

/// Shortest text that reads back as the same value (floats by std::to_chars); true/false; strings as they are.
std::string toText(const ParameterValue &value);

/// In the order in which the sweep file declares them. A parameter whose `when` is false is not there.
using ParameterSet = std::vector<std::pair<std::string, ParameterValue>>;

const ParameterValue *find(const ParameterSet &parameters, const std::string &name);

}  // namespace sweepscope::sweep
