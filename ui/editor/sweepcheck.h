#pragma once

#include "facts/fact.h"
#include "sweep/machinecheck.h"
#include "ui/editor/placedproblem.h"
#include "ui/editor/sweepdraft.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// A draft and what it is checked against.
struct CheckRequest {
    SweepDraft draft;
    std::optional<sweep::Capacity> machine;  ///< nullopt if unknown: only the sweep itself is checked
    QString baseFolder;
    std::string text = {};           ///< the sweep file that the draft was typed as
    std::filesystem::path worker{};  ///< the built-in one; empty if it is on another machine

    bool operator==(const CheckRequest &other) const;
};

/// Everything that the page shows about a draft.
struct CheckResult {
    sweep::SweepSpec spec;
    std::vector<PlacedProblem> problems;  ///< as shown in the form; empty if the sweep can be launched
    std::optional<std::uint64_t> trials;  ///< if they can be counted
    QString toml;
    bool losesComments = false;  ///< comments of the request's text
    facts::Fact choice;          ///< of the method "auto": what it would choose; none with mistakes
};

/// Parses, validates and counts. May take a second (a huge grid with constraints) and reads files: not for the GUI
/// thread.
CheckResult checkSweep(const CheckRequest &request);

/// The first problem that keeps trials from being counted and chosen; null if there is none.
const PlacedProblem *problemOfSearch(const CheckResult &result);

}  // namespace sweepscope::ui
