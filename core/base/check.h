#pragma once

#include "base/error.h"

#include <string_view>

namespace sweepscope {

/// For invariants of our own code, in release builds too. Where `condition` does not hold, that is logged as an error with
/// its place, and the caller ends the operation; the program continues.
///
///     if (!holds(row.number > 0, "a trial has a number"))
///         return false;
[[nodiscard]] bool holds(bool condition, std::string_view invariant, const char *file = __builtin_FILE(),
                         int line = __builtin_LINE()) noexcept;

/// The same as a result: ErrorCode::Broken, with the invariant and its place.
Expected<void> require(bool condition, std::string_view invariant, const char *file = __builtin_FILE(),
                       int line = __builtin_LINE());

}  // namespace sweepscope
