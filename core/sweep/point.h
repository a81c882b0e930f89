#pragma once

#include "base/error.h"
#include "sweep/searchspace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// One point of the space, from texts as a person types them: {"lr", "0.01"}. Each value has the kind that its parameter
/// has in `spec`, but may lie outside its range. A parameter with a condition may be left out. Names of settings of the
/// built-in worker are allowed too. BadInput says which name or value is wrong.
Expected<ParameterSet> parsePoint(const SweepSpec &spec, const std::map<std::string, std::string> &texts);

/// The value of one parameter. nullopt: it cannot be of that kind.
std::optional<ParameterValue> parseValue(const Dimension &dimension, const std::string &text);

/// Whether a trial of this sweep could have these parameters: all of those, and only those, whose conditions hold, each
/// with a value of its dimension, and allowed by every constraint.
bool isInSpace(const SweepSpec &spec, const SearchSpace &space, const ParameterSet &parameters);

/// The parameters of this point that a condition switches off, in declared order. Values may lie outside their ranges.
std::vector<std::string> switchedOffParameters(const SweepSpec &spec, const SearchSpace &space,
                                               const ParameterSet &parameters);

}  // namespace sweepscope::sweep
