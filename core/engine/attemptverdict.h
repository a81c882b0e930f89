#pragma once

#include "base/clock.h"
#include "facts/fact.h"
#include "launch/failurekind.h"

#include <optional>
#include <string>

namespace sweepscope::engine {

enum class AttemptEnd {
    Completed,
    Failed,
    Stopped,
    Lost,          ///< the agent is gone and has not reported how the attempt ended
    NeverStarted,  ///< intended, but no agent ever ran: the engine was killed in between
};
/// "completed", "failed", "stopped", "lost", "never started": for the database.
std::string toString(AttemptEnd end);

struct AttemptVerdict {
    AttemptEnd end = AttemptEnd::Completed;
    facts::Fact reason;
    WallNs time = 0;
    std::optional<launch::FailureKind> failure;  ///< Failed, Lost
    bool withoutAgent = false;                   ///< it was killed before it tidied up
    bool isToBeContinued = false;                ///< by another attempt, not as a retry: its job ended
};

/// How an attempt ended, as stored in the database.
struct AttemptEnding {
    std::string outcome;
    std::string failure;  ///< name of a launch::FailureKind; empty when it did not fail
    facts::Fact reason;
    WallNs time = 0;
};
AttemptEnding endingOf(const AttemptVerdict &verdict);

}  // namespace sweepscope::engine
