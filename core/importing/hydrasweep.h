#pragma once

#include "importing/importedsweep.h"
#include "importing/yamlvalue.h"

#include <string>

namespace sweepscope::importing {

/// Whether the document is a configuration of Hydra that sweeps: with hydra.sweeper, or a multirun.yaml.
bool isHydraSweep(const YamlValue &yaml);

/// The sweep of a configuration of Hydra: hydra.sweeper.params, and hydra.overrides.task of a multirun.yaml, for the basic
/// sweeper and that of Optuna. The command passes key=value overrides. `name` is used if there is none.
ImportedSweep importHydraSweep(const YamlValue &yaml, const std::string &name);

}  // namespace sweepscope::importing
