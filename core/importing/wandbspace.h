#pragma once

#include "importing/importedsweep.h"
#include "importing/yamlvalue.h"

#include <string>
#include <vector>

namespace sweepscope::importing {

/// The parameters of a sweep of W&B as a command passes them, with placeholders.
struct WandbArguments {
    std::vector<std::string> assignments;  ///< "lr={lr}"
    std::string json;                      ///< {{"lr": {lr}}}
    bool hasBooleans = false;
};

/// Adds the parameters to the space, with their names joined by `_` where they are nested. `arePassed`: the command has
/// arguments with the parameters; otherwise the script reads them from wandb.config alone.
WandbArguments readWandbParameters(const YamlValue &parameters, bool arePassed, ImportedSweep &imported);

/// Braces of a command's argument that are no placeholder.
std::string withEscapedBraces(const std::string &text);

}  // namespace sweepscope::importing
