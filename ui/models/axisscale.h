#pragma once

#include "analysis/trialvalues.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace sweepscope::ui {

struct AxisTick {
    double unit = 0;
    QString text;
};

/// The scale of an axis, independent of its direction. Units are linear along the axis: the value (scaled if plots could
/// not show values as large or small), its decimal logarithm, or the index of a category. Unset parameters lie below all values, at a separate tick.
struct AxisScale {
    analysis::Scale scale = analysis::Scale::Linear;
    double low = 0;  ///< in units; less than high
    double high = 1;
    double valuePerUnit = 1;  ///< of a linear axis
    bool hasUnset = false;
    bool isWhole = false;  ///< integers only
    QStringList categories;
    std::vector<double> marks;  ///< values that get ticks if there is room and each isShort()

    double unitOf(double value) const;  ///< unsetUnit() for NaN, which means unset
    double valueAt(double unit) const;  ///< not for categories
    double unsetUnit() const;
    /// Returns 0 to 1 over the whole axis, including the tick of unset parameters and a margin at both ends.
    double positionOf(double value) const;
    double positionOfUnit(double unit) const;
    double unitAt(double position) const;
    double lowest() const;  ///< unit at position 0
    double highest() const;

    /// Returns at most `most` ticks between two units, as evenly spaced as possible.
    std::vector<AxisTick> ticks(double from, double to, int most) const;

    bool operator==(const AxisScale &) const = default;
};

AxisScale scaleOf(const analysis::Parameter &parameter);
/// Logarithmic only if all values are positive.
AxisScale scaleOf(const std::vector<double> &values, bool logarithmic);

/// Whether a value is an integer, or has at most three significant digits. A label with more digits is hard to read.
bool isShort(double value);

/// The label of the tick for trials without the parameter.
QString unsetText();

}  // namespace sweepscope::ui
