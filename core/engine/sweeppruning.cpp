#include "engine/storereader.h"
#include "engine/sweeprun.h"

namespace sweepscope::engine {

using sweep::TrialState;

void SweepRun::loadRungs()
{
    m_pruner.reset();
    if (!m_spec.prune)
        return;
    m_pruner.emplace(*m_spec.prune, record().goal);
    const Expected<std::vector<StoreReader::TrialRung>> stored =
        StoreReader(m_context.store.database()).rungs(record().id);
    if (!stored)
        return m_context.listener.note("sweep " + record().folder
                                       + ": trials are compared only with later ones: " + stored.error().message);
    for (const StoreReader::TrialRung &rung : *stored)
        m_pruner->reached(rung.trial, rung.value.rung, rung.value.best);
}

void SweepRun::prune(RunningAttempt &attempt, WallNs now)
{
    const int trial = attempt.row.trial;
    std::vector<RungValue> reached = attempt.monitor.takeReachedRungs();
    if (!m_pruner || reached.empty())
        return;
    for (RungValue &value : reached)
        value.best = m_pruner->reached(trial, value.rung, value.best);
    // Unwritten ones are missed by a later engine at most, which compares with fewer then.
    m_ledger.noteRungs(trial, reached);
    const TrialRow &row = m_ledger.trial(trial);
    if (row.spared || row.record.state != TrialState::Running || isToStop(trial) || attempt.monitor.verdict())
        return;
    const std::optional<std::string> reason = m_pruner->verdict(trial, reached.back().rung);
    if (!reason)
        return;
    // The decision first: an engine that comes after this one ends the attempt too.
    TrialChange change{row, {}};
    change.transitions.push_back(move(change.row, TrialEvent::Pruned, *reason));
    change.row.record.ended = now;
    if (m_ledger.change(std::move(change), now))
        enforceState(attempt, now);
}

}  // namespace sweepscope::engine
