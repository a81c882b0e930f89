#pragma once

#include "base/error.h"
#include "sweep/sweepspec.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace sweepscope::sweep {

/// The settings of the built-in worker with which its training starts over instead of continuing a checkpoint, if they
/// differ. So does another seed.
std::span<const std::string_view> settingsOfCheckpoint();

/// The parameters of a trial that continues the checkpoint of one with the parameters `parent`. `changes` are strings by
/// name: parameters of the sweep and, with the built-in worker, its settings. BadInput says which name or value is wrong,
/// or cannot change.
Expected<ParameterSet> continuedPoint(const SweepSpec &spec, const ParameterSet &parent,
                                      const std::map<std::string, std::string> &changes);

}  // namespace sweepscope::sweep
