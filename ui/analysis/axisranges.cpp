#include "ui/analysis/axisranges.h"

#include "ui/models/trialfilter.h"
#include "ui/models/valuetext.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int exactDigits = 17;
constexpr QLatin1StringView axisKey("axis ");  ///< before the name, which is empty for the target

bool isWithin(const std::pair<double, double> &range, double position)
{
    return position >= range.first && position <= range.second;
}

/// Returns the shortest number near `wanted` in (beyond, last] or, if `beyond` is larger, in [last, beyond).
QString shortNumber(double wanted, double beyond, double last)
{
    const auto fits = [&](double number) {
        return beyond < last ? number > beyond && number <= last : number < beyond && number >= last;
    };
    for (int digits = 1; digits < exactDigits; ++digits) {
        const QString text = QString::number(wanted, 'g', digits);
        if (fits(text.toDouble()))
            return exactText(text.toDouble());  // 300, not 3e+02
    }
    return exactText(last);
}

/// The extreme values within a range on an axis, and their neighbours outside, which may be infinite.
struct Extent {
    double first = infinity;
    double last = -infinity;
    double below = -infinity;
    double above = infinity;
    bool hasBelow = false;
    bool hasAbove = false;
    bool hasAny() const { return first <= last; }
};

Extent extentOf(const FigureAxis &axis, const std::vector<double> &values, const std::pair<double, double> &range)
{
    Extent extent;
    for (std::size_t row = 0; row < values.size(); ++row) {
        const double value = values[row];
        if (std::isnan(value))
            continue;
        const double position = axis.positions[row];
        if (isWithin(range, position)) {
            extent.first = std::min(extent.first, value);
            extent.last = std::max(extent.last, value);
        } else if (position < range.first) {
            extent.below = std::max(extent.below, value);
            extent.hasBelow = true;
        } else {
            extent.hasAbove = true;
            extent.above = std::min(extent.above, value);
        }
    }
    return extent;
}

QString numbersText(const QString &name, const FigureAxis &axis, const Extent &extent,
                    const std::pair<double, double> &range)
{
    const auto valueAt = [&axis](double position) { return axis.scale.valueAt(axis.scale.unitAt(position)); };
    const QString low = extent.hasBelow ? shortNumber(valueAt(range.first), extent.below, extent.first) : QString();
    const QString high = extent.hasAbove ? shortNumber(valueAt(range.second), extent.above, extent.last) : QString();
    if (extent.first == extent.last && (extent.hasBelow || extent.hasAbove) && !axis.id.isEmpty())
        return u"%1 = %2"_s.arg(name, exactText(extent.first));
    if (extent.hasBelow && extent.hasAbove)
        return u"%1 = %2..%3"_s.arg(name, low, high);
    return extent.hasBelow   ? u"%1 >= %2"_s.arg(name, low)
           : extent.hasAbove ? u"%1 <= %2"_s.arg(name, high)
                             : u"%1 != %2"_s.arg(name, TrialFilter::unsetWord());
}

QString joined(const QStringList &parts)
{
    const QString all = parts.join(u" or "_s);
    return parts.size() > 1 ? u'(' + all + u')' : all;
}

/// Returns the filter's name for a built-in column, which a parameter of the same name would hide.
QString columnName(const analysis::TrialValues &values, const QString &word)
{
    const bool isTaken = std::ranges::find(values.parameterNames, word.toStdString()) != values.parameterNames.end();
    return isTaken ? u"trial."_s + word : word;
}

QString targetName(const analysis::TrialValues &values)
{
    using Kind = analysis::Target::Kind;
    const analysis::Target &target = values.target;
    const QString metric = QString::fromStdString(target.metric);
    switch (target.kind) {
    case Kind::ObjectiveBest:
        return columnName(values, u"best"_s);
    case Kind::ObjectiveLast:
        return columnName(values, u"last"_s);
    case Kind::MetricLast:
        return TrialFilter::quoted(u"metric."_s + metric);
    case Kind::MetricLowest:
        return TrialFilter::quoted(u"min."_s + metric);
    case Kind::MetricHighest:
        return TrialFilter::quoted(u"max."_s + metric);
    }
    return {};
}

/// Whether = would match another category as well: one that differs in case, or the same number written differently.
bool matchesAnother(const QStringList &categories, const QString &category)
{
    bool isNumber = false;
    const double number = category.toDouble(&isNumber);
    if (isNumber && !std::isfinite(number))
        return true;  // nan = nan is false
    const auto isSame = [&](const QString &other) {
        bool isOtherNumber = false;
        const double otherNumber = other.toDouble(&isOtherNumber);
        return other.compare(category, Qt::CaseInsensitive) == 0
               || (isNumber && isOtherNumber && number == otherNumber);
    };
    return std::ranges::count_if(categories, isSame) > 1;
}

QString categoryText(const QString &name, const QStringList &categories, const QString &category)
{
    return matchesAnother(categories, category) ? u"%1 == %2"_s.arg(name, TrialFilter::quotedAlways(category))
                                                : u"%1 = %2"_s.arg(name, TrialFilter::quoted(category));
}

bool hasState(const AnalysisFigure &figure, sweep::TrialState state)
{
    return std::ranges::find(figure.values.states, state) != figure.values.states.end();
}

/// Whether trials without a finite value have the states of the figure's: the table has all stopped ones.
bool matchesWithoutValue(const AnalysisFigure &figure)
{
    return figure.values.without > 0 || (figure.values.others > 0 && hasState(figure, sweep::TrialState::Stopped));
}

QString conditionOf(const AnalysisFigure &figure, std::size_t index, const std::pair<double, double> &range)
{
    const FigureAxis &axis = figure.axes[index];
    const bool isTarget = axis.id.isEmpty();
    const QString name = isTarget ? targetName(figure.values) : TrialFilter::parameterName(axis.id);
    const std::vector<double> &values = isTarget ? figure.values.values : figure.values.parameters[index].values;
    const bool includesUnset =
        axis.scale.hasUnset && isWithin(range, static_cast<float>(axis.scale.positionOfUnit(axis.scale.unsetUnit())));
    QStringList parts;
    if (axis.scale.scale == analysis::Scale::Categories) {
        for (int i = 0; i < axis.scale.categories.size(); ++i) {
            if (isWithin(range, static_cast<float>(axis.scale.positionOf(i))))
                parts << categoryText(name, axis.scale.categories, axis.scale.categories[i]);
        }
    } else if (Extent extent = extentOf(axis, values, range); extent.hasAny()) {
        // Beyond either end there may be trials with an infinite value, which no axis shows.
        extent.hasBelow = extent.hasBelow || (isTarget && matchesWithoutValue(figure));
        extent.hasAbove = extent.hasAbove || (isTarget && matchesWithoutValue(figure));
        parts << numbersText(name, axis, extent, range);
    }
    if (includesUnset)
        parts << u"%1 = %2"_s.arg(name, TrialFilter::unsetWord());
    if (parts.isEmpty())  // the range lies between two values
        parts << u"%1 > %2 and %1 < %2"_s.arg(
            name, QString::number(axis.scale.valueAt(axis.scale.unitAt(range.first)), 'g', 5));
    return joined(parts);
}

/// Unfinished and failed trials, and those without a value, are in the table but not in the figure.
QStringList conditionsForFigure(const AnalysisFigure &figure, const AxisRanges &ranges)
{
    using sweep::TrialState;
    QStringList conditions;
    if (figure.values.others > 0) {
        const QString state = columnName(figure.values, u"state"_s);
        QStringList states{u"%1 = completed"_s.arg(state)};
        if (hasState(figure, TrialState::Pruned))
            states << u"%1 = pruned"_s.arg(state);
        if (hasState(figure, TrialState::Stopped))
            states << u"%1 = stopped"_s.arg(state);
        conditions << joined(states);
    }
    if (matchesWithoutValue(figure) && !ranges.contains(QString())) {
        const QString name = targetName(figure.values);
        conditions << u"%1 > -inf and %1 < inf"_s.arg(name);
    }
    return conditions;
}

/// By units, or by values if the axis changed between linear and logarithmic; an unset parameter has no value.
bool canCarry(const AxisScale &from, const AxisScale &to)
{
    using analysis::Scale;
    return from.scale == to.scale
           || (from.scale != Scale::Categories && to.scale != Scale::Categories && !from.hasUnset && !to.hasUnset);
}

}  // namespace

std::vector<char> rowsWithin(const AnalysisFigure &figure, const AxisRanges &ranges)
{
    std::vector<char> within(figure.values.size(), 1);
    for (const auto &[id, range] : ranges) {
        const FigureAxis *axis = figure.axis(id);
        for (std::size_t row = 0; axis && row < within.size(); ++row)
            within[row] = within[row] && isWithin(range, axis->positions[row]) ? 1 : 0;
    }
    return within;
}

AxisRanges carriedOver(const AxisRanges &ranges, const AnalysisFigure &from, const AnalysisFigure &to)
{
    AxisRanges carried;
    for (const auto &[id, range] : ranges) {
        const FigureAxis *before = from.axis(id);
        const FigureAxis *after = to.axis(id);
        if (!before || !after || !canCarry(before->scale, after->scale))
            continue;
        const auto moved = [&](double position) {
            // A range that ends at the axis' end keeps doing so.
            if (position <= 0 || position >= 1)
                return std::clamp(position, 0.0, 1.0);
            const double unit = before->scale.unitAt(position);
            if (before->scale.scale == after->scale.scale)
                return std::clamp(after->scale.positionOfUnit(unit), 0.0, 1.0);
            const double value = before->scale.valueAt(unit);
            // A logarithmic axis has nothing below 0.
            const bool isBelow = after->scale.scale == analysis::Scale::Log && value <= 0;
            return isBelow ? 0.0 : std::clamp(after->scale.positionOf(value), 0.0, 1.0);
        };
        carried[id] = before->scale == after->scale ? range : std::pair(moved(range.first), moved(range.second));
    }
    return carried;
}

QVariantMap storedRanges(const AnalysisFigure &figure, const AxisRanges &ranges)
{
    QVariantMap stored;
    for (const auto &[id, range] : ranges) {
        if (const FigureAxis *axis = figure.axis(id))
            stored[axisKey + id] =
                QVariantList{static_cast<int>(axis->scale.scale), range.first <= 0, range.second >= 1,
                             axis->scale.unitAt(range.first), axis->scale.unitAt(range.second)};
    }
    return stored;
}

AxisRanges restoredRanges(const AnalysisFigure &figure, const QVariantMap &stored)
{
    AxisRanges ranges;
    for (const FigureAxis &axis : figure.axes) {
        const QVariantList range = stored.value(axisKey + axis.id).toList();
        if (range.size() != 5 || range[0].toInt() != static_cast<int>(axis.scale.scale))
            continue;
        // A range that ends at the axis' end keeps doing so.
        const auto position = [&](qsizetype place) {
            return std::clamp(axis.scale.positionOfUnit(range[place].toDouble()), 0.0, 1.0);
        };
        ranges[axis.id] = {range[1].toBool() ? 0 : position(3), range[2].toBool() ? 1 : position(4)};
    }
    return ranges;
}

QString filterText(const AnalysisFigure &figure, const AxisRanges &ranges)
{
    QStringList conditions;
    for (std::size_t i = 0; i < figure.axes.size(); ++i) {
        if (const auto range = ranges.find(figure.axes[i].id); range != ranges.end())
            conditions << conditionOf(figure, i, range->second);
    }
    return (conditions + conditionsForFigure(figure, ranges)).join(u" and "_s);
}

}  // namespace sweepscope::ui
