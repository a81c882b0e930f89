#include "ui/analysis/analysisfigure.h"

#include "ui/models/valuetext.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

}  // namespace

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

FigurePtr makeFigure(analysis::TrialValues values, const QString &targetTitle, bool logarithmic)
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
    std::ranges::stable_sort(rows, [&](int one, int other) { return all.isBetter(value(other), value(one)); });
    figure->best = all.bestRow();
    if (!rows.empty()) {
        const auto edge = static_cast<std::size_t>(outermost * static_cast<double>(rows.size()));
        figure->worstShade = scale.unitOf(value(rows[edge]));
        figure->bestShade = scale.unitOf(value(rows[rows.size() - 1 - edge]));
    }
    figure->shades.reserve(all.size());
    for (const double one : all.values)
        figure->shades.push_back(static_cast<float>(figure->shadeOf(one)));

    std::ranges::stable_sort(figure->byEnd, {}, [&all](int row) { return all.ended[static_cast<std::size_t>(row)]; });
    double best = std::nan("");
    for (const int row : figure->byEnd) {
        best = std::isnan(best) || all.isBetter(value(row), best) ? value(row) : best;
        figure->bestSoFar.push_back(best);
    }
    figure->importance = analysis::importanceOf(all);
    return figure;
}

}  // namespace sweepscope::ui
