#pragma once

#include "sweep/sweepspec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sweepscope::sweep {

/// The values of one dimension, made one by one: a range of 10^15 integers costs nothing until it is walked.
///
/// Values computed from a float range are rounded to 12 significant digits. A learning rate of
/// 0.30000000000000004 is never meant; and the last bits of pow() and log() differ between C libraries, but the list of
/// trials must not.
class DimensionValues {
public:
    /// The dimension must have passed checkDimension() and outlive this.
    explicit DimensionValues(const Dimension &dimension);

    DimensionKind kind() const { return m_dimension->kind; }
    /// Grid values. 0 for a float range without points: it has no grid.
    std::uint64_t size() const { return m_size; }
    ParameterValue at(std::uint64_t index) const;
    /// Unless it is continuous: which of its values this is; nullopt if none.
    std::optional<std::uint64_t> indexOf(const ParameterValue &value) const;
    /// Unless it is continuous: the value at `unit` in [0, 1), where all have the same share (of the logarithm for
    /// LogInteger).
    std::uint64_t indexAt(double unit) const;
    /// Whether the parameter can have this value: any number of a float range, whatever its points.
    bool contains(const ParameterValue &value) const;

    /// Random search draws float ranges from the whole range, everything else from the grid values.
    bool isContinuous() const { return sweep::isContinuous(m_dimension->kind); }
    /// `unit` in [0, 1] -> a value of the float range: evenly (in the logarithm for Log), or the quantile.
    double sample(double unit) const;
    /// The inverse: where in [0, 1] a number of the float range is.
    double unitOf(double number) const;
    /// The value of the float range nearest to `number`.
    double nearest(double number) const;

private:
    const Dimension *m_dimension;
    std::uint64_t m_size = 0;
};

/// Sets mean, deviation and the range that they give: four deviations to both sides, which leaves out 1 of 16,000 draws.
void setNormal(Dimension &dimension, double mean, double deviation);

/// What is wrong with the values of one dimension; empty = fine. `grid`: its points are needed.
std::string checkDimension(const Dimension &dimension, bool grid);

}  // namespace sweepscope::sweep
