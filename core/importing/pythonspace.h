#pragma once

#include "base/error.h"
#include "importing/importedsweep.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sweepscope::importing {

/// The search space in a Python script, which is parsed and not run: calls of Optuna or Ray Tune, or a configuration of
/// wandb.sweep(). python3 runs sweepscope.searchspace, which it finds in `pythonPath`. An error if python3 does not.
Expected<ImportedSweep> importPython(const std::filesystem::path &script, const std::filesystem::path &pythonPath);

/// The sweep that sweepscope.searchspace has printed as JSON. `program`: the script, as the command names it.
ImportedSweep importPrintedSpace(std::string_view untrustedJson, const std::string &program);

}  // namespace sweepscope::importing
