#include "ui/models/axisscale.h"

#include "ui/models/valuetext.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using analysis::Scale;

namespace {

constexpr double beyond = 0.04;    ///< share of the range, so that no value lies at the very end
constexpr double unsetGap = 0.12;  ///< share of the range, below the lowest value
constexpr double alike = 1e-9;     ///< relative to the values: closer ones share a position
constexpr double alikeWhole = 1e-14;
constexpr double largestPlain = 1e200;  ///< QCustomPlot shows values up to 1e250, and differences from 1e-280
constexpr double scaled = 1e-150;

struct AxisWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::AxisScale)
};

/// Returns 1, 2 or 5 times a power of ten, at least `wanted`.
double roundStep(double wanted)
{
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= wanted * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

void addRound(const AxisScale &axis, double from, double to, int most, std::vector<AxisTick> &ticks)
{
    const double low = axis.valueAt(from);
    const double high = axis.valueAt(to);
    // If the limits are too close for distinct numbers, adding a step would not advance.
    // Halves, because the whole range may be infinite.
    const double half = high / 2 - low / 2;
    if (!(half > alikeWhole * std::max(std::abs(low), std::abs(high)) / 2) || !std::isfinite(half))
        return;
    double step = roundStep(half / std::max(1, most) * 2);
    if (axis.isWhole)
        step = std::max(1.0, step);
    const double first = std::ceil(low / step - 1e-9);
    for (int i = 0; i <= most + 1; ++i) {  // counted, so that it ends however numbers round
        const double place = first + i;
        if (place * step > high + std::abs(high) * 1e-12 + step * 1e-9)
            break;
        const double value = std::abs(place * step) < step * 1e-6 ? 0 : place * step;
        if (axis.scale != Scale::Log || value > 0)
            ticks.push_back({axis.unitOf(value), numberText(value)});
    }
}

/// Adds every nth category in the range, in step with the tick of unset parameters.
void addCategories(const AxisScale &axis, double from, double to, int most, std::vector<AxisTick> &ticks)
{
    const auto last = static_cast<double>(axis.categories.size()) - 1;
    const auto begin = static_cast<int>(std::ceil(std::clamp(from, 0.0, last + 1)));
    const auto end = static_cast<int>(std::floor(std::clamp(to, -1.0, last)));
    const int places = end - begin + 1 + static_cast<int>(ticks.size());
    const int every = std::max(1, (places + most - 1) / std::max(1, most));
    const int shift = axis.hasUnset ? 1 : 0;
    for (int i = begin; i <= end; ++i) {
        if ((i + shift) % every == 0)
            ticks.push_back({static_cast<double>(i), axis.categories[i]});
    }
}

void addDecades(double from, double to, int most, std::vector<AxisTick> &ticks)
{
    const double decades = to - from;
    const int skip = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, most))));
    const bool hasRoom = decades * 3 <= most;
    for (int exponent = static_cast<int>(std::floor(from)); exponent <= to; ++exponent) {
        if (exponent % skip != 0)
            continue;
        for (const int factor : {1, 2, 5}) {
            const double unit = exponent + std::log10(factor);
            if (unit >= from - 1e-9 && unit <= to + 1e-9 && (factor == 1 || hasRoom))
                ticks.push_back({unit, numberText(factor * std::pow(10.0, exponent))});
        }
    }
}

/// Widens an axis whose values are equal, or differ only by rounding, by `share` of them on both sides.
void widen(AxisScale &axis, double share)
{
    const bool isLog = axis.scale == Scale::Log;
    const double size = std::max(std::abs(axis.low), std::abs(axis.high));
    // Logarithmic units are relative already.
    const double least = (axis.isWhole ? alikeWhole : alike) * (isLog ? std::max(1.0, size) : size);
    if (axis.high - axis.low > least)
        return;
    const double room = isLog ? 0.5 : std::max(size * share, 1e-12);
    axis.low -= room;
    axis.high += room;
}

}  // namespace

double AxisScale::unitOf(double value) const
{
    if (std::isnan(value))
        return unsetUnit();
    return scale == Scale::Log ? std::log10(value) : value / valuePerUnit;
}

double AxisScale::valueAt(double unit) const
{
    return scale == Scale::Log ? std::pow(10.0, unit) : unit * valuePerUnit;
}

double AxisScale::unsetUnit() const
{
    return low - (scale == Scale::Categories ? 1 : unsetGap * (high - low));
}

double AxisScale::lowest() const
{
    const double margin = scale == Scale::Categories ? 0.5 : beyond * (high - low);
    return (hasUnset ? unsetUnit() : low) - margin;
}

double AxisScale::highest() const
{
    return high + (scale == Scale::Categories ? 0.5 : beyond * (high - low));
}

double AxisScale::positionOfUnit(double unit) const
{
    return (unit - lowest()) / (highest() - lowest());
}

double AxisScale::positionOf(double value) const
{
    return positionOfUnit(unitOf(value));
}

double AxisScale::unitAt(double position) const
{
    return lowest() + position * (highest() - lowest());
}

std::vector<AxisTick> AxisScale::ticks(double from, double to, int most) const
{
    std::vector<AxisTick> ticks;
    if (hasUnset && unsetUnit() >= from && unsetUnit() <= to)
        ticks.push_back({unsetUnit(), unsetText()});
    if (scale == Scale::Categories) {
        addCategories(*this, from, to, most, ticks);
        return ticks;
    }
    // No ticks beyond the data, except for rounding.
    const double slack = 1e-9 * (high - low);
    const double first = std::max(from, low - slack);
    const double last = std::min(to, high + slack);
    if (!(first <= last))
        return ticks;
    if (!marks.empty() && static_cast<int>(marks.size()) <= most && std::ranges::all_of(marks, isShort)) {
        for (const double mark : marks) {
            if (const double unit = unitOf(mark); unit >= first && unit <= last)
                ticks.push_back({unit, numberText(mark)});
        }
        return ticks;
    }
    std::vector<AxisTick> numbers;
    if (scale == Scale::Log)
        addDecades(first, last, most, numbers);
    if (numbers.size() < 2) {
        numbers.clear();
        addRound(*this, first, last, most, numbers);
    }
    ticks.insert(ticks.end(), numbers.begin(), numbers.end());
    return ticks;
}

AxisScale scaleOf(const analysis::Parameter &parameter)
{
    AxisScale axis;
    axis.scale = parameter.scale;
    axis.hasUnset = parameter.isUnsetSomewhere;
    axis.isWhole = parameter.isWhole;
    axis.marks = parameter.marks;
    for (const std::string &category : parameter.categories)
        axis.categories << QString::fromStdString(category);
    axis.low = axis.unitOf(parameter.low);
    axis.high = axis.unitOf(parameter.high);
    if (axis.scale != Scale::Categories)
        widen(axis, 0.5);
    return axis;
}

AxisScale scaleOf(const std::vector<double> &values, bool logarithmic)
{
    AxisScale axis;
    if (values.empty())
        return axis;
    const auto [low, high] = std::ranges::minmax(values);
    axis.scale = logarithmic && low > 0 ? Scale::Log : Scale::Linear;
    if (const double largest = std::max(std::abs(low), std::abs(high)); axis.scale == Scale::Linear)
        axis.valuePerUnit = largest > largestPlain                      ? 1 / scaled
                            : largest > 0 && largest < 1 / largestPlain ? scaled
                                                                        : 1;
    axis.low = axis.unitOf(low);
    axis.high = axis.unitOf(high);
    widen(axis, 0.1);
    return axis;
}

bool isShort(double value)
{
    constexpr int digits = 3;
    const double rounded = QString::number(value, 'g', digits).toDouble();
    return value == std::round(value) || std::abs(value - rounded) <= alike * std::abs(value);
}

QString unsetText()
{
    return AxisWords::tr("not set");
}

}  // namespace sweepscope::ui
