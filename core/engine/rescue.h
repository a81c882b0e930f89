#pragma once

#include "base/error.h"
#include "base/workspacelayout.h"

#include <string>
#include <vector>

namespace sweepscope::engine {

struct RescueReport {
    int sweeps = 0;
    int trials = 0;
    int attempts = 0;
    /// What the files do not contain, as sentences.
    std::vector<std::string> notRecovered;
};

/// Rebuilds the database of a workspace from the files of its sweeps: sweep.toml, and for each attempt params.json,
/// launch.json, events.jsonl and rank 0's feed. A damaged database is kept under another name. AlreadyExists: there is
/// a healthy one, or an engine runs.
///
/// A sweep whose trials have all ended has ended. A sweep with an attempt that has not reported its end is running, and
/// an engine takes it over; one with other open trials is paused.
Expected<RescueReport> rescueDatabase(const WorkspaceLayout &workspace);

}  // namespace sweepscope::engine
