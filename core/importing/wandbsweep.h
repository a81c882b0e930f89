#pragma once

#include "importing/importedsweep.h"
#include "importing/yamlvalue.h"

#include <string>

namespace sweepscope::importing {

/// Whether the document looks like a sweep of W&B.
bool isWandbSweep(const YamlValue &yaml);

/// A sweep of W&B: the YAML file of `wandb sweep`. `name` is used if the file has none.
ImportedSweep importWandbSweep(const YamlValue &yaml, const std::string &name);

}  // namespace sweepscope::importing
