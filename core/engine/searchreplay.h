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
    int version = 0;  ///< version of the method in this build; a difference is no error if it has changed
};

struct SearchReplay {
    int choices = 0;    ///< that were made again
    int byCommand = 0;  ///< that cannot be: another program made them
    std::optional<ReplayDifference> first;
};

/// Repeats every choice of a sweep's search from its stored inputs, and compares. Exact on the same machine and with
/// the same build.
Expected<SearchReplay> replaySearch(StoreReader &reader, const WorkspaceLayout &workspace,
                                    const sweep::SweepRecord &sweep);

}  // namespace sweepscope::engine
