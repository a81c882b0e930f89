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

/// How values lie on an axis, whichever way it runs. Units are what is even along it: the value, its decimal logarithm, or
/// the number of a category. What trials do not have lies below all values, at a tick of its own.
struct AxisScale {
    analysis::Scale scale = analysis::Scale::Linear;
    double low = 0;  ///< units; below high
    double high = 1;
    bool hasUnset = false;
    bool isWhole = false;  ///< numbers without fractions
    QStringList categories;
    std::vector<double> marks;  ///< values that ticks are wanted at

    double unitOf(double value) const;  ///< NaN, not set: unsetUnit()
    double valueAt(double unit) const;  ///< not of categories
    double unsetUnit() const;
    /// From 0 to 1 over all of the axis, the tick of what is not set with it, and a little beyond the last values.
    double positionOf(double value) const;
    double positionOfUnit(double unit) const;
    double unitAt(double position) const;
    double lowest() const;  ///< unit at position 0
    double highest() const;

    /// At most so many, evenly apart as far as can be, in the range of units.
    std::vector<AxisTick> ticks(double from, double to, int most) const;

    bool operator==(const AxisScale &) const = default;
};

AxisScale scaleOf(const analysis::Parameter &parameter);
/// Logarithmic only where every value allows it.
AxisScale scaleOf(const std::vector<double> &values, bool logarithmic);

/// What stands at the tick of trials that do not have the parameter.
QString unsetText();

}  // namespace sweepscope::ui
