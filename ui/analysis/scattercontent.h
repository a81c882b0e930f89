#pragma once

#include "analysis/randombaseline.h"
#include "sweep/records.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/trialscatter.h"

#include <QString>

#include <vector>

namespace sweepscope::ui {

/// One parameter against the target value. `parameter` is its index in the figure, -1 for none; rows that are not
/// `within` the ranges are faint.
TrialScatter::Content sliceContent(const AnalysisFigure &figure, int parameter, const std::vector<char> &within);

/// The target values in the order in which trials ended, and a line through the best so far; with `baseline`, which may
/// be null, also what random search would have found.
TrialScatter::Content historyContent(const AnalysisFigure &figure, const std::vector<char> &within,
                                     const analysis::RandomBaseline *baseline);

/// The empirical distribution function of the completed trials, and those of the sweeps to compare with. The trials have their
/// places on the line.
TrialScatter::Content distributionContent(const AnalysisFigure &figure, const std::vector<char> &within);

/// Returns how a row is drawn: by the state of its trial, and faint if it is not `within` the ranges.
PointKind pointKind(const AnalysisFigure &figure, std::size_t row, const std::vector<char> &within);

/// Returns state, value and parameters of a trial, one per line; empty if the figure does not have the trial.
QString trialText(const AnalysisFigure &figure, int trial);
/// Returns state and parameters of a trial that has not ended.
QString unfinishedText(const sweep::TrialRecord &trial);

}  // namespace sweepscope::ui
