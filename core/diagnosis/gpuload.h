#pragma once

#include "diagnosis/evidence.h"
#include "diagnosis/finding.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::diagnosis {

/// Utilisation from which a GPU counts as loaded: low clocks and a slow link are normal on an idle one.
inline constexpr double loadedPercent = 50;
/// From fewer rows under load nothing is concluded about a GPU.
inline constexpr std::size_t leastLoadedRows = 10;

/// The rows in which the GPU is loaded and has `value`.
std::vector<const GpuRow *> loadedRows(const GpuEvidence &gpu, std::optional<double> GpuRow::*value);
/// The medians of what they have; rows without a value are left out.
double medianOf(const std::vector<const GpuRow *> &rows, std::optional<double> GpuRow::*value);

/// With rank, device, window and whether it is simulated.
Finding findingOn(const GpuEvidence &gpu, const GpuRow &first, const GpuRow &last);

}  // namespace sweepscope::diagnosis
