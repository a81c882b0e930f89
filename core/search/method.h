#pragma once

#include "sweep/sweepspec.h"

#include <optional>
#include <string>

namespace sweepscope::search {

enum class Method { Grid, Random, Sobol, Tpe, Gp, Cmaes, Nsga2, Pbt, Auto, Command };

/// Incremented when the numbers of a method change, so that replay can tell a change from a fault. A change of what Auto
/// chooses increments those of all methods that it chooses from.
int versionOf(Method method);

/// "grid", "random", "sobol", "tpe", "gp", "cmaes", "nsga2", "pbt", "auto"; "command" for another program (outsidesampler.h)
std::string toString(Method method);
std::optional<Method> methodFromString(const std::string &name);
/// The method of an open-ended sweep.
Method methodOf(const sweep::SweepSpec &spec);

}  // namespace sweepscope::search
