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
/// Minimum number of rows under load for a verdict about a GPU.
inline constexpr std::size_t leastLoadedRows = 10;

/// The rows in which the GPU is loaded and has `value`.
std::vector<const GpuRow *> loadedRows(const GpuEvidence &gpu, std::optional<double> GpuRow::*value);
/// Returns the median of the values; rows without a value are skipped.
double medianOf(const std::vector<const GpuRow *> &rows, std::optional<double> GpuRow::*value);

/// With rank, device, window and whether it is simulated.
Finding findingOn(const GpuEvidence &gpu, const GpuRow &first, const GpuRow &last);

}  // namespace sweepscope::diagnosis
