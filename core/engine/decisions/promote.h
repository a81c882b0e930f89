#pragma once

#include "engine/decisions/decision.h"
#include "pruning/prunelog.h"

#include <vector>

namespace sweepscope::engine {

/// Trials that continue, and the log's entry for each.
struct Promotion {
    Decision decision;
    std::vector<pruning::LogEntry> entries;
};

/// Queues again each trial that halving ended at a rung and that would continue if it reached this rung now, because
/// trials that came there later were worse (Li et al. 2020, "A System for Massively Parallel Hyperparameter Tuning").
/// Only if the sweep asks for it, once the trial's attempt has ended, and once for each rung: a trial that starts from
/// scratch instead may be worse there the next time. In a paused sweep, too: it would otherwise end with its last trial.
Promotion promoteTrials(const SweepView &view, const pruning::Pruner &pruner);

}  // namespace sweepscope::engine
