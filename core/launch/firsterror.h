#pragma once

#include "base/workspacelayout.h"
#include "facts/fact.h"
#include "launch/lastwords.h"
#include "launch/rankprocess.h"
#include "launch/secrets.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// What the machine ran out of.
struct Shortage {
    bool memory = false;  ///< the kernel has killed a process for lack of it since the attempt began
    bool disk = false;    ///< logs cannot be written: a rank fails when it prints, and cannot say why
};

/// Returns RankExited or RankKilled, with the rank's last words as Detail. Values of secrets are removed.
facts::Fact failureOf(const RankProcess &rank, const AttemptLayout &layout, const Shortage &shortage,
                      const SecretValues &secrets = {});

/// Returns the last words in a rank's log. Values of secrets are removed.
LastWords lastOutput(const std::filesystem::path &log, const SecretValues &secrets);

/// Returns true for the words of a rank that fails because another one is gone: it is not the cause.
bool blamesPeer(const std::string &words);

/// Returns the cause among ranks that failed at about the same time: killed by a signal before exited, own errors
/// before complaints about a peer, then the earliest write to the error file (or the log if there is none). `failed`
/// must not be empty.
const RankProcess &firstToFail(const std::vector<const RankProcess *> &failed, const AttemptLayout &layout);

}  // namespace sweepscope::launch
