#pragma once

#include "base/error.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <vector>

namespace sweepscope::sweep {

/// More trials than this are refused: nobody means it, and a window could not show them.
inline constexpr std::uint64_t maxTrials = 1'000'000;

/// One trial that the sweep will run. The same spec gives the same plans in the same order.
struct TrialPlan {
    int number = 0;  ///< from 1
    ParameterSet parameters;
    std::uint64_t seed = 0;  ///< from the sweep's seed and the trial's number; a parameter named `seed` overrides it
    int ranks = 1;           ///< a parameter named `ranks` overrides run.ranks
};

/// Number of trials after conditions and constraints, without building them: a raw grid of 10^18 is no trouble.
/// Duplicate points (a condition switched their only difference off) count once. BadInput when there are more than
/// maxTrials or none, when a random search asks for more than the space has, or when [space] or [constraints] is wrong
/// (the first problem).
Expected<std::uint64_t> countTrials(const SweepSpec &spec);

/// All trials. Grid: first dimension slowest, in declared order. Random: spec.trials different draws from spec.seed,
/// float ranges from the whole range whatever their points.
Expected<std::vector<TrialPlan>> planTrials(const SweepSpec &spec);

/// One trial of these parameters.
TrialPlan planPoint(const SweepSpec &spec, int number, ParameterSet parameters);

/// argv for a command worker: "{lr}" is replaced by the parameter's text, "{{" and "}}" are braces. BadInput names an
/// unknown placeholder.
Expected<std::vector<std::string>> expandCommand(const std::vector<std::string> &command,
                                                 const ParameterSet &parameters);

/// The same for one trial of a sweep: {seed} and {ranks} are the trial's, and an argument whose parameter is switched
/// off in this trial is left out: "--momentum={momentum}" as a whole, and of "--momentum", "{momentum}" both.
Expected<std::vector<std::string>> expandCommand(const SweepSpec &spec, const ParameterSet &parameters,
                                                 std::uint64_t seed, int ranks);

/// The same for one text, such as the value of an environment variable; a switched-off parameter leaves nothing.
Expected<std::string> expandText(const SweepSpec &spec, const std::string &text, const ParameterSet &parameters,
                                 std::uint64_t seed, int ranks);

/// Placeholders in one argument, in order; an error when a brace is open or stands alone (in sentences for a person).
Expected<std::vector<std::string>> placeholders(const std::string &argument);

}  // namespace sweepscope::sweep
