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
    /// What the files do not say, as sentences.
    std::vector<std::string> notRecovered;
};

/// Makes the database of a workspace again from the files of its sweeps: sweep.toml, and of each attempt params.json,
/// launch.json, events.jsonl and rank 0's feed. A damaged database is kept under another name. AlreadyExists: there is
/// a healthy one, or an engine runs.
///
/// A sweep whose trials have all ended has ended. One with an attempt that has not said how it ended runs, and an engine
/// takes it over; one with other open trials is paused.
Expected<RescueReport> rescueDatabase(const WorkspaceLayout &workspace);

}  // namespace sweepscope::engine
