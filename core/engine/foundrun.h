#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "launch/agentprocess.h"
#include "sweep/parameter.h"
#include "sweep/sweepspec.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::engine {

/// In the folder of an attempt whose script was not started by us.
inline constexpr const char *foundRunFile = "run.json";

/// A run of a script that reports without having been started by us (packaging/python/sweepscope/ownrun.py). The process that
/// created it plays the agent of its attempt.
struct FoundRun {
    std::filesystem::path folder;
    std::string attemptId;
    std::string name;
    std::vector<std::string> command;
    std::string workingFolder;  ///< absolute
    std::string host;           ///< name of its machine
    int ranks = 1;
    sweep::ParameterSet config;  ///< its plain values
    WallNs created = 0;
    launch::ProcessIdentity agent;
};

/// Reads run.json. `now`: no run is from the future. The caller sets folder and agent.
Expected<FoundRun> parseFoundRun(std::string_view untrusted, WallNs now);

/// Reads the folder. NotFound: it is no run, or not yet.
Expected<FoundRun> readFoundRun(const std::filesystem::path &folder, WallNs now);

/// Returns its definition, by which it could be repeated: a valid sweep file. Parameters are the values of its configuration
/// whose names can be parameters.
sweep::SweepSpec definitionOf(const FoundRun &run);

}  // namespace sweepscope::engine
