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

/// Where the programs that trials need lie: beside this one, in a build as installed.
struct Programs {
    std::filesystem::path agent;
    std::filesystem::path worker;      ///< the built-in training; is not there in a build without LibTorch
    std::filesystem::path pythonPath;  ///< where `import sweepscope` is found

    static Programs installed();
};

/// argv of the built-in worker: the sweep's settings, and over them the trial's parameters.
std::vector<std::string> builtinCommand(const std::filesystem::path &worker, const sweep::SweepSpec &spec,
                                        const sweep::TrialRecord &trial, const std::filesystem::path &baseFolder);

/// What a script finds as run.params, in SWEEPSCOPE_PARAMS and in the file that SWEEPSCOPE_PARAMS_FILE names.
std::string parametersAsJson(const sweep::ParameterSet &parameters);

/// Everything that the agent needs for one attempt.
Expected<launch::LaunchSpec> makeLaunchSpec(const Programs &programs, const sweep::SweepRecord &sweep,
                                            const sweep::SweepSpec &spec, const sweep::TrialRecord &trial,
                                            const std::string &attemptId, const schedule::Allocation &devices);

}  // namespace sweepscope::engine
