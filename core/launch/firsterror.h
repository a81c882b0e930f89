#pragma once

#include "base/workspacelayout.h"
#include "facts/fact.h"
#include "launch/rankprocess.h"
#include "launch/secrets.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sweepscope::launch {

/// What the machine lacked.
struct Shortage {
    bool memory = false;  ///< the kernel has killed for want of it since the attempt began
    bool disk = false;    ///< logs have no room: a rank fails when it prints, and cannot say why
};

/// RankExited or RankKilled, with the rank's last words, without the values of secrets, as Detail.
facts::Fact failureOf(const RankProcess &rank, const AttemptLayout &layout, const Shortage &shortage,
                      const SecretValues &secrets = {});

/// True for the words of a rank that fails because another one has gone: it is not the cause.
bool blamesPeer(const std::string &words);

/// Of ranks that failed at about the same time, the one that began it: killed by a signal before exited, own words
/// before complaints about a peer, then whose error file (where there is none: whose log) was written to first. `failed`
/// is not empty.
const RankProcess &firstToFail(const std::vector<const RankProcess *> &failed, const AttemptLayout &layout);

}  // namespace sweepscope::launch
