#pragma once

#include <limits>
#include <span>

namespace sweepscope::search {

/// A rising transformation after which finite values have mean 0, deviation 1, and a distribution as close to a normal one
/// as a power makes it (Yeo, Johnson 2000, with the power of the largest likelihood): a loss that explodes at some points
/// does not hide the differences between the others. Values far beyond the best half count as somewhat less far.
class OutputWarp {
public:
    /// `values` are finite; smaller ones are better.
    explicit OutputWarp(std::span<const double> values);

    double apply(double value) const;
    /// The value that apply() turns into `warped`, or one of them. Extrapolates linearly beyond the best and the worst
    /// value, where the power cannot be learned and a high one would give absurd numbers.
    double invert(double warped) const;

    /// The same, with everything that apply() returns larger by `level`.
    OutputWarp raisedBy(double level) const;

private:
    double scaled(double value) const;

    double m_middle = 0;  ///< becomes 0 before the power: the median, if it is not the best value
    double m_unit = 1;    ///< from there to the best value
    double m_power = 1;
    double m_largest = std::numeric_limits<double>::infinity();  ///< the worst value, in units
    double m_mean = 0;
    double m_deviation = 1;
};

}  // namespace sweepscope::search
