#pragma once

#include "sweepselection.h"

#include "sweep/records.h"
#include "wording/sentence.h"

#include <functional>
#include <string>

namespace sweepscope::protocol {
class EngineClient;
}

namespace sweepscope::ctl {

/// How long an engine may take to start and to answer its first client.
inline constexpr int engineStartTimeoutMs = 30'000;

/// Sends one request about the selected sweep.
using SendRequest = std::function<void(protocol::EngineClient &, const sweep::SweepRecord &)>;

/// Turns the reply into sentences.
using ReplyWords = std::function<std::string(const facts::Facts &)>;

/// Connects to the engine of a workspace that exists, without its trials. Starts one if none runs. Returns the exit code
/// after an error is printed, else `good`.
int connectToKnownEngine(protocol::EngineClient &client, const std::string &workspace);

/// Selects the sweep that `words` name in the engine of `workspace`, calls `send`, waits for the answer and prints it:
/// success to stdout, an error to stderr. Returns the exit code. Starts an engine if none runs: after a crash, running
/// trials have no engine until then.
int requestOfEngine(const std::string &workspace, const std::string &words, Wanted wanted, const SendRequest &send,
                    const ReplyWords &replyWords = wording::sentences);

}  // namespace sweepscope::ctl
