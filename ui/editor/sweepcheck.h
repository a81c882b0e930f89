#pragma once

#include "sweep/machinecheck.h"
#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// What a draft is checked against.
struct CheckRequest {
    SweepDraft draft;
    std::optional<sweep::Capacity> machine;  ///< not known yet: only the sweep itself is checked
    QString baseFolder;
    std::string text = {};  ///< a sweep file that somebody wrote of it

    bool operator==(const CheckRequest &other) const;
};

/// All that the page shows about a draft.
struct CheckResult {
    sweep::SweepSpec spec;
    std::vector<PlacedProblem> problems;  ///< as the form shows them; none = it can be started
    std::optional<std::uint64_t> trials;  ///< as far as they can be counted
    QString toml;
    bool losesComments = false;  ///< that are in the request's text
};

/// Reads, validates and counts. May take a second (a huge grid with constraints) and touches files: not for the GUI
/// thread.
CheckResult checkSweep(const CheckRequest &request);

}  // namespace sweepscope::ui
