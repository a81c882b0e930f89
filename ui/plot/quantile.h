#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

namespace sweepscope::ui {

/// Returns the value below which a `share` of the values lies, linear between two of them. Changes the order of the values, of which
/// there must be at least one.
inline double quantile(std::vector<double> &values, double share)
{
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = values.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(values.begin(), below, values.end());
    const double rest = place - std::floor(place);
    return rest > 0 ? std::lerp(*below, *std::min_element(std::next(below), values.end()), rest) : *below;
}

}  // namespace sweepscope::ui
