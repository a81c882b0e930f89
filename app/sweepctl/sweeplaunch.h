#pragma once

#include "exitcode.h"
#include "sweepinput.h"

#include "protocol/engineclient.h"

#include <cstdint>
#include <string>

namespace sweepscope::ctl {

/// What the engine made of the request: an id, or an exit code (the reason is on stderr).
struct Launch {
    std::int64_t sweepId = 0;
    int exitCode = good;
};

/// Makes the workspace where it is not there yet, connects `client` to its engine, starting one where none runs, and
/// launches the sweep; says so on stdout. `file`: what problems are told of.
Launch launch(protocol::EngineClient &client, const std::string &workspace, const SweepInput &input,
              const std::string &file);

/// Prints a line for each trial that ends. True when the sweep has ended; false when waiting did, with the exit code.
bool waitForEnd(protocol::EngineClient &client, std::int64_t sweepId, int concurrent, int &exitCode);

}  // namespace sweepscope::ctl
