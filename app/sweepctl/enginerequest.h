#pragma once

#include "base/error.h"
#include "sweep/records.h"

#include <functional>
#include <string>

namespace sweepscope::client {
class EngineClient;
}

namespace sweepscope::ctl {

/// What to ask for, once the sweep is known: sends one request.
using Ask = std::function<void(client::EngineClient &, const sweep::SweepRecord &)>;

/// Finds the sweep that `words` mean in the engine of `workspace`, asks, waits for the answer, and prints it: what was
/// done to stdout, why not to stderr. Returns the exit code. No engine is started: without one, nobody holds the sweep.
int requestOfEngine(const std::string &workspace, const std::string &words, const Ask &ask);
/// The same, but starts an engine when none runs: for what goes on after it (a retry of an ended sweep).
int requestOfStartedEngine(const std::string &workspace, const std::string &words, const Ask &ask);

}  // namespace sweepscope::ctl
