#include "ui/live/panelview.h"

#include "ui/live/plotframe.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {

namespace {

constexpr std::size_t finePoints = 12'000;

/// With room above, and below where it does not begin at zero.
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
    const double pad = high > low ? (high - low) * 0.06 : std::max(std::abs(high) * 0.1, 1e-12);
    return {low >= 0 && low < pad * 2 ? -pad * 0.2 : low - pad, high + pad};
}

}  // namespace

QString hidingKey(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve)
{
    // A rank stays hidden when the person looks at another series.
    return (kind == PanelKind::Curves ? QStringLiteral("curves") : panel.id) + QLatin1Char('/') + curve.name;
}

bool isShown(PanelKind kind, const PlotPanel &panel, const PlotCurve &curve, const QSet<QString> &hidden)
{
    return curve.drawn && !hidden.contains(hidingKey(kind, panel, curve));
}

bool isDense(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden)
{
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

std::optional<ValueRange> fittedRange(PanelKind kind, const PlotPanel &panel, const QSet<QString> &hidden, double from,
                                      double to, bool logarithmic)
{
    ValueRange all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const PlotCurve &curve : panel.curves) {
        if (!isShown(kind, panel, curve, hidden))
            continue;
        const ValueRange range = curveRange(curve, bandOf(panel, curve), from, to, logarithmic);
        all = {std::min(all.first, range.first), std::max(all.second, range.second)};
    }
    if (all.first <= all.second)
        return padded(kind, panel.unit, all, logarithmic);
    if (kind == PanelKind::Strip)
        return ValueRange(0, panel.unit == QLatin1String("%") ? 103 : 1);
    return std::nullopt;
}

}  // namespace sweepscope::ui
