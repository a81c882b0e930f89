#pragma once

#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::importing {

/// Values that another program lists for a parameter, as a list or choice of a sweep file.
struct ListedValues {
    sweep::DimensionKind kind = sweep::DimensionKind::List;
    std::vector<sweep::ParameterValue> values;
    std::string note;  ///< what is not exact; empty: nothing
};

/// Numbers become a list, strings or booleans a choice. Values of several types become strings, and duplicates are removed.
ListedValues listedValues(const std::vector<sweep::ParameterValue> &values);

/// The values that trials have of one parameter: as listedValues(), or a range if there are more than 50 numbers.
sweep::Dimension dimensionOfValues(const std::string &name, const std::vector<sweep::ParameterValue> &values);

}  // namespace sweepscope::importing
