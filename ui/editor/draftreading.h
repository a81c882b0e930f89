#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"

#include <vector>

namespace sweepscope::ui {

/// What a draft means as a sweep, and what is typed in it that means nothing ("1e" as a number). With such problems the
/// spec holds what could be understood and is good for a look, not for saving or starting.
struct DraftReading {
    sweep::SweepSpec spec;
    std::vector<PlacedProblem> problems;
};

DraftReading readDraft(const SweepDraft &draft);

}  // namespace sweepscope::ui
