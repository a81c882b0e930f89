#include "base/diskspace.h"
#include "launch/attemptsupervisor.h"
#include "launch/firsterror.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <set>
#include <sys/wait.h>
#include <utility>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;

/// For ranks whose attempt has failed: they have nothing to save that another try would use.
constexpr auto failedGrace = std::chrono::milliseconds(1000);
/// A rank that only complains of a lost peer may be seen to end before the peer is. With the grace: less than 2 s from a
/// rank's death to the attempt's end.
constexpr auto settlingTime = 500ms;
constexpr auto lookPause = 50ms;

/// Ended by SIGTERM, or with the code by which programs say that they were: what a rank that was asked to end may do.
bool endedByTerm(const RankProcess &rank)
{
    return rank.signal == SIGTERM || rank.exitCode == 128 + SIGTERM;
}

}  // namespace

void AttemptSupervisor::handle(int signal, Clock::time_point now)
{
    switch (signal) {
    case SIGTERM:
    case SIGINT:
        return stop(false, now);
    case SIGQUIT:
        return kill(now);
    case SIGUSR2:
        return stop(true, now);
    case SIGTSTP:
        return setFrozen(true, now);
    case SIGCONT:
        return setFrozen(false, now);
    default:
        return;  // SIGCHLD: the loop looks for ended children anyway
    }
}

void AttemptSupervisor::stop(bool checkpointOnly, Clock::time_point now)
{
    // What has happened before the request is judged first: a failed or completed attempt is not a stopped one.
    reap();
    if (m_settledAt)
        m_settledAt = now;
    judge(now);
    if (m_outcome || (checkpointOnly && m_askedToCheckpoint))
        return;

    AttemptEvent event;
    event.kind = AttemptEventKind::StopRequested;
    event.reason = Fact(Code::StopRequested).with(Field::Mode, checkpointOnly ? "checkpoint" : "now");
    m_journal.write(std::move(event));
    m_feeds->requestStop();
    if (checkpointOnly) {
        m_askedToCheckpoint = true;
        return;
    }
    conclude(AttemptOutcome::Stopped, Code::StoppedOnRequest);
    beginEnding(m_spec.grace, now);
}

void AttemptSupervisor::kill(Clock::time_point now)
{
    stop(false, now);
    if (m_outcome == AttemptOutcome::Stopped)
        m_reason = Code::KilledOnRequest;
    m_killAt = now;
    m_lookAt = now;
}

void AttemptSupervisor::setFrozen(bool frozen, Clock::time_point now)
{
    if (frozen == m_frozenSince.has_value() || (frozen && m_phase != Phase::Running))
        return;
    if (frozen) {
        m_descendants.freeze();
        m_frozenSince = now;
        return;
    }
    m_descendants.thaw();
    if (m_timeoutAt)
        *m_timeoutAt += now - *m_frozenSince;  // frozen time is nobody's fault
    m_frozenSince.reset();
}

void AttemptSupervisor::reap()
{
    for (;;) {
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, WNOHANG);
        if (pid < 0 && errno == EINTR)
            continue;
        m_childrenLeft = pid >= 0;
        if (pid <= 0)
            return;
        noteExit(pid, status);
    }
}

void AttemptSupervisor::noteExit(pid_t pid, int status)
{
    const auto rank = std::find_if(m_ranks.begin(), m_ranks.end(), [&](const RankProcess &candidate) {
        return candidate.alive && candidate.identity.pid == pid;
    });
    if (rank == m_ranks.end())
        return;  // an orphan of a rank
    rank->alive = false;
    if (WIFSIGNALED(status))
        rank->signal = WTERMSIG(status);
    else
        rank->exitCode = WEXITSTATUS(status);
    if (!rank->failed() && m_firstToLeave < 0)
        m_firstToLeave = rank->rank;

    AttemptEvent event;
    event.kind = AttemptEventKind::RankExited;
    event.rank = rank->rank;
    event.pid = pid;
    event.startTime = rank->identity.startTime;
    event.exitCode = rank->exitCode;
    event.signal = rank->signal;
    m_journal.write(std::move(event));
}

void AttemptSupervisor::judge(Clock::time_point now)
{
    if (m_outcome || judgeFailures(now))
        return;
    if (m_timeoutAt && !m_frozenSince && now >= *m_timeoutAt) {
        const Fact reason = Fact(Code::TimedOut).with(Field::Seconds, secondsOf(m_spec.timeout));
        AttemptEvent event;
        event.kind = AttemptEventKind::TimedOut;
        event.failure = FailureKind::TimedOut;
        event.reason = reason;
        m_journal.write(std::move(event));
        conclude(AttemptOutcome::Failed, reason);
        beginEnding(m_spec.grace, now);
        return;
    }
    if (std::any_of(m_ranks.begin(), m_ranks.end(), [](const RankProcess &rank) { return rank.alive; }))
        return;
    if (m_askedToCheckpoint)
        conclude(AttemptOutcome::Stopped, Code::EndedOnRequest);
    else
        conclude(AttemptOutcome::Completed, Code::None);
    beginEnding(std::min(m_spec.grace, failedGrace), now);  // of what the ranks have left behind
}

/// True while a failure is there, judged or about to be.
bool AttemptSupervisor::judgeFailures(Clock::time_point now)
{
    std::vector<const RankProcess *> failed;
    bool anyAlive = false;
    for (const RankProcess &rank : m_ranks) {
        anyAlive = anyAlive || rank.alive;
        if (rank.failed() && !(m_askedToCheckpoint && endedByTerm(rank)))
            failed.push_back(&rank);
    }
    if (failed.empty())
        return false;

    const RankProcess &first = firstToFail(failed, m_layout);
    Shortage shortage;
    shortage.memory = outOfMemoryKills() > m_memoryKillsBefore;
    const std::optional<DiskSpace> disk = diskSpaceOf(m_layout.folder);
    shortage.disk = disk && disk->isFull();
    const Fact reason = failureOf(first, m_layout, shortage, m_secrets);
    const std::string lastWords = reason.text(Field::Detail);
    if (!m_settledAt)
        m_settledAt = now + settlingTime;
    if (anyAlive && !first.signal && blamesPeer(lastWords) && now < *m_settledAt)
        return true;

    AttemptEvent event;
    event.kind = AttemptEventKind::FirstError;
    event.rank = first.rank;
    event.failure = failureKindOf(first.signal, lastWords, shortage.memory);
    event.reason = reason;
    m_journal.write(std::move(event));
    conclude(AttemptOutcome::Failed, reason);
    beginEnding(std::min(m_spec.grace, failedGrace), now);
    return true;
}

void AttemptSupervisor::conclude(AttemptOutcome outcome, Fact reason)
{
    m_outcome = outcome;
    m_reason = std::move(reason);
}

void AttemptSupervisor::beginEnding(std::chrono::milliseconds grace, Clock::time_point now)
{
    m_phase = Phase::Ending;
    m_killAt = now + grace;
    m_lookAt = now;
}

void AttemptSupervisor::goOnEnding(Clock::time_point now)
{
    if (m_phase == Phase::Running || now < m_lookAt)
        return;
    m_lookAt = now + lookPause;
    if (now >= m_killAt)
        m_phase = Phase::Killing;
    if (m_phase == Phase::Killing) {
        m_descendants.kill();
        return;
    }
    std::set<pid_t> living;
    for (const RankProcess &rank : m_ranks) {
        if (rank.alive)
            living.insert(rank.identity.pid);
    }
    m_descendants.terminate(living);
    if (m_frozenSince) {  // a stopped process sees its SIGTERM only when it goes on
        m_descendants.thaw();
        m_frozenSince.reset();
    }
    m_lookAt = std::min(m_lookAt, m_killAt);
}

}  // namespace sweepscope::launch
