#include "ui/analysis/mapcontent.h"

#include "analysis/contourlines.h"
#include "analysis/measuredmap.h"
#include "ui/analysis/scattercontent.h"
#include "ui/models/valuetext.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct MapWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::MapPanel)
};

constexpr int mostLines = 8;  ///< of equal values
constexpr double unsetReach =
    0.04;  ///< half the length of the cell of trials without a parameter, as a share of the range

/// The scale from the best to the worst value that colours distinguish.
AxisScale scaleOfMeans(const AnalysisFigure &figure)
{
    AxisScale scale = figure.target().scale;
    if (figure.bestShade != figure.worstShade)
        std::tie(scale.low, scale.high) = std::minmax({figure.bestShade, figure.worstShade});
    return scale;
}

/// Logarithmic, because deviations far from the best values are many times larger than those that matter.
AxisScale scaleOfDeviations(const std::vector<double> &deviations)
{
    std::vector<double> known;
    std::ranges::copy_if(deviations, std::back_inserter(known), [](double value) { return std::isfinite(value); });
    return scaleOf(known, true);
}

AxisScale scaleOfRanks(const AnalysisFigure &figure)
{
    AxisScale scale;
    scale.isWhole = true;
    scale.low = 1;
    scale.high = std::max<double>(2, static_cast<double>(figure.values.size()));
    return scale;
}

float shadeOfRank(const AnalysisFigure &figure, std::size_t row)
{
    const auto last = static_cast<float>(std::max<std::size_t>(figure.values.size(), 2) - 1);
    return static_cast<float>(figure.ranks[row] - 1) / last;
}

/// The cells of one parameter on its axis.
struct CellAxis {
    const analysis::Parameter &parameter;
    analysis::MapAxis division;
    AxisScale scale;

    double low(int cell) const { return edge(cell, 0); }
    double high(int cell) const { return edge(cell, 1); }
    /// Where the trials of the cell are, as a phrase.
    QString text(int cell) const;
    /// Where a trial is drawn.
    double unitOf(double value) const;

private:
    double edge(int cell, int end) const;
    bool isOnAxis() const { return scale.scale != analysis::Scale::Categories; }
};

/// Whether the values of a grid are better read from round ticks of the axis than from labels: they have many digits, and
/// equal distances.
bool hasRoundTicks(const analysis::MapAxis &division, const AxisScale &axis)
{
    const std::vector<double> &levels = division.levels;
    if (levels.size() < 3 || axis.hasUnset || std::ranges::all_of(levels, isShort))
        return false;
    constexpr double uneven = 0.01;
    const double first = axis.unitOf(levels.front());
    const double step = (axis.unitOf(levels.back()) - first) / static_cast<double>(levels.size() - 1);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        if (std::abs(axis.unitOf(levels[i]) - first - static_cast<double>(i) * step) > uneven * step)
            return false;
    }
    return true;
}

AxisScale scaleOfCells(const analysis::Parameter &parameter, const analysis::MapAxis &division)
{
    AxisScale scale = scaleOf(parameter);
    if (division.levels.empty())
        return scale;
    if (hasRoundTicks(division, scale)) {
        const double low = scale.unitOf(division.levels.front());
        const double high = scale.unitOf(division.levels.back());
        const double half = (high - low) / static_cast<double>(division.levels.size() - 1) / 2;
        scale.marks.clear();
        scale.low = low - half;
        scale.high = high + half;
        return scale;
    }
    scale.scale = analysis::Scale::Categories;
    scale.marks.clear();
    for (const double level : division.levels)
        scale.categories << numberText(level);
    scale.low = 0;
    scale.high = static_cast<double>(division.levels.size()) - 1;
    return scale;
}

double CellAxis::edge(int cell, int end) const
{
    if (!isOnAxis())
        return cell - 0.5 + end;  // that of trials without the parameter is before the others
    const double width = scale.high - scale.low;
    if (cell == analysis::MapCell::unset)
        return scale.unsetUnit() + (end == 0 ? -unsetReach : unsetReach) * width;
    return scale.low + width * (cell + end) / division.cells;
}

double CellAxis::unitOf(double value) const
{
    if (division.levels.empty() || std::isnan(value) || isOnAxis())
        return scale.unitOf(value);
    return static_cast<double>(std::ranges::lower_bound(division.levels, value) - division.levels.begin());
}

QString CellAxis::text(int cell) const
{
    const QString name = QString::fromStdString(parameter.name);
    if (cell == analysis::MapCell::unset)
        return name + u' ' + unsetText();
    if (!division.isDivided)
        return name + u' '
               + (isOnAxis() ? numberText(division.levels[static_cast<std::size_t>(cell)]) : scale.categories[cell]);
    return MapWords::tr("%1 from %2 to %3")
        .arg(name, numberText(scale.valueAt(low(cell))), numberText(scale.valueAt(high(cell))));
}

QString countText(const analysis::MapCell &cell)
{
    QString text = cell.completed == 1 ? MapWords::tr("1 completed trial")
                                       : MapWords::tr("%L1 completed trials").arg(cell.completed);
    if (cell.others > 0)
        text += MapWords::tr(", %L1 pruned or stopped").arg(cell.others);
    return text;
}

QString cellText(const analysis::MapCell &cell, const CellAxis &x, const CellAxis &y)
{
    QString text = x.text(cell.column) + u'\n' + y.text(cell.row) + u'\n' + countText(cell);
    if (cell.completed > 0)
        text += u'\n'
                + MapWords::tr("Mean %1, best %2 in trial %3, mean rank %4")
                      .arg(numberText(cell.mean), numberText(cell.best))
                      .arg(cell.bestTrial)
                      .arg(numberText(cell.meanRank));
    return text;
}

GroundCell groundCell(const AnalysisFigure &figure, const analysis::MapCell &cell, const CellAxis &x, const CellAxis &y,
                      MapValue value)
{
    GroundCell ground;
    ground.area = QRectF(QPointF(x.low(cell.column), y.low(cell.row)), QPointF(x.high(cell.column), y.high(cell.row)));
    const double shown = value == MapValue::MeasuredMean   ? cell.mean
                         : value == MapValue::MeasuredBest ? cell.best
                                                           : cell.meanRank;
    ground.trial = cell.bestTrial;
    ground.hasBest = cell.bestTrial == figure.bestTrial() && cell.bestTrial != 0;
    ground.text = cellText(cell, x, y);
    if (cell.completed == 0) {
        ground.unit = std::nan("");
        return ground;
    }
    const bool isRank = value == MapValue::MeasuredRank;
    ground.unit = isRank ? shown : figure.target().scale.unitOf(shown);
    ground.labels << (isRank ? QString::number(std::lround(shown)) : numberText(shown));
    if (ground.hasBest)
        ground.labels << MapWords::tr("best: %1").arg(cell.bestTrial);
    else if (cell.completed > 1)
        ground.labels << MapWords::tr("%L1 trials").arg(cell.completed);
    return ground;
}

QString measuredTitle(const AnalysisFigure &figure, MapValue value)
{
    const QString &title = figure.target().title;
    switch (value) {
    case MapValue::MeasuredRank:
        return MapWords::tr("Rank (1 is best)");
    case MapValue::MeasuredBest:
        return MapWords::tr("%1 of the best trial").arg(title);
    default:
        return title;
    }
}

/// Fractions of columns and rows become units.
std::vector<GroundLine> linesOf(const MapPlot::Map &map, const AxisScale &x, const AxisScale &y)
{
    std::vector<GroundLine> lines;
    const auto unitAt = [](const AxisScale &axis, double place, std::size_t count) {
        return axis.low + (axis.high - axis.low) * place / static_cast<double>(count - 1);
    };
    for (const AxisTick &tick : map.scale.ticks(map.scale.low, map.scale.high, mostLines)) {
        for (const auto &line : analysis::contourLines(map.columns, map.rows, map.units, tick.unit)) {
            GroundLine ground;
            ground.unit = tick.unit;
            ground.label = tick.text;
            for (const analysis::GridPlace &place : line)
                ground.points.emplace_back(unitAt(x, place.column, map.columns), unitAt(y, place.row, map.rows));
            lines.push_back(std::move(ground));
        }
    }
    return lines;
}

}  // namespace

MapData measuredData(const AnalysisFigure &figure, std::size_t x, std::size_t y, MapValue value,
                     const std::vector<char> &within)
{
    const analysis::TrialValues &values = figure.values;
    const analysis::MeasuredMap measured = analysis::measuredMap(values, x, y, figure.ranks, within);
    const CellAxis across{values.parameters[x], measured.x, scaleOfCells(values.parameters[x], measured.x)};
    const CellAxis up{values.parameters[y], measured.y, scaleOfCells(values.parameters[y], measured.y)};
    MapData data;
    const bool isRank = value == MapValue::MeasuredRank;
    data.map.scale = isRank ? scaleOfRanks(figure) : scaleOfMeans(figure);
    data.map.title = measuredTitle(figure, value);
    data.map.isLowBest = isRank || values.target.goal == sweep::Goal::Minimize;
    for (const analysis::MapCell &cell : measured.cells)
        data.map.cells.push_back(groundCell(figure, cell, across, up, value));

    TrialScatter::Content &content = data.content;
    content.x = across.scale;
    content.y = up.scale;
    content.xTitle = figure.axes[x].title;
    content.yTitle = figure.axes[y].title;
    content.best = figure.bestTrial();
    content.arePointsDrawn = content.areMarksDrawn = measured.x.isDivided || measured.y.isDivided;
    for (const int one : figure.fromWorst) {
        const auto row = static_cast<std::size_t>(one);
        content.points.push_back({across.unitOf(values.parameters[x].values[row]),
                                  up.unitOf(values.parameters[y].values[row]), values.trials[row],
                                  pointKind(figure, row, within),
                                  isRank ? shadeOfRank(figure, row) : figure.shades[row]});
    }
    for (GroundCell &cell : data.map.cells) {
        if (content.arePointsDrawn)
            cell.labels.clear();
    }
    return data;
}

MapData predictedData(const AnalysisFigure &figure, const analysis::ModelSurface &surface, MapValue value,
                      const std::vector<char> &within)
{
    const bool isMean = value == MapValue::PredictedMean;
    MapData data;
    MapPlot::Map &map = data.map;
    map.columns = surface.x.places.size();
    map.rows = surface.y.places.size();
    map.scale = isMean ? scaleOfMeans(figure) : scaleOfDeviations(surface.deviations);
    map.title = isMean ? MapWords::tr("Predicted: %1").arg(figure.target().title) : MapWords::tr("Standard deviation");
    map.isLowBest = isMean && figure.values.target.goal == sweep::Goal::Minimize;
    map.isSmooth = surface.x.parameter.scale != analysis::Scale::Categories
                   && surface.y.parameter.scale != analysis::Scale::Categories;
    for (const double one : isMean ? surface.values : surface.deviations)
        map.units.push_back(std::isnan(one) ? one : map.scale.unitOf(one));
    TrialScatter::Content &content = data.content;
    content.x = scaleOf(surface.x.parameter);
    content.y = scaleOf(surface.y.parameter);
    if (map.isSmooth)
        map.lines = linesOf(map, content.x, content.y);
    content.xTitle = QString::fromStdString(surface.x.parameter.name);
    content.yTitle = QString::fromStdString(surface.y.parameter.name);
    content.best = figure.bestTrial();
    for (const analysis::SurfacePoint &point : surface.points) {
        const int row = figure.rowOf(point.trial);
        if (row < 0 && !point.isPending)
            continue;
        TrialPoint shown{content.x.unitOf(point.x), content.y.unitOf(point.y), point.trial, PointKind::Pending};
        if (row >= 0) {
            shown.kind = pointKind(figure, static_cast<std::size_t>(row), within);
            shown.shade = isMean ? figure.shades[static_cast<std::size_t>(row)] : -1;
        }
        content.points.push_back(shown);
    }
    return data;
}

QString othersText(const analysis::ModelSurface &surface)
{
    QStringList values;
    for (const auto &[name, value] : surface.others)
        values << QString::fromStdString(name) + u' ' + parameterText(value);
    return values.isEmpty()
               ? QString()
               : MapWords::tr("Other parameters as in trial %1: %2").arg(surface.bestTrial).arg(values.join(u", "_s));
}

QStringList firstParameters(const AnalysisFigure &figure, const QStringList &offered)
{
    const auto share = [&figure](const QString &name) {
        const FigureAxis *axis = figure.axis(name);
        return axis ? -figure.importance.shares[static_cast<std::size_t>(axis - figure.axes.data())] : 0.0;
    };
    QStringList names = offered;
    std::ranges::stable_sort(names, {}, share);
    return names.size() < 2 ? QStringList() : names.first(2);
}

}  // namespace sweepscope::ui
