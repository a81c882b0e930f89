#pragma once

#include "analysis/importance.h"
#include "analysis/trialvalues.h"
#include "ui/models/axisscale.h"

#include <map>
#include <memory>
#include <vector>

namespace sweepscope::ui {

/// An axis of the parallel coordinates.
struct FigureAxis {
    QString id;  ///< name of the parameter; empty: the target value
    QString title;
    AxisScale scale;
    std::vector<float> positions;  ///< of each row, from 0 to 1
};

/// The values of a sweep's completed trials.
struct Distribution {
    qint64 sweepId = 0;
    QString name;
    std::vector<double> values;  ///< finite, ascending
};

/// Everything that the Analysis page shows of a sweep, computed on a thread; immutable.
struct AnalysisFigure {
    analysis::TrialValues values;
    analysis::Importance importance;
    std::vector<FigureAxis> axes;   ///< parameters; the last one is the target value
    std::vector<float> shades;      ///< of each row, from 0 (best) to 1 (worst)
    std::vector<int> fromWorst;     ///< rows; the last one is the best
    std::vector<int> byEnd;         ///< rows sorted by the end of their trials
    std::vector<double> bestSoFar;  ///< in the order of byEnd
    std::vector<int> ranks;         ///< of each row, from 1 (best)
    std::vector<Distribution> distributions;
    int best = -1;  ///< row; -1 if no trial may be called the best

    const FigureAxis &target() const { return axes.back(); }
    const FigureAxis *axis(const QString &id) const;
    int bestTrial() const;       ///< number; 0 if there is none
    int rowOf(int trial) const;  ///< -1 if the figure does not have the trial
    QString valueText(int row, int axis) const;
    /// Returns the shade of a value between the best and the worst that colours distinguish; outliers get the nearest
    /// of these.
    double shadeOf(double value) const;

    double bestShade = 0;  ///< in units of the target's axis; the colours go from here to worstShade
    double worstShade = 1;
};

using FigurePtr = std::shared_ptr<const AnalysisFigure>;

/// `others`: distributions of sweeps to compare with, in any order of their values. The figure's distributions are those of the
/// sweep, then the others.
FigurePtr makeFigure(analysis::TrialValues values, const QString &targetTitle, bool logarithmic,
                     std::vector<Distribution> others = {});

}  // namespace sweepscope::ui
