#pragma once

#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <filesystem>
#include <optional>

namespace sweepscope::engine {

/// Returns a module that the sweep's Python script imports at its top level and that its interpreter does not find. The
/// interpreter itself looks for it, with the environment of a rank, and without running the script. nullopt if all are found,
/// or if it cannot be known: another kind of command, a script that changes sys.path or catches the ImportError, or no
/// answer within seconds. `pythonPath`: Programs::pythonPath. Not for the event loop.
std::optional<sweep::Problem> missingImport(const sweep::SweepSpec &spec, const std::filesystem::path &baseFolder,
                                            const std::filesystem::path &pythonPath);

}  // namespace sweepscope::engine
