#include "ui/analysis/scattercontent.h"

#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct ScatterWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::AnalysisPage)
};

/// Returns a point for each of `rows`; `xOf` maps their index to units of the x axis.
std::vector<TrialPoint> pointsOf(const AnalysisFigure &figure, const std::vector<int> &rows,
                                 const std::vector<char> &within, const std::function<double(std::size_t index)> &xOf)
{
    std::vector<TrialPoint> points;
    points.reserve(rows.size());
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const auto row = static_cast<std::size_t>(rows[index]);
        points.push_back({xOf(index), figure.target().scale.unitOf(figure.values.values[row]),
                          figure.values.trials[row], pointKind(figure, row, within)});
    }
    return points;
}

/// The y axis shows the target value; the best trial is marked.
TrialScatter::Content contentOfValues(const AnalysisFigure &figure)
{
    TrialScatter::Content content;
    content.y = figure.target().scale;
    content.yTitle = figure.target().title;
    content.best = figure.bestTrial();
    return content;
}

/// The first `trials` of what random search would have found. A logarithmic axis
/// ends above 0, and so do they.
ReferenceBand::Data referenceOf(const analysis::RandomBaseline &baseline, const AxisScale &scale, std::size_t trials)
{
    ReferenceBand::Data reference;
    reference.name = ScatterWords::tr("Random search");
    reference.explanation = ScatterWords::tr("Expected best value of random search after the same number of trials:\n"
                                             "median and 80% band of 400 simulated searches. Their results are\n"
                                             "predicted by a Gaussian process fitted to the results of this sweep.");
    const auto unitOf = [&scale](double value) {
        const double unit = scale.unitOf(value);
        return scale.scale == analysis::Scale::Log ? std::fmax(unit, scale.lowest()) : unit;
    };
    for (std::size_t index = 0; index < std::min(trials, baseline.medians.size()); ++index) {
        reference.curve.emplace_back(static_cast<double>(index + 1), unitOf(baseline.medians[index]));
        reference.lows.push_back(unitOf(baseline.lows[index]));
        reference.highs.push_back(unitOf(baseline.highs[index]));
    }
    return reference;
}

constexpr double leastStep = 1.0 / 2000;  ///< of a drawn distribution: smaller ones are not visible

/// The steps of an empirical distribution function, from end to end of the axis. `values` are sorted.
std::vector<QPointF> distributionLine(const std::vector<double> &values, const AxisScale &scale)
{
    std::vector<QPointF> line;
    if (values.empty())
        return line;
    line.emplace_back(scale.lowest(), 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(values.size());
        const bool isStep =
            values[std::min(i + 1, values.size() - 1)] != values[i] && share - line.back().y() >= leastStep;
        if (isStep || i + 1 == values.size())
            line.emplace_back(scale.unitOf(values[i]), share);
    }
    line.emplace_back(scale.highest(), 1);
    return line;
}

}  // namespace

TrialScatter::Content sliceContent(const AnalysisFigure &figure, int parameter, const std::vector<char> &within)
{
    TrialScatter::Content content = contentOfValues(figure);
    if (parameter < 0)
        return content;
    const FigureAxis &axis = figure.axes[static_cast<std::size_t>(parameter)];
    const std::vector<double> &values = figure.values.parameters[static_cast<std::size_t>(parameter)].values;
    content.x = axis.scale;
    content.xTitle = axis.title;
    content.points = pointsOf(figure, figure.fromWorst, within, [&](std::size_t index) {
        return axis.scale.unitOf(values[static_cast<std::size_t>(figure.fromWorst[index])]);
    });
    return content;
}

TrialScatter::Content historyContent(const AnalysisFigure &figure, const std::vector<char> &within,
                                     const analysis::RandomBaseline *baseline)
{
    TrialScatter::Content content = contentOfValues(figure);
    content.x.isWhole = true;
    content.x.low = 1;
    content.x.high = std::max<double>(2, static_cast<double>(figure.byEnd.size()));
    content.xTitle = ScatterWords::tr("trials in order of completion");
    content.points =
        pointsOf(figure, figure.byEnd, within, [](std::size_t index) { return static_cast<double>(index + 1); });
    content.lineName = ScatterWords::tr("Best so far");
    for (std::size_t index = 0; index < figure.bestSoFar.size(); ++index) {
        if (std::isnan(figure.bestSoFar[index]))
            continue;  // no trial so far keeps the constraints
        content.line.emplace_back(static_cast<double>(index + 1),
                                  figure.target().scale.unitOf(figure.bestSoFar[index]));
    }
    if (baseline)
        content.reference = referenceOf(*baseline, figure.target().scale, figure.byEnd.size());
    return content;
}

PointKind pointKind(const AnalysisFigure &figure, std::size_t row, const std::vector<char> &within)
{
    using sweep::TrialState;
    const bool isWithin = within[row] != 0;
    switch (figure.values.states[row]) {
    case TrialState::Pruned:
        return isWithin ? PointKind::Pruned : PointKind::FaintPruned;
    case TrialState::Stopped:
        return isWithin ? PointKind::Stopped : PointKind::FaintStopped;
    default:
        return isWithin ? PointKind::Completed : PointKind::FaintCompleted;
    }
}

TrialScatter::Content distributionContent(const AnalysisFigure &figure, const std::vector<char> &within)
{
    const Distribution &own = figure.distributions.front();
    TrialScatter::Content content;
    std::vector<double> all;
    for (const Distribution &one : figure.distributions)
        all.insert(all.end(), one.values.begin(), one.values.end());
    // Another sweep may have diverged where this one did not.
    content.x = scaleOf(all, figure.target().scale.scale == analysis::Scale::Log
                                 || analysis::scaleFor(all) == analysis::Scale::Log);
    content.xTitle = figure.target().title;
    content.yTitle = ScatterWords::tr("share of trials");
    content.best = figure.bestTrial();
    content.arePointsDrawn = false;  // they would hide the line
    content.line = distributionLine(own.values, content.x);
    content.lineName = ScatterWords::tr("This sweep");
    for (std::size_t i = 1; i < figure.distributions.size(); ++i) {
        const Distribution &other = figure.distributions[i];
        content.otherLines.push_back({ScatterWords::tr("%1 #%2").arg(other.name).arg(other.sweepId),
                                      rankColor(static_cast<int>(other.sweepId)),
                                      distributionLine(other.values, content.x)});
    }
    for (const int one : figure.fromWorst) {
        const auto row = static_cast<std::size_t>(one);
        if (!figure.values.isCompleted(row))
            continue;
        const double value = figure.values.values[row];
        const auto upTo = std::ranges::upper_bound(own.values, value) - own.values.begin();
        content.points.push_back({content.x.unitOf(value),
                                  static_cast<double>(upTo) / static_cast<double>(own.values.size()),
                                  figure.values.trials[row], pointKind(figure, row, within)});
    }
    return content;
}

QString trialText(const AnalysisFigure &figure, int trial)
{
    const int row = figure.rowOf(trial);
    if (row < 0)
        return {};
    const auto at = static_cast<std::size_t>(row);
    QString text = ScatterWords::tr("Trial %1, %2").arg(trial).arg(stateText(figure.values.states[at]));
    text += u"\n%1: %2"_s.arg(figure.target().title, numberText(figure.values.values[at]));
    if (figure.values.standings[at] == analysis::Standing::Infeasible)
        text += u'\n' + ScatterWords::tr("Violates a constraint");
    for (std::size_t i = 0; i < figure.values.parameters.size(); ++i)
        text += u"\n%1: %2"_s.arg(figure.axes[i].title, figure.valueText(row, static_cast<int>(i)));
    return text;
}

QString unfinishedText(const sweep::TrialRecord &trial)
{
    QString text = ScatterWords::tr("Trial %1, %2").arg(trial.number).arg(stateText(trial));
    for (const auto &[name, value] : trial.parameters)
        text += u"\n%1: %2"_s.arg(QString::fromStdString(name), parameterText(value));
    return text;
}

}  // namespace sweepscope::ui
