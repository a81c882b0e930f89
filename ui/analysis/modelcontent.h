#pragma once

#include "analysis/modelsurface.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/modelplot.h"

#include <QString>

#include <vector>

namespace sweepscope::ui {

enum class ModelValue { Mean, Uncertainty };

/// The colours of a surface. Those of means are the colours that the parallel coordinates have for these values.
ModelPlot::Map modelMap(const AnalysisFigure &figure, const analysis::ModelSurface &surface, ModelValue value);

/// The trials of the figure and unfinished ones, on the axes of the surface. Rows that are not `within` the ranges are faint.
TrialScatter::Content modelPoints(const AnalysisFigure &figure, const analysis::ModelSurface &surface,
                                  const std::vector<char> &within);

/// Returns which values the other parameters have: "Others as in trial 7: layers 3, optimizer adam". Empty if there are none.
QString othersText(const analysis::ModelSurface &surface);

/// Returns the two parameters that a plot shows first: the most important numeric ones, else any. Empty if there are fewer
/// than two.
std::vector<std::string> firstParameters(const AnalysisFigure &figure, const std::vector<std::string> &offered);

}  // namespace sweepscope::ui
