#pragma once

#include "base/error.h"
#include "output/metricssection.h"

#include <filesystem>
#include <string>
#include <string_view>

/// A request to the agent of a running attempt to read the output of its ranks from now on, from the beginning: the file
/// `read-output` in its folder. Ranks that report themselves are not affected.
namespace sweepscope::launch {

inline constexpr const char *outputRequestFile = "read-output";

/// Returns {"format": "auto", "every_rank": false, "step": "", "series": {}}.
std::string toJson(const output::MetricsSection &metrics);
Expected<output::MetricsSection> outputRequestFromJson(std::string_view untrusted);

}  // namespace sweepscope::launch
