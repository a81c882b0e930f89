#pragma once

#include "importing/importedsweep.h"

#include <string>
#include <string_view>

namespace sweepscope::importing {

/// The sweep in a YAML file of another program, recognized by its contents. `name` is used if it has none.
ImportedSweep importYaml(std::string_view text, const std::string &name);

}  // namespace sweepscope::importing
