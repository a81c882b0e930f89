#pragma once

#include "facts/fact.h"
#include "sweep/sweepspec.h"

namespace sweepscope::sweep {

/// What another definition changes, key by key in the order of the sweep file: KeyChanged facts. Before or After is
/// missing where the key is not in the file.
facts::Facts changesBetween(const SweepSpec &before, const SweepSpec &after);

}  // namespace sweepscope::sweep
