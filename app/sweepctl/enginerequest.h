#pragma once

#include "sweepselection.h"

#include "sweep/records.h"

#include <functional>
#include <string>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ctl {

/// So long an engine may take until it answers its first client.
inline constexpr int engineStartTimeoutMs = 30'000;

/// What to ask for, once the sweep is known: sends one request.
using Ask = std::function<void(protocol::EngineClient &, const sweep::SweepRecord &)>;

/// Finds the sweep that `words` mean in the engine of `workspace`, asks, waits for the answer, and prints it: what was
/// done to stdout, why not to stderr. Returns the exit code. An engine is started where none runs: after a crash, trials
/// that still run belong to nobody until then.
int requestOfEngine(const std::string &workspace, const std::string &words, Wanted wanted, const Ask &ask);

}  // namespace sweepscope::ctl
