#include "launch/attemptsupervisor.h"
#include "launch/ranksteps.h"

#include <algorithm>
#include <utility>

namespace sweepscope::launch {

namespace {

/// For ranks that have been waiting too long: they may still save what they have.
constexpr auto hungGrace = std::chrono::milliseconds(5000);

}  // namespace

/// `reported`: something came out of the rings just now.
void AttemptSupervisor::watchSteps(bool reported, Clock::time_point now)
{
    if (m_frozenSince || !m_feeds || !m_feeds->problems().empty())
        return m_hang.skip(now);
    m_reported = m_reported || reported;
    m_hang.look(reported, now);
    if (m_phase == Phase::Running && !m_outcome && m_hang.hangs())
        failAllRanks(FailureKind::Hang,
                     describeHang(readRankSteps(m_layout, m_ranks), m_hang.silence(), m_hang.longest()), now);
}

/// Whether the ranks that are left only wait for one that has ended well.
void AttemptSupervisor::watchTheRest(Clock::time_point now)
{
    const auto left = std::find_if(m_ranks.begin(), m_ranks.end(),
                                   [](const RankProcess &rank) { return !rank.alive && !rank.failed(); });
    const auto alive = std::find_if(m_ranks.begin(), m_ranks.end(), [](const RankProcess &rank) { return rank.alive; });
    if (m_phase != Phase::Running || m_outcome || left == m_ranks.end() || alive == m_ranks.end())
        return;
    std::uintmax_t printed = 0;
    double cpuPercent = 0;
    bool known = m_sampler.has_value() && !m_frozenSince;
    for (const RankProcess &rank : m_ranks) {
        std::error_code error;
        const std::uintmax_t bytes = std::filesystem::file_size(m_layout.rankLog(rank.rank), error);
        printed += error ? 0 : bytes;
        if (rank.alive && known) {
            const std::optional<double> percent = m_sampler->cpuPercent(rank.rank);
            known = percent.has_value();
            cpuPercent += percent.value_or(0);
        }
    }
    const bool active = std::exchange(m_reported, false) || printed != std::exchange(m_printed, printed);
    if (!m_rest)
        m_rest.emplace(m_spec.exitGrace);
    else if (known)
        m_rest->look(active, cpuPercent, now);
    else
        m_rest->skip(now);
    if (m_rest->isOver())
        failAllRanks(FailureKind::EarlyExit, describeEarlyExit(m_firstToLeave, m_ranks, m_spec.exitGrace), now);
}

void AttemptSupervisor::failAllRanks(FailureKind kind, const RankFault &fault, Clock::time_point now)
{
    AttemptEvent event;
    event.kind = AttemptEventKind::FirstError;
    event.rank = fault.rank;
    event.failure = kind;
    event.reason = fault.reason;
    m_journal.write(std::move(event));
    conclude(AttemptOutcome::Failed, fault.reason);
    beginEnding(std::min(m_spec.grace, hungGrace), now);
}

}  // namespace sweepscope::launch
