#pragma once

#include "base/workspacelayout.h"

#include <vector>

namespace sweepscope {

/// Returns where the files of each agent of an attempt are, by its first rank: the attempt's folder, and those in it that
/// AttemptLayout::ofRanks() names, if it runs on several machines or nodes.
std::vector<AttemptLayout> agentFolders(const AttemptLayout &attempt);

}  // namespace sweepscope
