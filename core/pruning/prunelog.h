#pragma once

#include "pruning/pruner.h"

#include <cstdint>
#include <optional>

namespace sweepscope::pruning {

/// An entry of a sweep's pruning log: what the pruner was told, in its order, and what it decided. The log alone is
/// enough to make every decision again.
struct LogEntry {
    enum class Event {
        Reached,      ///< the trial reached a rung
        Completed,    ///< the trial has completed; `value.best` is its result
        StartedOver,  ///< the trial starts from scratch
        Promoted,     ///< the trial, which was ended at rung `value.rung`, may continue
    };

    Event event = Event::Reached;
    int trial = 0;
    RungValue value;
    int definition = 0;      ///< SweepRecord::definition then
    bool isDecided = false;  ///< a verdict was given here; without one the trial could not be pruned at all
    bool isPruned = false;
    int peers = 0;
    std::optional<double> bound;
};

/// The log's entry for a trial that reached `value`; `verdict`: if one was given.
LogEntry reachedEntry(int trial, const RungValue &value, const std::optional<Verdict> &verdict);

/// Tells the pruner what it was told then.
void enter(const LogEntry &entry, Pruner &pruner);

/// Returns whether the verdict equals that of the entry.
bool isAsLogged(const Verdict &verdict, const LogEntry &entry);

}  // namespace sweepscope::pruning
