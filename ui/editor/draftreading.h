#pragma once

#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"

#include <vector>

namespace sweepscope::ui {

/// The sweep of a draft, and what cannot be parsed ("1e" as a number). With such problems the spec holds the rest and
/// is good for display, but not for saving or launching.
struct DraftReading {
    sweep::SweepSpec spec;
    std::vector<PlacedProblem> problems;
};

DraftReading readDraft(const SweepDraft &draft);

}  // namespace sweepscope::ui
