#pragma once

#include "analysis/objectiveresults.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/trialscatter.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// What the Analysis page shows of several objectives, computed on a thread; immutable.
struct ObjectivesFigure {
    analysis::ObjectiveResults results;
    std::vector<double> hypervolumes;  ///< after each trial
};

/// Null for a sweep with one objective.
std::shared_ptr<const ObjectivesFigure> makeObjectivesFigure(analysis::ObjectiveResults results);

/// Trials over two objectives, with the front of these two as a step line around what it dominates. Trials that are not
/// `within` the ranges of the figure are faint.
TrialScatter::Content frontContent(const ObjectivesFigure &objectives, std::size_t x, std::size_t y,
                                   const AnalysisFigure &figure, const std::vector<char> &within);

/// The hypervolume after each trial, with a point for each trial that made it larger.
TrialScatter::Content hypervolumeContent(const ObjectivesFigure &objectives, const AnalysisFigure &figure,
                                         const std::vector<char> &within);

}  // namespace sweepscope::ui
