#include "engine/storereader.h"
#include "engine/sweeprun.h"

#include <algorithm>

namespace sweepscope::engine {

WallNs deviceTime(const AttemptRow &attempt, WallNs until)
{
    return std::max<WallNs>(until - attempt.created, 0) * attempt.devices;
}

std::optional<Budget> SweepRun::budgetOf(const sweep::SweepSpec &spec) const
{
    if (!spec.budget)
        return std::nullopt;
    const Expected<WallNs> used = StoreReader(m_context.store.database()).deviceTimeOfEndedAttempts(record().id);
    if (!used)
        m_context.listener.note("sweep " + record().folder
                                + ": what it used of its budget until now is not counted: " + used.error().message);
    return Budget(*spec.budget, record().created, used.value_or(0));
}

std::optional<std::string> SweepRun::usedUp(const std::optional<Budget> &budget, WallNs now) const
{
    if (!budget)
        return std::nullopt;
    WallNs running = 0;
    for (const auto &[number, attempt] : m_attempts)
        running += deviceTime(attempt.row, now);
    return budget->usedUp(now, running);
}

void SweepRun::keepToBudget(WallNs now)
{
    if (record().state != sweep::SweepState::Running || m_ledger.waitingTrials() == 0)
        return;
    if (const std::optional<std::string> cause = usedUp(m_budget, now))
        m_ledger.stopWaiting(*cause, now);
}

}  // namespace sweepscope::engine
