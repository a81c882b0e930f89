#pragma once

#include <chrono>

namespace sweepscope::train {

/// From now on SIGTERM does not end the process but is remembered: the step under way is finished first. A second one
/// ends it at once. Before, while data is read and ranks look for each other, the first one does, as by default.
void watchForTermination();
bool terminationRequested();
/// 0 without a request.
std::chrono::milliseconds sinceTermination();

}  // namespace sweepscope::train
