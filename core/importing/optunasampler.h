#pragma once

#include "importing/importedsweep.h"

#include <string>

namespace sweepscope::importing {

/// Sets the search method that corresponds to a sampler of Optuna: the name of its class, or that of Hydra's sweeper
/// ("tpe"); empty: Optuna's default. A sampler without a counterpart, or one with `arguments`, runs in Optuna itself.
void useSampler(ImportedSweep &imported, const std::string &name, const std::string &arguments = {});

}  // namespace sweepscope::importing
