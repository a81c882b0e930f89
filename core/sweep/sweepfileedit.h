#pragma once

#include "sweep/sweepspec.h"

#include <optional>
#include <string>

namespace sweepscope::sweep {

/// The text of a sweep file with the lines changed that do not say what `spec` says; all others, comments and order among
/// them, are as somebody wrote them. Nothing where that cannot be: the text is no TOML, parameters changed places.
std::optional<std::string> withSpec(const std::string &text, const SweepSpec &spec);

/// withSpec() of a text without mistakes; toToml() where that cannot be.
std::string sweepFile(const SweepSpec &spec, const std::string &text);

/// Whether `before` has comments that `after` does not have.
bool losesComments(const std::string &before, const std::string &after);

/// The definition with the `pin` and `exclude` of `devices`; the rest, comments among it, is as it was. Where that cannot be
/// done, all of it is written anew.
std::string withGpuLists(const std::string &toml, const DevicesSection &devices);

}  // namespace sweepscope::sweep
