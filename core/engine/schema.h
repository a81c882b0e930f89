#pragma once

#include <span>

namespace sweepscope::engine {

/// What PRAGMA user_version says of a database of this program. A change of the tables raises it and adds a step.
inline constexpr int schemaVersionNow = 12;

/// The statements that lead from version `from` to `from + 1`.
std::span<const char *const> schemaStep(int from);

}  // namespace sweepscope::engine
