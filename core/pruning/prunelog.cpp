#include "pruning/prunelog.h"

namespace sweepscope::pruning {

LogEntry reachedEntry(int trial, const RungValue &value, const std::optional<Verdict> &verdict)
{
    LogEntry entry;
    entry.trial = trial;
    entry.value = value;
    if (verdict) {
        entry.isDecided = true;
        entry.isPruned = verdict->reason.has_value();
        entry.peers = verdict->peers;
        entry.bound = verdict->bound;
    }
    return entry;
}

void enter(const LogEntry &entry, Pruner &pruner)
{
    switch (entry.event) {
    case LogEntry::Event::Reached:
        (void)pruner.reached(entry.trial, entry.value);
        break;
    case LogEntry::Event::Completed:
        pruner.completed(entry.trial, entry.value.best);
        break;
    case LogEntry::Event::StartedOver:
        pruner.startedOver(entry.trial);
        break;
    case LogEntry::Event::Promoted:
        pruner.promoted(entry.trial, entry.value.rung);
        break;
    }
}

bool isAsLogged(const Verdict &verdict, const LogEntry &entry)
{
    return verdict.reason.has_value() == entry.isPruned && verdict.peers == entry.peers && verdict.bound == entry.bound;
}

}  // namespace sweepscope::pruning
