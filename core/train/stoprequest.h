#pragma once

namespace sweepscope::train {

/// From now on SIGTERM does not end the process but is remembered: the step under way is finished first. Before, while
/// data is read and ranks look for each other, SIGTERM ends the process at once, as it does by default.
void watchForTermination();
bool terminationRequested();

}  // namespace sweepscope::train
