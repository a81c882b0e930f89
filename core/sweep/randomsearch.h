#pragma once

#include "base/error.h"
#include "sweep/searchspace.h"

#include <cstdint>
#include <vector>

namespace sweepscope::sweep {

/// `trials` different points, drawn parameter by parameter: float ranges from the whole range, all others evenly from
/// their values. A draw that a constraint forbids, or that was drawn before, is drawn again; when that leads nowhere
/// and the space is finite, the rest is taken from what is left of it, in shuffled order. The same seed gives the same
/// list on every machine, and the list for fewer trials is its beginning. BadInput: the space has fewer different points,
/// or the constraints leave next to nothing.
Expected<std::vector<ParameterSet>> drawRandomTrials(const SweepSpec &spec, const SearchSpace &space);

/// Whether drawRandomTrials() will find `spec.trials` points, in as little work as can be.
Expected<void> checkRandomTrials(const SweepSpec &spec, const SearchSpace &space);

}  // namespace sweepscope::sweep
