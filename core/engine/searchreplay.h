#pragma once

#include "base/workspacelayout.h"
#include "engine/storereader.h"

#include <optional>

namespace sweepscope::engine {

/// A choice that comes out differently now.
struct ReplayDifference {
    int trial = 0;
    sweep::ParameterSet stored;
    sweep::ParameterSet replayed;  ///< empty: no point is left
    bool isRounding = false;       ///< every number differs by less than 1e-9 of itself: another machine or compiler
    int storedVersion = 0;
    int version = 0;  ///< of the method now; where it is another one, a difference is no fault
};

struct SearchReplay {
    int choices = 0;    ///< that were made again
    int byCommand = 0;  ///< that cannot be: another program made them
    std::optional<ReplayDifference> first;
};

/// Makes every choice of a sweep's search again from what is stored of its inputs, and compares. Exact on the machine and
/// with the build that made them.
Expected<SearchReplay> replaySearch(StoreReader &reader, const WorkspaceLayout &workspace,
                                    const sweep::SweepRecord &sweep);

}  // namespace sweepscope::engine
