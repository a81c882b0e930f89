#pragma once

#include "base/error.h"
#include "sweep/sweepspec.h"

#include <map>
#include <string>

namespace sweepscope::sweep {

/// One point of the space, from texts as a person types them: {"lr", "0.01"}. Each value has the kind that its parameter
/// has in `spec`, but may lie outside its range. A parameter with a condition may be left out. BadInput says which name
/// or value is wrong.
Expected<ParameterSet> parsePoint(const SweepSpec &spec, const std::map<std::string, std::string> &texts);

}  // namespace sweepscope::sweep
