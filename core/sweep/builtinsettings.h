#pragma once

#include "sweep/keys.h"

#include <vector>

namespace sweepscope::sweep {

/// The part of the table of keys that the built-in worker's settings are: data, model, training, execution.
std::vector<Key> builtinSettingKeys();

}  // namespace sweepscope::sweep
