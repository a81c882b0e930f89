#pragma once

#include "base/error.h"
#include "output/metricssection.h"

#include <filesystem>
#include <string>
#include <string_view>

/// A request to the agent of an attempt to read the output of its ranks from now on, from the beginning: the file
/// `read-output` in its folder. Ranks that report themselves are not affected.
namespace sweepscope::launch {

inline constexpr const char *outputRequestFile = "read-output";

struct OutputRequest {
    output::MetricsSection metrics;
    /// Only if the ranks have reported nothing for a while, or until their end: the ring of a rank has one writer, and a
    /// script may still begin to report.
    bool ifSilent = false;
};

/// Returns {"format": "auto", "every_rank": false, "step": "", "series": {}, "if_silent": false}.
std::string toJson(const OutputRequest &request);
Expected<OutputRequest> outputRequestFromJson(std::string_view untrusted);

}  // namespace sweepscope::launch
