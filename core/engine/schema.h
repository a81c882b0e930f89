#pragma once

#include <span>

namespace sweepscope::engine {

/// PRAGMA user_version of a database of this program. A change of the tables raises it. Databases of other versions are
/// refused: nothing has been released yet.
inline constexpr int schemaVersionNow = 19;

/// The statements that create the tables of a new database.
std::span<const char *const> schema();

}  // namespace sweepscope::engine
