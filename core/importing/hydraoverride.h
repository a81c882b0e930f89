#pragma once

#include "base/error.h"
#include "sweep/sweepspec.h"

#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::importing {

/// The value of an override in Hydra's grammar: `adam`, `0.1,0.2`, `tag(log, interval(1e-4, 1))`.
struct OverrideValue {
    std::string text;                ///< as written
    std::string function;            ///< its name; empty: a plain value
    std::vector<std::string> names;  ///< of `arguments`; empty: by position
    std::vector<OverrideValue> arguments;
};

/// Values separated by commas are the arguments of the function "choice". An error says what is wrong, without a place.
Expected<OverrideValue> parseOverride(std::string_view text);

/// The sweeper that reads the overrides.
enum class HydraSweeper { Basic, Optuna };

/// The values of an override as a parameter without a name, and a note if they are not exact.
struct OverrideRange {
    sweep::Dimension dimension;
    std::string note;
};

/// The values over which an override sweeps: choice, range and interval, with casts and tags. An error says what has no
/// equivalent. The value must have a function.
Expected<OverrideRange> rangeOf(const OverrideValue &value, HydraSweeper sweeper);

}  // namespace sweepscope::importing
