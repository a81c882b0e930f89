#pragma once

#include "sweep/sweepspec.h"

#include <string>

namespace sweepscope::sweep {

/// Returns `text`, a sweep file, with only the lines changed that differ from `spec`; comments and order stay. Returns
/// toToml() if that is impossible: the text has mistakes or is empty, or parameters changed places.
std::string sweepFile(const SweepSpec &spec, const std::string &text);

/// Whether `before` has comments that `after` does not have.
bool losesComments(const std::string &before, const std::string &after);

/// sweepFile() with the `pin` and `exclude` of `devices`.
std::string withGpuLists(const std::string &toml, const DevicesSection &devices);

}  // namespace sweepscope::sweep
