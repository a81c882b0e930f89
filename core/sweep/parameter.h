#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sweepscope::sweep {

/// 2^53: the largest integer up to which a double holds every integer.
inline constexpr double largestExactInteger = 9007199254740992.0;

using ParameterValue = std::variant<std::int64_t, double, bool, std::string>;

/// Shortest text that reads back as the same value (floats by std::to_chars); true/false; strings as they are.
std::string toText(const ParameterValue &value);

/// The number of an integer or a finite float.
std::optional<double> numberOf(const ParameterValue &value);

/// In the order in which the sweep file declares them. A parameter whose `when` is false is not there.
using ParameterSet = std::vector<std::pair<std::string, ParameterValue>>;

/// Equal numbers compare equal whether they are written 1 or 1.0. Integers beyond 2^53 stay as they are.
ParameterValue canonical(const ParameterValue &value);
ParameterSet canonical(ParameterSet parameters);

/// A list with a fraction is one of fractions: [0, 0.9] means [0.0, 0.9]. Other lists stay as they are.
void unifyNumbers(std::vector<ParameterValue> &values);

const ParameterValue *find(const ParameterSet &parameters, const std::string &name);

}  // namespace sweepscope::sweep
