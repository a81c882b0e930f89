#include "ui/analysis/analysisfigure.h"

#include "analysis/measuredmap.h"
#include "ui/models/valuetext.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sweepscope::ui {

namespace {

constexpr double outermost = 0.03;  ///< share of the trials at either end that get the outermost colour

std::vector<float> positionsOf(const AxisScale &scale, const std::vector<double> &values)
{
    std::vector<float> positions;
    positions.reserve(values.size());
    for (const double value : values)
        positions.push_back(static_cast<float>(scale.positionOf(value)));
    return positions;
}

/// The shades of all trials go from the best to the worst value, except for those that are far from the others.
void setShades(AnalysisFigure &figure)
{
    const AxisScale &scale = figure.target().scale;
    std::vector<double> sorted = figure.values.values;
    std::ranges::sort(sorted, [&figure](double one, double other) { return figure.values.isBetter(one, other); });
    if (!sorted.empty()) {
        const auto edge = static_cast<std::size_t>(outermost * static_cast<double>(sorted.size()));
        figure.bestShade = scale.unitOf(sorted[edge]);
        figure.worstShade = scale.unitOf(sorted[sorted.size() - 1 - edge]);
    }
    for (const double one : figure.values.values)
        figure.shades.push_back(static_cast<float>(figure.shadeOf(one)));
}

void setDistributions(AnalysisFigure &figure, std::vector<Distribution> others)
{
    Distribution own;
    for (std::size_t row = 0; row < figure.values.size(); ++row) {
        if (figure.values.isCompleted(row))
            own.values.push_back(figure.values.values[row]);
    }
    figure.distributions = std::move(others);
    figure.distributions.insert(figure.distributions.begin(), std::move(own));
    for (Distribution &distribution : figure.distributions)
        std::ranges::sort(distribution.values);
}

}  // namespace

int AnalysisFigure::bestTrial() const
{
    return best < 0 ? 0 : values.trials[static_cast<std::size_t>(best)];
}

const FigureAxis *AnalysisFigure::axis(const QString &id) const
{
    const auto found = std::ranges::find(axes, id, &FigureAxis::id);
    return found == axes.end() ? nullptr : &*found;
}

int AnalysisFigure::rowOf(int trial) const
{
    const auto found = std::ranges::lower_bound(values.trials, trial);
    return found != values.trials.end() && *found == trial ? static_cast<int>(found - values.trials.begin()) : -1;
}

QString AnalysisFigure::valueText(int row, int axis) const
{
    const auto at = static_cast<std::size_t>(row);
    const FigureAxis &shown = axes[static_cast<std::size_t>(axis)];
    if (shown.id.isEmpty())
        return numberText(values.values[at]);
    const analysis::Parameter &parameter = values.parameters[static_cast<std::size_t>(axis)];
    const double value = parameter.values[at];
    if (std::isnan(value))
        return unsetText();
    return parameter.scale == analysis::Scale::Categories ? shown.scale.categories[static_cast<int>(value)]
                                                          : numberText(value);
}

double AnalysisFigure::shadeOf(double value) const
{
    if (bestShade == worstShade)
        return 0;
    return std::clamp((target().scale.unitOf(value) - bestShade) / (worstShade - bestShade), 0.0, 1.0);
}

FigurePtr makeFigure(analysis::TrialValues values, const QString &targetTitle, bool logarithmic,
                     std::vector<Distribution> others)
{
    auto figure = std::make_shared<AnalysisFigure>();
    figure->values = std::move(values);
    const analysis::TrialValues &all = figure->values;
    for (const analysis::Parameter &parameter : all.parameters) {
        const QString name = QString::fromStdString(parameter.name);
        const AxisScale scale = scaleOf(parameter);
        figure->axes.push_back({name, name, scale, positionsOf(scale, parameter.values)});
    }
    const AxisScale scale = scaleOf(all.values, logarithmic);
    figure->axes.push_back({{}, targetTitle, scale, positionsOf(scale, all.values)});

    std::vector<int> &rows = figure->fromWorst;
    rows.resize(all.size());
    std::iota(rows.begin(), rows.end(), 0);
    figure->byEnd = rows;
    const auto value = [&all](int row) { return all.values[static_cast<std::size_t>(row)]; };
    std::ranges::reverse(rows);  // among equals the first is the best, as in bestRow()
    std::ranges::stable_sort(rows, [&all](int one, int other) {
        return all.isRowBetter(static_cast<std::size_t>(other), static_cast<std::size_t>(one));
    });
    figure->best = all.bestRow();
    figure->ranks = analysis::ranksOf(all);
    setShades(*figure);
    setDistributions(*figure, std::move(others));

    std::ranges::stable_sort(figure->byEnd, {}, [&all](int row) { return all.ended[static_cast<std::size_t>(row)]; });
    double best = std::nan("");
    for (const int row : figure->byEnd) {
        const bool mayBeBest = all.standings[static_cast<std::size_t>(row)] != analysis::Standing::Infeasible;
        best = mayBeBest && (std::isnan(best) || all.isBetter(value(row), best)) ? value(row) : best;
        figure->bestSoFar.push_back(best);
    }
    figure->importance = analysis::importanceOf(all);
    return figure;
}

}  // namespace sweepscope::ui
