#pragma once

#include "sweep/sweepspec.h"

#include <map>
#include <string>
#include <vector>

/// A run is a sweep with one trial: a training that is recorded, not searched.
namespace sweepscope::sweep {

/// Whether the definition is of the kind that makeRun() returns, perhaps with a value for each of some parameters.
bool isRun(const SweepSpec &spec);

/// Returns the text that stands for `text` in a command or in an environment variable of a sweep: braces doubled.
std::string withoutPlaceholders(const std::string &text);

/// Returns a valid name of a run for any text, such as the path of a script: "train" for "src/train.py".
std::string runNameOf(const std::string &text);

/// Returns the definition of a run. It is neither repeated nor ended by us: no retries, no detection of hangs. `command`
/// and `environment` are used literally.
SweepSpec makeRun(const std::string &name, const std::vector<std::string> &command,
                  const std::map<std::string, std::string> &environment);

}  // namespace sweepscope::sweep
