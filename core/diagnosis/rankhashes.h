#pragma once

#include "series/series.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// Hashes that replicas report of what must be equal.
namespace sweepscope::diagnosis {

/// By step; the last one of a step that was repeated.
std::map<std::int64_t, double> hashesOf(const series::Series &series);

/// The ranks whose hash is not the most frequent one; on a tie, not the first rank's. `hashes`: rank and hash.
std::vector<int> outsiders(const std::vector<std::pair<int, double>> &hashes);

}  // namespace sweepscope::diagnosis
