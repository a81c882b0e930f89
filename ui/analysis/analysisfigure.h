#pragma once

#include "analysis/importance.h"
#include "analysis/trialvalues.h"
#include "ui/analysis/axisscale.h"

#include <map>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// An axis of the parallel coordinates.
struct FigureAxis {
    QString id;  ///< the parameter's name; empty: the value that trials are judged by
    QString title;
    AxisScale scale;
    std::vector<float> positions;  ///< of each row, 0 to 1
};

/// All that the Analysis page shows of a sweep, made on a thread; it does not change any more.
struct AnalysisFigure {
    analysis::TrialValues values;
    analysis::Importance importance;
    std::vector<FigureAxis> axes;   ///< the parameters, and last the value
    std::vector<float> shades;      ///< of each row: 0 the best, 1 the worst
    std::vector<int> fromWorst;     ///< rows
    std::vector<int> byEnd;         ///< rows in the order in which their trials ended
    std::vector<double> bestSoFar;  ///< along byEnd
    int best = -1;                  ///< row

    const FigureAxis &target() const { return axes.back(); }
    const FigureAxis *axis(const QString &id) const;
    int rowOf(int trial) const;  ///< -1: it is not among them
    QString valueText(int row, int axis) const;
    /// The shade of a value, between the best and the worst that colours tell apart: single values far out have the
    /// colour of the nearest others.
    double shadeOf(double value) const;

    double bestShade = 0;  ///< units on the target's axis, at shade 0 and 1
    double worstShade = 1;
};

using FigurePtr = std::shared_ptr<const AnalysisFigure>;

FigurePtr makeFigure(analysis::TrialValues values, const QString &targetTitle, bool logarithmic);

}  // namespace sweepscope::ui
