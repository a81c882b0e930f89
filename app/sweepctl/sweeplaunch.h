#pragma once

#include "exitcode.h"
#include "sweepinput.h"

#include "protocol/engineclient.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sweepscope::ctl {

/// The engine's answer: an id, or an exit code (the reason is on stderr).
struct Launch {
    std::int64_t sweepId = 0;
    int exitCode = good;
};

/// Creates the workspace if it does not exist, and connects `client` to its engine; starts one if none runs. Returns good,
/// or the exit code after the reason on stderr.
int connectToEngine(protocol::EngineClient &client, const std::string &workspace);

/// Sends a request that the engine answers with a new sweep, and waits. `words`: what to print if it refuses. Requires a
/// connected client.
using ProblemWords = std::function<std::string(const std::vector<sweep::Problem> &)>;
Launch requestSweep(protocol::EngineClient &client, const std::function<void()> &send, const ProblemWords &words);
/// The same for a sweep file.
Launch requestLaunch(protocol::EngineClient &client, const SweepInput &input, const std::string &file);

/// A line for each problem of what has no file.
std::string describeAll(const std::vector<sweep::Problem> &problems);

/// Creates the workspace if it does not exist, connects `client` to its engine, starts one if none runs, and launches
/// the sweep; reports it on stdout. Problems refer to `file`.
Launch launch(protocol::EngineClient &client, const std::string &workspace, const SweepInput &input,
              const std::string &file);

/// Prints a line for each trial that ends. Returns true when the sweep has ended; false, with the exit code, if waiting
/// failed or was interrupted.
bool waitForEnd(protocol::EngineClient &client, std::int64_t sweepId, int concurrent, int &exitCode);

}  // namespace sweepscope::ctl
