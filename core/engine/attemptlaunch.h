#pragma once

#include "base/error.h"
#include "launch/launchspec.h"
#include "schedule/allocator.h"
#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// The locations of the programs that trials need: next to this one, both in a build and installed.
struct Programs {
    std::filesystem::path agent;
    std::filesystem::path worker;      ///< the built-in training; missing in a build without LibTorch
    std::filesystem::path pythonPath;  ///< the folder from which `import sweepscope` works

    static Programs installed();
};

/// Returns the argv of the built-in worker: the sweep's settings, overridden by the trial's parameters.
std::vector<std::string> builtinCommand(const std::filesystem::path &worker, const sweep::SweepSpec &spec,
                                        const sweep::TrialRecord &trial, const std::filesystem::path &baseFolder);

/// Returns what a script reads as run.params: the value of SWEEPSCOPE_PARAMS and the content of SWEEPSCOPE_PARAMS_FILE.
std::string parametersAsJson(const sweep::ParameterSet &parameters);

/// Returns everything that the agent needs for one attempt.
Expected<launch::LaunchSpec> makeLaunchSpec(const Programs &programs, const sweep::SweepRecord &sweep,
                                            const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
                                            const std::string &attemptId, const schedule::Allocation &devices);

}  // namespace sweepscope::engine
