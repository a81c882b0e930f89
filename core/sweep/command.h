#pragma once

#include "base/error.h"
#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::sweep {

/// Arguments of the built-in worker for one trial: seed, and the sweep's settings, overridden by the trial's parameters.
/// Relative paths start in `baseFolder`.
std::vector<std::string> builtinArguments(const SweepSpec &spec, const ParameterSet &parameters, std::uint64_t seed,
                                          const std::filesystem::path &baseFolder);

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

/// Returns the placeholders in one argument, in order; an error with a message for the user if a brace is unclosed or
/// unpaired.
Expected<std::vector<std::string>> placeholders(const std::string &argument);

/// The command of a sweep of results whose program is unknown: one that was imported or joined. It fails.
std::vector<std::string> commandOfResults();

/// Why no trial of the sweep can run: its command is still commandOfResults(). nullopt for other sweeps.
std::optional<Problem> missingProgram(const SweepSpec &spec);

}  // namespace sweepscope::sweep
