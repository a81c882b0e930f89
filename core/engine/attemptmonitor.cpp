#include "engine/attemptmonitor.h"

#include "engine/attemptrecovery.h"

#include <chrono>
#include <csignal>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;

constexpr WallNs nanoseconds(std::chrono::nanoseconds duration)
{
    return duration.count();
}

/// An agent that was started just before its engine was killed has written its first event by then.
constexpr WallNs patienceWithUnknownAgent = nanoseconds(3s);
/// Longer than the agent's own grace for its ranks (LaunchSpec::grace).
constexpr WallNs patienceWithStop = nanoseconds(30s);
constexpr WallNs patienceWithKill = nanoseconds(2s);
constexpr WallNs pauseWithoutRoom = nanoseconds(2s);

AttemptEnd endOf(launch::AttemptOutcome outcome)
{
    switch (outcome) {
    case launch::AttemptOutcome::Completed:
        return AttemptEnd::Completed;
    case launch::AttemptOutcome::Stopped:
        return AttemptEnd::Stopped;
    case launch::AttemptOutcome::Failed:
        break;
    }
    return AttemptEnd::Failed;
}

}  // namespace

std::string toString(AttemptEnd end)
{
    switch (end) {
    case AttemptEnd::Completed:
        return "completed";
    case AttemptEnd::Failed:
        return "failed";
    case AttemptEnd::Stopped:
        return "stopped";
    case AttemptEnd::Lost:
        return "lost";
    case AttemptEnd::NeverStarted:
        break;
    }
    return "never started";
}

AttemptMonitor::AttemptMonitor(Attempt attempt)
    : m_attempt(std::move(attempt)), m_events(m_attempt.files.eventsFile()), m_reading(readFromTheStart())
{}

AttemptMonitor::Reading AttemptMonitor::readFromTheStart() const
{
    return {feed::FeedReader(m_attempt.files.rankFeed(0), m_attempt.files.rankRing(0)),
            ObjectiveTracker(m_attempt.objective, m_attempt.goal,
                             m_attempt.prune ? std::optional<Rungs>(*m_attempt.prune) : std::nullopt)};
}

void AttemptMonitor::poll(WallNs now)
{
    if (m_verdict)
        return;
    // Looked at before the files are read: when it is gone, everything that it wrote is there.
    const bool known = m_attempt.agent.has_value();
    const bool alive = known && launch::isAlive(*m_attempt.agent);
    if (!m_pending) {
        readEvents();
        if (!m_pending) {
            if (known && !alive)
                agentDied(now);
            else if (!m_attempt.agent)
                waitForAgent(now);
            else
                escalateStop(now);
        }
    }
    const bool feedIsRead = readFeed() || (m_pending && readFeed());
    if (m_pending && feedIsRead && !readsDamagedFeedOnceMore())
        m_verdict = m_pending;
}

void AttemptMonitor::stop(WallNs now)
{
    if (m_stopRequested)
        return;
    m_stopRequested = now;
    signalAgent(SIGTERM);
}

void AttemptMonitor::kill(WallNs now)
{
    if (!m_stopRequested)
        m_stopRequested = now;
    if (m_killRequested)
        return;
    m_killRequested = now;
    if (m_agentReported)
        signalAgent(SIGQUIT);  // it knows its descendants better than anybody who comes after it
    else if (m_attempt.agent)
        killAgent();
}

void AttemptMonitor::signalAgent(int signal) const
{
    if (m_attempt.agent)
        (void)launch::signalProcess(*m_attempt.agent, signal);  // gone already: poll() sees that
}

void AttemptMonitor::signalReadyAgent(int signal)
{
    if (m_agentReported)
        signalAgent(signal);
    else
        m_signalsForLater.push_back(signal);
}

void AttemptMonitor::compareAt(const std::optional<sweep::PruneSection> &prune)
{
    if (prune == m_attempt.prune)
        return;
    m_attempt.prune = prune;
    m_readingAnew = readFromTheStart();
}

/// What is reached at rungs that hold no longer is nobody's concern.
std::vector<RungValue> AttemptMonitor::takeReachedRungs()
{
    std::vector<RungValue> reached = m_reading.objective.takeReached();
    if (m_readingAnew)
        reached.clear();
    return reached;
}

void AttemptMonitor::moveWaits(WallNs change)
{
    m_recoverAgainAt += change;
    for (std::optional<WallNs> *moment : {&m_withdrawnUntil, &m_stopRequested, &m_killRequested}) {
        if (*moment)
            **moment += change;
    }
}

void AttemptMonitor::failToStart(AttemptEnd end, facts::Fact reason, WallNs now)
{
    m_verdict = AttemptVerdict{end, std::move(reason), now, {}};
    if (end == AttemptEnd::Failed)
        m_verdict->failure = launch::FailureKind::NotStarted;
}

std::string AttemptMonitor::takeWarning()
{
    return std::exchange(m_warning, {});
}

void AttemptMonitor::readEvents()
{
    for (const launch::AttemptEvent &event : m_events.poll())
        take(event);
}

void AttemptMonitor::take(const launch::AttemptEvent &event)
{
    switch (event.kind) {
    case launch::AttemptEventKind::AgentStarted:
        m_agentReported = true;
        if (m_withdrawn)
            restoreLaunchFile(m_attempt.files);
        if (!m_attempt.agent) {
            m_attempt.agent = launch::ProcessIdentity{event.pid, event.startTime};
            if (m_stopRequested)
                signalAgent(m_killRequested ? SIGQUIT : SIGTERM);
        }
        for (const int signal : std::exchange(m_signalsForLater, {}))
            signalAgent(signal);
        break;
    case launch::AttemptEventKind::RankStarted:
        m_ranksStarted = true;
        break;
    case launch::AttemptEventKind::FirstError:
        m_firstError = event.reason;
        m_failure = event.failure;
        break;
    case launch::AttemptEventKind::Ended: {
        m_pending = AttemptVerdict{endOf(event.outcome), m_firstError ? m_firstError : event.reason, event.time, {}};
        if (m_pending->end == AttemptEnd::Failed)
            m_pending->failure = m_failure;
        break;
    }
    case launch::AttemptEventKind::RankExited:
    case launch::AttemptEventKind::StopRequested:
        break;
    case launch::AttemptEventKind::TimedOut:
        m_failure = event.failure;
        break;
    }
}

/// True when all that is there now was read.
bool AttemptMonitor::readFeed()
{
    if (m_feedFailed)
        return true;
    Reading &reading = m_readingAnew ? *m_readingAnew : m_reading;
    const Expected<std::uint64_t> records = reading.feed.poll(reading.objective);
    if (!records) {
        m_feedFailed = true;
        m_warning = records.error().message;
    } else if (reading.feed.damage() && reading.feed.damage()->message != m_feedDamage) {
        m_warning = m_feedDamage = reading.feed.damage()->message;
    }
    const bool everything = !records || *records == 0;
    if (everything && m_readingAnew)
        m_reading = std::move(*std::exchange(m_readingAnew, std::nullopt));
    return everything;
}

/// While the rank writes, a few records behind damage may be damage too, and a ring may say nonsense. At the end the log
/// alone counts, as for everybody who reads it later.
bool AttemptMonitor::readsDamagedFeedOnceMore()
{
    if (m_readOnceMore || !(m_feedFailed || m_reading.feed.damage()))
        return false;
    m_readOnceMore = true;
    m_feedFailed = false;
    m_readingAnew = readFromTheStart();
    return true;
}

void AttemptMonitor::agentDied(WallNs now)
{
    if (!recover(now))
        return;
    m_pending = verdictWithoutAgent(now);
    m_pending->withoutAgent = m_pending->end != AttemptEnd::NeverStarted;
}

/// False: again later, when the disk has room for what the ranks have reported.
bool AttemptMonitor::recover(WallNs now)
{
    if (now < m_recoverAgainAt)
        return false;
    const Recovery recovery = recoverAttempt(m_attempt.files, m_attempt.id, m_attempt.ranks);
    if (recovery.undone != m_unrecovered)
        m_warning = m_unrecovered = recovery.undone;
    m_recoverAgainAt = now + pauseWithoutRoom;
    return !recovery.needsRoom;
}

AttemptVerdict AttemptMonitor::verdictWithoutAgent(WallNs now) const
{
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    if (m_stopRequested)
        return {AttemptEnd::Stopped, m_killRequested ? Code::KilledOnRequest : Code::StoppedOnRequest, now, {}};
    std::error_code error;
    if (!m_agentReported && std::filesystem::file_size(m_attempt.files.eventsFile(), error) == 0 && !error)
        return {AttemptEnd::NeverStarted, Code::AgentCannotWrite, now, {}};
    if (!m_agentReported)
        return {AttemptEnd::Failed,
                Fact(Code::AgentNotStarted).with(Field::Detail, lastLineOf(m_attempt.files.agentLog())), now,
                launch::FailureKind::NotStarted};
    Fact lost = Fact(Code::AgentLost).with(Field::Pid, static_cast<std::int64_t>(m_attempt.agent->pid));
    if (m_firstError)
        lost = std::move(lost).dueTo(m_firstError);
    return {AttemptEnd::Lost, std::move(lost), now, launch::FailureKind::Lost};
}

void AttemptMonitor::waitForAgent(WallNs now)
{
    if (!m_withdrawn) {
        // From here on no agent can begin: one that comes late finds no launch.json.
        withdrawLaunchFile(m_attempt.files);
        m_withdrawn = true;
        m_withdrawnUntil = now + patienceWithUnknownAgent;
    }
    if (now >= *m_withdrawnUntil && !agentRunsFor(m_attempt.files.folder))
        m_pending = AttemptVerdict{AttemptEnd::NeverStarted, facts::Code::EngineEndedBeforeStart, now, {}};
}

void AttemptMonitor::escalateStop(WallNs now)
{
    if (m_killed || !m_stopRequested)
        return;
    if (now - *m_stopRequested >= patienceWithStop || (m_killRequested && now - *m_killRequested >= patienceWithKill))
        killAgent();
}

void AttemptMonitor::killAgent()
{
    m_killed = true;
    signalAgent(SIGKILL);
}

}  // namespace sweepscope::engine
