#pragma once

#include "sweep/records.h"
#include "ui/plot/trialsource.h"

#include <string>
#include <vector>

namespace sweepscope::ui {

/// For each trial, the groups in whose medians it counts.
using CurveGroups = std::vector<std::vector<CurveGroup>>;

/// Each value is a group; many numbers are four groups of about as many trials each, the ranges between the quartiles.
CurveGroups groupsByParameter(const std::string &parameter, const std::vector<const sweep::TrialRecord *> &trials,
                              bool onDark);
/// A trial with several tags is in several groups.
CurveGroups groupsByTag(const std::vector<const sweep::TrialRecord *> &trials);
CurveGroups groupOfAll(const std::vector<const sweep::TrialRecord *> &trials);

}  // namespace sweepscope::ui
