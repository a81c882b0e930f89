#pragma once

#include "base/clock.h"
#include "base/error.h"

#include <chrono>
#include <string>
#include <string_view>

namespace sweepscope::sweep {

/// Asks the ranks of an attempt to record their next steps with a profiler. The engine writes it to
/// AttemptLayout::traceRequest(); the built-in worker and the Python package look for that file.
struct TraceRequest {
    WallNs time = 0;  ///< of the request: tells it from earlier ones
    int steps = 0;
};

/// How often ranks look for a request.
inline constexpr std::chrono::milliseconds traceLookInterval{500};
/// From the request to the first recorded step. By then each rank has seen it, so that all record the same steps, give or take one.
inline constexpr std::chrono::seconds traceDelay{1};

/// Returns {"time": 1700000000000000000, "steps": 10}.
std::string toJson(const TraceRequest &request);
/// Corrupt: not such an object, or steps outside 1 to mostTraceSteps.
Expected<TraceRequest> traceRequestFromJson(std::string_view untrusted);

}  // namespace sweepscope::sweep
