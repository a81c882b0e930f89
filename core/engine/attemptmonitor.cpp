#include "engine/attemptmonitor.h"

#include "base/files.h"
#include "launch/launchspec.h"
#include "launch/outputrequest.h"
#include "node/attemptrecovery.h"
#include "wording/sentence.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;

constexpr WallNs nanoseconds(std::chrono::nanoseconds duration)
{
    return duration.count();
}

/// Longer than the agent's own grace for its ranks (LaunchSpec::grace).
constexpr WallNs patienceWithStop = nanoseconds(30s);
constexpr WallNs patienceWithKill = nanoseconds(2s);
/// An agent wakes at least twice a second.
constexpr WallNs patienceWithSilence = nanoseconds(30s);
/// An agent confirms its end before it writes it; a full or slow disk can delay it between the two.
constexpr WallNs patienceWithUnconfirmedEnd = nanoseconds(10s);
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

facts::Fact reasonOf(launch::EventsFault fault)
{
    using Kind = launch::EventsFault;
    switch (fault) {
    case Kind::Replaced:
        return facts::Code::EventsReplaced;
    case Kind::Cut:
        return facts::Code::EventsCut;
    case Kind::TooLarge:
        break;
    }
    return facts::Code::EventsTooLarge;
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

AttemptEnding endingOf(const AttemptVerdict &verdict)
{
    return {toString(verdict.end), verdict.failure ? toString(*verdict.failure) : std::string(), verdict.reason,
            verdict.time};
}

AttemptMonitor::AttemptMonitor(Attempt attempt, std::unique_ptr<AgentHost> host)
    : m_attempt(std::move(attempt)),
      m_host(std::move(host)),
      m_events(m_attempt.files.eventsFile()),
      m_reading(readFromTheStart())
{}

AttemptMonitor::Reading AttemptMonitor::readFromTheStart() const
{
    return {feed::FeedReader(m_attempt.files.rankFeed(0), m_attempt.files.rankRing(0)),
            ObjectiveTracker(m_attempt.objective, m_attempt.goal,
                             m_attempt.prune ? std::optional<pruning::Rungs>(*m_attempt.prune) : std::nullopt,
                             m_attempt.past)};
}

void AttemptMonitor::poll(WallNs now)
{
    if (m_verdict || (m_polled && now >= *m_polled && now - *m_polled < m_host->readEvery()))
        return;
    m_polled = now;
    // Check this before reading the files: once the agent is gone, everything that it wrote is there.
    const bool known = m_attempt.agent.has_value();
    const bool isReachable = m_host->isReachable();
    const auto life = known && isReachable ? m_host->life(*m_attempt.agent) : std::nullopt;
    // An agent changes its process name before it writes its end, so an end read under the earlier name is not the
    // agent's.
    m_reportedByAnother =
        m_reportedByAnother || (m_reportedEnd && life && !life->isPastItsRanks && m_host->looks() > m_looksAtEnd);
    if (isReachable && m_silence && m_silence->isUnreachable)
        m_silence.reset();
    if (!m_pending) {
        readEvents(now);
        const bool isPastItsRanks = known && isReachable && (!life || life->isPastItsRanks) && !m_events.isBehind();
        if (facts::Fact lost = m_host->lost())
            m_pending = AttemptVerdict{AttemptEnd::Lost, std::move(lost), now, launch::FailureKind::Lost};
        else if (!isReachable)
            noteUnreachable(now);
        else if (isPastItsRanks && m_reportedEnd && !m_reportedByAnother
                 && (!m_intervention || m_intervention->believesFiles))
            confirmEnd(!life, now);
        else if (isPastItsRanks && !life)
            agentDied(now);
        else if (!m_attempt.agent)
            waitForAgent(now);
        else if (life)
            watchAgent(*life, now);
    }
    const bool feedIsRead = readFeed() || (m_pending && readFeed());
    if (m_pending && feedIsRead && !readsDamagedFeedOnceMore()) {
        auto verdict = m_host->explain(*m_pending, m_stopRequested.has_value() || m_intervention.has_value());
        if (verdict && m_reading.feed.followReplacement()) {
            // On another machine the agent may compress the log before all of it was copied here: the new copy is whole.
            m_readingAnew = readFromTheStart();
        } else if (verdict) {
            m_verdict = std::move(verdict);
            m_host->ended();
        }
    }
}

void AttemptMonitor::stop(WallNs now)
{
    if (m_stopRequested)
        return;
    m_stopRequested = now;
    if (!m_attempt.agent)
        m_host->withdraw(true);
    requestAgentEnd(SIGTERM);
}

void AttemptMonitor::kill(WallNs now)
{
    if (!m_stopRequested)
        m_stopRequested = now;
    if (m_killRequested)
        return;
    m_killRequested = now;
    if (!m_attempt.agent)
        m_host->withdraw(true);
    if (m_agentReported)
        requestAgentEnd(SIGQUIT);  // it knows its descendants better than a later search would
    else if (m_attempt.agent)
        killAgent();
}

void AttemptMonitor::signalAgent(int signal)
{
    if (m_attempt.agent)
        m_host->signal(*m_attempt.agent, signal);
}

/// Also wakes a stopped agent, which would not see the signal otherwise.
void AttemptMonitor::requestAgentEnd(int signal)
{
    signalAgent(signal);
    const bool isVisible = m_attempt.agent && m_host->isReachable();
    const auto life = isVisible ? m_host->life(*m_attempt.agent) : std::nullopt;
    if (life && life->isStopped)
        signalAgent(SIGCONT);
}

void AttemptMonitor::signalReadyAgent(int signal)
{
    if (m_agentReported)
        signalAgent(signal);
    else
        m_signalsForLater.push_back(signal);
}

void AttemptMonitor::saveAndEnd()
{
    if (!m_attempt.agent)
        m_host->withdraw(false);  // there is nothing to save
    signalReadyAgent(SIGUSR2);
}

std::optional<facts::Fact> AttemptMonitor::waits() const
{
    return m_stopRequested || m_verdict ? std::nullopt : m_host->waits();
}

void AttemptMonitor::freeze()
{
    m_frozen = true;
    signalReadyAgent(SIGTSTP);
}

void AttemptMonitor::thaw()
{
    m_frozen = false;
    signalReadyAgent(SIGCONT);
}

Expected<void> AttemptMonitor::requestTrace(const sweep::TraceRequest &request)
{
    return m_host->write(m_attempt.files.traceRequest().filename().string(), toJson(request));
}

Expected<void> AttemptMonitor::readOutput(const output::MetricsSection &metrics)
{
    return m_host->write(launch::outputRequestFile, launch::toJson(launch::OutputRequest{metrics}));
}

void AttemptMonitor::judgeBy(const sweep::SweepSpec &spec, ReportedPast past)
{
    const bool isJudgedAnew = spec.objective != m_attempt.objective || spec.goal != m_attempt.goal;
    if (!isJudgedAnew && spec.prune == m_attempt.prune)
        return;
    m_attempt.prune = spec.prune;
    if (isJudgedAnew) {
        m_attempt.objective = spec.objective;
        m_attempt.goal = spec.goal;
        m_attempt.past = std::move(past);
    }
    m_readingAnew = readFromTheStart();
}

/// Drops values at rungs that are no longer used.
std::vector<pruning::RungValue> AttemptMonitor::takeReachedRungs()
{
    std::vector<pruning::RungValue> reached = m_reading.objective.takeReached();
    if (m_readingAnew)
        reached.clear();
    return reached;
}

void AttemptMonitor::giveUp(facts::Fact reason, WallNs now)
{
    if (m_verdict)
        return;
    if (m_attempt.agent)
        m_host->giveUp(*m_attempt.agent);
    m_verdict = AttemptVerdict{AttemptEnd::Lost, std::move(reason), now, launch::FailureKind::Lost};
}

void AttemptMonitor::moveWaits(WallNs change)
{
    m_recoverAgainAt += change;
    m_host->moveWaits(change);
    for (std::optional<WallNs> *moment : {&m_stopRequested, &m_killRequested, &m_reportedAt}) {
        if (*moment)
            **moment += change;
    }
    if (m_intervention)
        m_intervention->since += change;
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

void AttemptMonitor::readEvents(WallNs now)
{
    for (const launch::AttemptEvent &event : m_events.poll())
        applyEvent(event, now);
}

void AttemptMonitor::applyEvent(const launch::AttemptEvent &event, WallNs now)
{
    switch (event.kind) {
    case launch::AttemptEventKind::AgentStarted:
        m_agentReported = true;
        m_agentStarted = event.time;
        m_host->found({event.pid, event.startTime});
        if (!m_attempt.agent) {
            m_attempt.agent = launch::ProcessIdentity{event.pid, event.startTime};
            if (m_stopRequested)
                requestAgentEnd(m_killRequested ? SIGQUIT : SIGTERM);
        }
        for (const int signal : std::exchange(m_signalsForLater, {}))
            signalAgent(signal);
        break;
    case launch::AttemptEventKind::RankStarted:
        m_ranksStarted = true;
        if (event.port)
            m_masterPort = event.port;
        break;
    case launch::AttemptEventKind::FirstError:
        m_firstError = event.reason;
        m_failure = event.failure;
        break;
    case launch::AttemptEventKind::Ended: {
        // The clock may have been set since it began.
        const WallNs time = std::min(std::max(endOfRanks(event), m_attempt.began), now);
        m_reportedEnd = AttemptVerdict{endOf(event.outcome), m_firstError ? m_firstError : event.reason, time, {}};
        if (m_reportedEnd->end == AttemptEnd::Failed)
            m_reportedEnd->failure = m_failure;
        m_reportedByAnother = false;
        m_looksAtEnd = m_host->looks();
        if (!m_reportedAt)
            m_reportedAt = now;
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

/// Prefers the duration that the agent measured, because the wall clock may have been set meanwhile.
WallNs AttemptMonitor::endOfRanks(const launch::AttemptEvent &ended) const
{
    constexpr WallNs most = 4'000'000'000'000'000'000;  // the year 2096: larger values are damage and would overflow
    if (!ended.elapsed || *ended.elapsed > most || m_agentStarted <= 0 || m_agentStarted > most || ended.time < 0)
        return ended.time;
    const WallNs measured = m_agentStarted + *ended.elapsed;
    return std::llabs(ended.time - measured) > nanoseconds(1s) ? measured : ended.time;
}

/// Returns true if all data available now was read.
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

/// Reads the log once more if its feed was damaged. While the rank writes, records after a damaged part may be misread
/// and a ring may be inconsistent. At the end only the log counts, as for every later reader.
bool AttemptMonitor::readsDamagedFeedOnceMore()
{
    if (m_readOnceMore || !(m_feedFailed || m_reading.feed.damage()))
        return false;
    m_readOnceMore = true;
    m_feedFailed = false;
    m_readingAnew = readFromTheStart();
    return true;
}

void AttemptMonitor::confirmEnd(bool isAgentGone, WallNs now)
{
    const bool needsRecovery = isAgentGone && m_host->needsRecovery(*m_attempt.agent);
    if (needsRecovery && !recover(now))
        return;
    const bool isStoppedFromHere = m_intervention && m_reportedEnd->end == AttemptEnd::Stopped && !m_stopRequested;
    m_pending = isStoppedFromHere ? m_intervention->verdict : *m_reportedEnd;
    m_pending->withoutAgent = needsRecovery;
}

/// Checks an agent whose ranks run.
void AttemptMonitor::watchAgent(const launch::AgentLife &life, WallNs now)
{
    if (!m_watch)
        m_watch.emplace(m_attempt.began == 0 ? 0 : std::max<WallNs>(0, now - m_attempt.began - m_attempt.paused));
    if (m_watch->isDue(now))
        m_watch->update(life.isPastItsRanks ? std::nullopt : m_host->activity(*m_attempt.agent), m_frozen, now);
    m_silence = m_watch->silence() >= patienceWithSilence ? std::optional(AgentSilence{life.isStopped}) : std::nullopt;

    if (const auto &fault = m_events.fault())
        intervene(AttemptEnd::Failed, reasonOf(*fault), false, now);
    else if (!m_agentReported && m_events.skippedLines() > 0)  // replaced before it was first read
        intervene(AttemptEnd::Failed, facts::Code::EventsReplaced, false, now);
    else if (m_reportedEnd && !life.isPastItsRanks && now - *m_reportedAt >= patienceWithUnconfirmedEnd)
        intervene(AttemptEnd::Failed, facts::Code::EndUnconfirmed, false, now);
    else if (m_silence && m_attempt.timeout.count() > 0
             && m_watch->ranFor() >= nanoseconds(m_attempt.timeout + launch::LaunchSpec().grace))
        intervene(AttemptEnd::Lost,
                  facts::Fact(facts::Code::AgentSilent).with(facts::Field::Seconds, toSeconds(m_watch->silence())),
                  true, now);
    escalateStop(now);
}

void AttemptMonitor::intervene(AttemptEnd end, facts::Fact reason, bool believesFiles, WallNs now)
{
    if (m_intervention)
        return;
    m_intervention = Intervention{{end, std::move(reason), now, {}}, now, believesFiles};
    if (end == AttemptEnd::Lost)
        m_intervention->verdict.failure = launch::FailureKind::Lost;
    m_warning = "the engine ends the attempt: " + wording::clause(m_intervention->verdict.reason);
    requestAgentEnd(SIGTERM);
}

/// What was asked of the agent reaches it when the machine is back: waits begin then.
void AttemptMonitor::noteUnreachable(WallNs now)
{
    m_silence = AgentSilence{false, true};
    for (std::optional<WallNs> *moment : {&m_stopRequested, &m_killRequested, &m_reportedAt}) {
        if (*moment)
            *moment = now;
    }
    if (m_intervention)
        m_intervention->since = now;
}

void AttemptMonitor::agentDied(WallNs now)
{
    if (!recover(now))
        return;
    m_pending = verdictWithoutAgent(now);
    m_pending->withoutAgent = m_pending->end != AttemptEnd::NeverStarted;
}

/// Returns false if it is not done yet, or if the disk is full: try again later to save what the ranks have reported.
bool AttemptMonitor::recover(WallNs now)
{
    if (now < m_recoverAgainAt)
        return false;
    const std::optional<node::Recovery> recovery = m_host->recover(*m_attempt.agent);
    if (!recovery)
        return false;
    if (recovery->undone != m_unrecovered)
        m_warning = m_unrecovered = recovery->undone;
    m_recoverAgainAt = now + pauseWithoutRoom;
    return !recovery->needsRoom;
}

AttemptVerdict AttemptMonitor::verdictWithoutAgent(WallNs now) const
{
    using facts::Code;
    using facts::Fact;
    using facts::Field;
    if (m_stopRequested)
        return {AttemptEnd::Stopped, m_killRequested ? Code::KilledOnRequest : Code::StoppedOnRequest, now, {}};
    if (const auto &fault = m_events.fault())
        return {AttemptEnd::Failed, reasonOf(*fault), now, {}};
    if (m_intervention) {
        AttemptVerdict verdict = m_intervention->verdict;
        verdict.time = now;
        return verdict;
    }
    if (m_agentReported && m_events.isMissing())
        return {AttemptEnd::Failed, Code::FolderVanished, now, {}};
    std::error_code error;
    if (!m_agentReported && std::filesystem::file_size(m_attempt.files.eventsFile(), error) == 0 && !error)
        return {AttemptEnd::NeverStarted, Code::AgentCannotWrite, now, {}};
    if (!m_agentReported)
        return {AttemptEnd::Failed,
                Fact(Code::AgentNotStarted).with(Field::Detail, node::lastLineOf(m_attempt.files.agentLog())), now,
                launch::FailureKind::NotStarted};
    Fact lost = Fact(Code::AgentLost).with(Field::Pid, static_cast<std::int64_t>(m_attempt.agent->pid));
    if (m_reportedByAnother)
        lost = std::move(lost).dueTo(Code::EndUnconfirmed);
    else if (m_firstError)
        lost = std::move(lost).dueTo(m_firstError);
    return {AttemptEnd::Lost, std::move(lost), now, launch::FailureKind::Lost};
}

void AttemptMonitor::waitForAgent(WallNs now)
{
    AgentFound found = m_host->find(now);
    if (found.never)
        m_pending = AttemptVerdict{AttemptEnd::NeverStarted, std::move(found.never), now, {}};
    if (found.failed)
        m_pending = m_stopRequested ? verdictWithoutAgent(now)
                                    : AttemptVerdict{AttemptEnd::Failed, std::move(found.failed), now,
                                                     launch::FailureKind::NotStarted};
    if (!found.agent)
        return;
    m_attempt.agent = found.agent;
    if (m_stopRequested)
        requestAgentEnd(m_killRequested ? SIGQUIT : SIGTERM);
}

void AttemptMonitor::escalateStop(WallNs now)
{
    const auto isOver = [now](const std::optional<WallNs> &since, WallNs patience) {
        return since && now - *since >= patience;
    };
    const auto intervened = m_intervention ? std::optional(m_intervention->since) : std::nullopt;
    if (!m_killed
        && (isOver(m_stopRequested, patienceWithStop) || isOver(m_killRequested, patienceWithKill)
            || isOver(intervened, patienceWithStop)))
        killAgent();
}

void AttemptMonitor::killAgent()
{
    m_killed = true;
    signalAgent(SIGKILL);
}

}  // namespace sweepscope::engine
