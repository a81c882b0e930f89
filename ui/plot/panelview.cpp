#include "ui/plot/panelview.h"

#include "ui/plot/plotframe.h"
#include "ui/plot/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

constexpr std::size_t finePoints = 12'000;

/// Adds space above, and below unless the range begins at zero.
ValueRange padded(PanelKind kind, const QString &unit, const ValueRange &values, bool logarithmic)
{
    const auto [low, high] = values;
    if (kind == PanelKind::Strip) {
        const double top = high > 0 ? high * 1.1 : 1;
        return {0, unit == QLatin1String("%") ? std::max(103.0, top) : top};
    }
    if (logarithmic) {
        const double pad = std::max(1.05, std::pow(high / low, 0.06));
        return {low / pad, high * pad};
    }
    constexpr double least = 1e-250;  // axes can show no smaller differences than 1e-280
    const double pad = high > low ? std::max((high - low) * 0.06, least) : std::max(std::abs(high) * 0.1, 1e-12);
    return {low >= 0 && low < pad * 2 ? -pad * 0.2 : low - pad, high + pad};
}

constexpr std::size_t fewCurves = 20;

/// More values would hardly change the quartiles.
constexpr std::size_t mostValues = 100'000;

/// Returns min and max of columns between `from` and `to`, so that a spike within a column counts once.
std::vector<double> visibleValues(const std::vector<const std::vector<series::Column> *> &curves, double from,
                                  double to, bool positive)
{
    std::vector<double> values;
    std::size_t count = 0;
    for (const std::vector<series::Column> *columns : curves)
        count += columns->size();
    const std::size_t stride = 1 + count / mostValues;
    for (const std::vector<series::Column> *columns : curves) {
        // Not the first one of each: curves begin far from where they end.
        for (std::size_t i = columns->size() > stride ? stride / 2 : 0; i < columns->size(); i += stride) {
            const series::Column &column = (*columns)[i];
            if (column.x < from || column.x > to)
                continue;
            for (const double value : {column.min, column.max}) {
                if (isShown(value, positive))
                    values.push_back(value);
            }
        }
    }
    return values;
}

/// Returns `all` without the values that are orders of magnitude beyond the fences.
ValueRange withinReach(const ValueRange &all, const std::vector<double> &values, const ValueRange &fences,
                       bool logarithmic)
{
    constexpr double factor = 30;
    const double largest = std::max(std::abs(fences.first), std::abs(fences.second));
    const ValueRange reach = logarithmic ? ValueRange(fences.first / factor, fences.second * factor)
                                         : ValueRange(-largest * factor, largest * factor);
    ValueRange near = all;
    if (all.first < reach.first || all.second > reach.second) {
        near = fences;
        for (const double value : values) {
            if (value >= reach.first && value <= reach.second)
                near = {std::min(near.first, value), std::max(near.second, value)};
        }
    }
    return {std::max(all.first, near.first), std::min(all.second, near.second)};
}

/// Returns Tukey's fences of the values, on a logarithmic axis those of the logarithms. nullopt if most values are equal,
/// because then the others matter.
std::optional<ValueRange> fencesOf(std::vector<double> values, bool logarithmic)
{
    constexpr std::size_t fewest = 8;
    constexpr double fence = 1.5;
    if (values.size() < fewest)
        return std::nullopt;
    const double lower = quantile(values, 0.25);
    const double upper = quantile(values, 0.75);
    if (lower >= upper)
        return std::nullopt;
    const double ratio = std::pow(upper / lower, fence);
    const double distance = fence * (upper - lower);
    return ValueRange(logarithmic ? lower / ratio : lower - distance, logarithmic ? upper * ratio : upper + distance);
}

ValueRange within(const ValueRange &range, const ValueRange &limits)
{
    return {std::max(range.first, limits.first), std::min(range.second, limits.second)};
}

/// Whether the last visible value is outside, as that of a trial that diverges.
bool endsOutside(const PlotCurve &curve, const ValueRange &x, const ValueRange &fences)
{
    for (auto column = curve.columns.rbegin(); column != curve.columns.rend(); ++column) {
        if (column->x >= x.first && column->x <= x.second && std::isfinite(column->last))
            return column->last < fences.first || column->last > fences.second;
    }
    return false;
}

/// A curve lies within its band, so the band is enough.
std::vector<const std::vector<series::Column> *> widestOf(PanelKind kind, const PlotPanel &panel,
                                                          const QSet<QString> &hidden)
{
    std::vector<const std::vector<series::Column> *> columns;
    for (const PlotCurve &curve : panel.curves) {
        if (!isShown(kind, panel, curve, hidden))
            continue;
        const std::vector<series::Column> *band = bandOf(panel, curve);
        columns.push_back(band ? band : &curve.columns);
    }
    return columns;
}

/// Of many curves, the values within the fences. With few curves each one matters, and a usual start is far from the
/// end: then only a curve that ends outside, next to one that does not, is limited to the fences.
ValueRange withoutOutliers(const PlotPanel &panel, const QSet<QString> &hidden, const ValueRange &x,
                           const ValueRange &all, bool logarithmic)
{
    const auto curves = widestOf(PanelKind::Curves, panel, hidden);
    const std::vector<double> values = visibleValues(curves, x.first, x.second, logarithmic);
    const std::optional<ValueRange> fences = fencesOf(values, logarithmic);
    if (!fences)
        return all;
    if (curves.size() > fewCurves)
        return within(all, *fences);
    std::optional<ValueRange> usual;
    for (const PlotCurve &curve : panel.curves) {
        if (!isShown(PanelKind::Curves, panel, curve, hidden) || endsOutside(curve, x, *fences))
            continue;
        const ValueRange range = curveRange(curve, bandOf(panel, curve), x.first, x.second, logarithmic);
        usual = usual ? ValueRange(std::min(usual->first, range.first), std::max(usual->second, range.second)) : range;
    }
    const ValueRange limits =
        usual ? ValueRange(std::min(usual->first, fences->first), std::max(usual->second, fences->second)) : all;
    return withinReach(within(all, limits), values, *fences, logarithmic);
}

}  // namespace

QString hidingKey(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve)
{
    // A rank stays hidden when the user selects another series.
    return (kind == PanelKind::Curves ? QStringLiteral("curves") : panel.id) + QLatin1Char('/') + curve.name;
}

bool isShown(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve, const QSet<QString> &hidden)
{
    return curve.drawn && (hidden.isEmpty() || !hidden.contains(hidingKey(kind, panel, curve)));
}

bool isDense(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden)
{
    if (panel.curves.size() > mostCurveItems)
        return true;
    std::size_t points = 0;
    for (const PlotCurve &curve : panel.curves) {
        if (isShown(kind, panel, curve, hidden) && curve.stack.empty())
            points += (curve.columns.size() + curve.raw.size()) * 3;
    }
    return points >= finePoints;
}

const std::vector<series::Column> *bandOf(const PlotPanel &panel, const PlotCurve &curve)
{
    if (!curve.stack.empty())
        return &curve.stack;
    if (!curve.band.empty())
        return &curve.band;
    return curve.name.isEmpty() && !panel.band.empty() ? &panel.band : nullptr;
}

ValueRange curveRange(const PlotCurve &curve, const std::vector<series::Column> *band, double from, double to,
                      bool positive)
{
    ValueRange all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    const auto take = [&all](const ValueRange &range) {
        all = {std::min(all.first, range.first), std::max(all.second, range.second)};
    };
    const std::optional<CurveExtent> &known = curve.extent;
    if (known && known->from == from && known->to == to) {
        take(positive ? known->positive : known->all);
    } else {
        take(valueRange(curve.columns, from, to, positive));
        take(valueRange(curve.raw, from, to, positive));
    }
    if (band)
        take(valueRange(*band, from, to, positive));
    return all;
}

ValueRange shownRange(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, double from, double to,
                      bool positive)
{
    ValueRange all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const PlotCurve &curve : panel.curves) {
        if (!isShown(kind, panel, curve, hidden))
            continue;
        const ValueRange range = curveRange(curve, bandOf(panel, curve), from, to, positive);
        all = {std::min(all.first, range.first), std::max(all.second, range.second)};
    }
    return all;
}

int curvesOutside(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, const ValueRange &x,
                  const ValueRange &y, bool positive)
{
    return static_cast<int>(std::ranges::count_if(panel.curves, [&](const PlotCurve &curve) {
        if (!isShown(kind, panel, curve, hidden))
            return false;
        const ValueRange range = curveRange(curve, bandOf(panel, curve), x.first, x.second, positive);
        return range.first <= range.second && (range.first > y.second || range.second < y.first);
    }));
}

std::optional<ValueRange> fittedRange(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, double from,
                                      double to, const YFit &fit)
{
    ValueRange all = shownRange(kind, panel, hidden, from, to, fit.logarithmic);
    if (all.first <= all.second) {
        if (fit.ignoresOutliers && kind == PanelKind::Curves)
            all = withoutOutliers(panel, hidden, {from, to}, all, fit.logarithmic);
        return padded(kind, panel.unit, all, fit.logarithmic);
    }
    if (kind == PanelKind::Strip)
        return ValueRange(0, panel.unit == QLatin1String("%") ? 103 : 1);
    return std::nullopt;
}

}  // namespace sweepscope::ui
