#pragma once

#include "analysis/modelsurface.h"
#include "ui/analysis/analysisfigure.h"
#include "ui/analysis/mapplot.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace sweepscope::ui {

/// What the colours of a map show.
enum class MapValue { MeasuredMean, MeasuredBest, MeasuredRank, PredictedMean, PredictedDeviation };

inline bool isPredicted(MapValue value)
{
    return value == MapValue::PredictedMean || value == MapValue::PredictedDeviation;
}

struct MapData {
    MapPlot::Map map;
    TrialScatter::Content content;
};

/// Completed trials in cells: one for each pair of values of lists and categories, else stretches of the ranges. Points are drawn
/// unless all trials of a cell would lie on each other. `x` and `y`: indexes of parameters. Only rows `within` count.
MapData measuredData(const AnalysisFigure &figure, std::size_t x, std::size_t y, MapValue value,
                     const std::vector<char> &within);

/// A surface with lines of equal values. The colours of means are those that the parallel coordinates have for these values. Rows
/// that are not `within` the ranges are faint; unfinished trials are on it, too.
MapData predictedData(const AnalysisFigure &figure, const analysis::ModelSurface &surface, MapValue value,
                      const std::vector<char> &within);

/// Returns which values the other parameters have: "Others as in trial 7: layers 3, optimizer adam". Empty if there are none.
QString othersText(const analysis::ModelSurface &surface);

/// Returns the two parameters that a map shows first: the most important of those offered. Empty if there are fewer than two.
QStringList firstParameters(const AnalysisFigure &figure, const QStringList &offered);

}  // namespace sweepscope::ui
