#include "engine/storereader.h"
#include "engine/sweeprun.h"

#include <algorithm>

namespace sweepscope::engine {

void SweepRun::loadBudget()
{
    m_budget.reset();
    if (!m_spec.budget)
        return;
    const Expected<WallNs> rankTime = StoreReader(m_context.store.database()).timeOfEndedRanks(record().id);
    if (!rankTime)
        m_context.listener.note("sweep " + record().folder
                                + ": what it used of its budget until now is not counted: " + rankTime.error().message);
    m_budget.emplace(*m_spec.budget, record().created, rankTime.value_or(0) * m_spec.devices.perRank);
}

WallNs SweepRun::deviceTime(const AttemptRow &attempt, WallNs until) const
{
    const int devices = m_ledger.trial(attempt.trial).record.ranks * m_spec.devices.perRank;
    return std::max<WallNs>(until - attempt.created, 0) * devices;
}

std::optional<std::string> SweepRun::usedUpBudget(WallNs now) const
{
    if (!m_budget)
        return std::nullopt;
    WallNs running = 0;
    for (const auto &[number, attempt] : m_attempts)
        running += deviceTime(attempt.row, now);
    return m_budget->usedUp(now, running);
}

void SweepRun::keepToBudget(WallNs now)
{
    if (record().state != sweep::SweepState::Running || m_ledger.waitingTrials() == 0)
        return;
    if (const std::optional<std::string> cause = usedUpBudget(now))
        m_ledger.stopWaiting(*cause, now);
}

}  // namespace sweepscope::engine
