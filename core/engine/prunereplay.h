#pragma once

#include "engine/storereader.h"
#include "pruning/prunelog.h"

#include <optional>

namespace sweepscope::engine {

/// A decision that comes out differently now.
struct PruneDifference {
    pruning::LogEntry stored;
    pruning::Verdict replayed;
};

struct PruneReplay {
    int decisions = 0;  ///< that were made again
    int byCommand = 0;  ///< that cannot be: another program made them
    std::optional<PruneDifference> first;
};

/// Makes every pruning decision of a sweep again from its log, and compares.
Expected<PruneReplay> replayPruning(StoreReader &reader, const sweep::SweepRecord &sweep);

}  // namespace sweepscope::engine
