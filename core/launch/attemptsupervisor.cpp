#include "launch/attemptsupervisor.h"

#include "base/diskspace.h"
#include "launch/agentlife.h"
#include "launch/attemptenvironment.h"
#include "launch/attempttidying.h"
#include "launch/environmentfile.h"
#include "launch/firsterror.h"
#include "launch/networkinterface.h"
#include "launch/rankenvironment.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <set>
#include <sys/file.h>
#include <sys/wait.h>
#include <system_error>
#include <utility>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;

constexpr auto busyDrainPause = 20ms;
/// At a million points a second, a default ring has space for 160 ms.
constexpr auto idleDrainPause = 80ms;
constexpr auto samplePause = 500ms;
/// How long the end of an attempt waits for a full disk: otherwise the results of the ranks would be lost. A request to
/// stop ends the wait.
constexpr auto finishPatience = 1h;
/// If no rank has run, there is nothing to lose.
constexpr auto emptyFinishPatience = 2s;
constexpr auto finishPause = 200ms;
/// For ranks whose attempt has failed: they have nothing to save that a retry would use.
constexpr auto failedGrace = std::chrono::milliseconds(1000);
/// For ranks that have been waiting too long: they may still save what they have.
constexpr auto hungGrace = std::chrono::milliseconds(5000);
/// A rank that only reports a lost peer may be seen to end before that peer. Including the grace period, the attempt
/// ends less than 2 s after the death of a rank.
constexpr auto settlingTime = 500ms;
constexpr auto searchPause = 50ms;
constexpr auto betweenLooksForPort = 200ms;

/// Returns whether SIGTERM ended it, or the exit code for that: both are normal for a rank that was asked to end.
bool endedByTerm(const RankProcess &rank)
{
    return rank.signal == SIGTERM || rank.exitCode == 128 + SIGTERM;
}

bool isStop(int signal)
{
    return signal == SIGTERM || signal == SIGINT || signal == SIGQUIT;
}

}  // namespace

AttemptSupervisor::AttemptSupervisor(LaunchSpec spec, AttemptLayout layout, EventJournal journal, SignalQueue signals,
                                     std::vector<FileDescriptor> leases, const RankLauncher &launcher)
    : m_spec(std::move(spec)),
      m_secrets(m_spec.environment, {}),
      m_layout(std::move(layout)),
      m_journal(std::move(journal)),
      m_signals(std::move(signals)),
      m_leases(std::move(leases)),
      m_launcher(launcher),
      m_progress(m_spec, m_layout),
      m_drainPause(busyDrainPause)
{
    if (m_spec.node && m_spec.node->ofJob)
        m_jobSignals.emplace(AttemptLayout{m_layout.ofRanks()}.jobSignals());
}

void AttemptSupervisor::run()
{
    const Clock::time_point now = Clock::now();
    m_drainAt = m_sampleAt = m_searchAt = m_killAt = now;
    m_memoryKillsBefore = outOfMemoryKills();
    const LaunchSpec given = m_spec;
    if (startRanks()) {
        if (m_spec.timeout > 0ms)
            m_timeoutAt = Clock::now() + m_spec.timeout;
        // While the ranks load their libraries.
        (void)writeEnvironment(currentEnvironment(given, m_secrets), m_layout);
    } else {
        beginEnding(0ms, Clock::now());
    }
    superviseUntilNobodyIsLeft();
    finish();
}

void AttemptSupervisor::superviseUntilNobodyIsLeft()
{
    for (;;) {
        reap();
        judge(Clock::now());
        if (!m_childrenLeft)
            return;
        goOnEnding(Clock::now());
        drainAndSample(Clock::now());
        m_journal.flush();

        const auto pause = std::chrono::ceil<std::chrono::milliseconds>(nextWakeUp() - Clock::now());
        handleSignals(std::max(pause, 0ms));
    }
}

/// Nothing wakes the loop when the file grows, so signals of a job are seen with the next sample, half a second later at most.
void AttemptSupervisor::handleSignals(std::chrono::milliseconds timeout)
{
    for (const int signal : m_signals.wait(timeout))
        handle(signal, Clock::now());
    for (const int signal : m_jobSignals ? m_jobSignals->poll() : std::vector<int>())
        handle(signal, Clock::now());
}

AttemptSupervisor::Clock::time_point AttemptSupervisor::nextWakeUp() const
{
    Clock::time_point next = std::min(m_drainAt, m_sampleAt);
    if (m_phase != Phase::Running)
        next = std::min(next, m_searchAt);
    if (m_timeoutAt && !m_frozenSince && m_phase == Phase::Running)
        next = std::min(next, *m_timeoutAt);
    if (m_settledAt && m_phase == Phase::Running)
        next = std::min(next, *m_settledAt);
    return next;
}

void AttemptSupervisor::drainAndSample(Clock::time_point now)
{
    if (now >= m_drainAt) {
        const AttemptRecorder::Drained drained = m_recorder ? m_recorder->drain() : AttemptRecorder::Drained();
        m_drainPause =
            drained.reported ? busyDrainPause : std::min<std::chrono::milliseconds>(2 * m_drainPause, idleDrainPause);
        m_drainAt = drained.isBehind ? now : now + m_drainPause;
        watchSteps(drained.reported, now);
    }
    if (now >= m_sampleAt) {
        if (m_recorder)
            m_recorder->sample(m_ranks);
        watchRest(now);
        m_sampleAt = now + samplePause;
    }
}

void AttemptSupervisor::watchSteps(bool reported, Clock::time_point now)
{
    if (m_phase != Phase::Running || m_outcome)
        return;
    if (m_frozenSince || !m_recorder || !m_recorder->problems().empty())
        return m_progress.skipSteps(now);
    if (const auto standstill = m_progress.checkSteps(m_ranks, reported, now))
        failAllRanks(*standstill, now);
}

void AttemptSupervisor::watchRest(Clock::time_point now)
{
    if (m_phase != Phase::Running || m_outcome)
        return;
    AttemptProgress::CpuPercent cpuPercent;
    if (m_recorder && !m_frozenSince)
        cpuPercent = [this](int rank) { return m_recorder->cpuPercent(rank); };
    if (const auto standstill = m_progress.checkRest(m_ranks, cpuPercent, m_secrets, now))
        failAllRanks(*standstill, now);
}

bool AttemptSupervisor::addEnvironmentFile()
{
    if (m_spec.environmentFile.empty())
        return true;
    auto variables = readEnvironmentFile(m_spec.environmentFile);
    if (!variables) {
        failToStart(-1, variables.error());
        return false;
    }
    std::set<std::string> secret;
    for (const auto &[name, value] : *variables) {
        if (m_spec.environment.emplace(name, value).second)
            secret.insert(name);
    }
    m_secrets = SecretValues(m_spec.environment, secret);
    return true;
}

bool AttemptSupervisor::startRanks()
{
    if (!addEnvironmentFile())
        return false;
    auto feeds = RankFeeds::create(m_spec, m_layout);
    if (!feeds) {
        failToStart(-1, feeds.error());
        return false;
    }
    m_recorder.emplace(m_spec, m_layout, std::move(*feeds));

    if (m_spec.node)
        useInterfaceTowards(m_spec.node->masterAddress, m_spec.environment);
    if (!findMasterPort())
        return false;
    for (int rank = m_spec.firstRank(); rank < m_spec.firstRank() + m_spec.ranks; ++rank) {
        if (!startOneRank(rank))
            return false;
    }
    return true;
}

bool AttemptSupervisor::findMasterPort()
{
    m_masterPort = m_spec.node ? m_spec.node->masterPort : 0;
    if (m_masterPort != 0)
        return true;
    if (m_spec.node && m_spec.node->index > 0)
        return waitForMasterPort();
    // As late as possible: until rank 0 binds it, any process may take the port.
    auto port = MasterPort::choose();
    if (!port) {
        failToStart(-1, port.error());
        return false;
    }
    m_port = std::move(*port);
    m_masterPort = m_port->number();
    return true;
}

/// Returns false if the first agent has ended, or this one is to end.
bool AttemptSupervisor::waitForMasterPort()
{
    const std::filesystem::path events = AttemptLayout{m_layout.ofRanks()}.eventsFile();
    while (!m_outcome) {
        for (const AttemptEvent &event : readAttemptEvents(events)) {
            if (event.port)
                m_masterPort = *event.port;
            else if (event.kind == AttemptEventKind::Ended)
                conclude(AttemptOutcome::Stopped, Code::StoppedOnRequest);
        }
        if (m_masterPort != 0 && !m_outcome)
            return true;
        handleSignals(betweenLooksForPort);
    }
    return false;
}

bool AttemptSupervisor::startOneRank(int rank)
{
    if (const Expected<void> prepared = m_recorder->prepare(rank); !prepared) {
        failToStart(rank, prepared.error());
        return false;
    }
    RankSurroundings surroundings{
        rankEnvironment(m_spec, rank, m_masterPort, m_recorder->ringPath(rank), m_layout.ofRanks()),
        m_layout.rankLog(rank)};
    // While a rank lives its GPUs are taken, whatever becomes of the agent.
    for (const FileDescriptor &lease : m_leases)
        surroundings.kept.push_back(lease.get());
    std::ranges::sort(surroundings.kept);

    auto process = m_launcher.start(m_spec, rank, surroundings);
    if (!process) {
        failToStart(rank, process.error());
        return false;
    }
    AttemptEvent event;
    event.kind = AttemptEventKind::RankStarted;
    event.rank = rank;
    event.pid = process->identity.pid;
    event.startTime = process->identity.startTime;
    event.forked = process->isForked;
    if (m_spec.node && rank == 0)
        event.port = m_masterPort;
    m_journal.write(std::move(event));
    m_recorder->add(*process);
    m_ranks.push_back(std::move(*process));
    return true;
}

void AttemptSupervisor::failToStart(int rank, const Error &error)
{
    AttemptEvent event;
    event.kind = AttemptEventKind::FirstError;
    event.rank = rank;
    event.failure = FailureKind::NotStarted;
    event.reason = rank < 0 ? Fact(Code::AttemptNotStarted) : Fact(Code::RankNotStarted).with(Field::Rank, rank);
    event.reason = std::move(event.reason).with(Field::Detail, error.message);
    conclude(AttemptOutcome::Failed, event.reason);
    m_journal.write(std::move(event));
}

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
        return;  // SIGCHLD: the loop reaps ended children anyway
    }
}

void AttemptSupervisor::stop(bool checkpointOnly, Clock::time_point now)
{
    // Judge what happened before the request first: a failed or completed attempt is not a stopped one.
    reap();
    if (m_settledAt)
        m_settledAt = now;
    judge(now);
    if (m_outcome || (checkpointOnly && m_checkpointRequested))
        return;

    AttemptEvent event;
    event.kind = AttemptEventKind::StopRequested;
    event.reason = Fact(Code::StopRequested).with(Field::Mode, checkpointOnly ? "checkpoint" : "now");
    m_journal.write(std::move(event));
    m_recorder->requestStop();
    if (checkpointOnly && !m_ranks.empty()) {
        m_checkpointRequested = true;
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
    m_searchAt = now;
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
        *m_timeoutAt += now - *m_frozenSince;  // frozen time does not count
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
        return;  // an orphan left by a rank
    rank->alive = false;
    if (WIFSIGNALED(status))
        rank->signal = WTERMSIG(status);
    else
        rank->exitCode = WEXITSTATUS(status);
    m_progress.noteExit(*rank);

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
    if (m_outcome || m_ranks.empty() || judgeFailures(now))
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
    // Ranks that never asked whether to stop have done all of their work.
    const bool anyKilled = std::ranges::any_of(m_ranks, [](const RankProcess &rank) { return rank.failed(); });
    if (m_checkpointRequested && (m_recorder->stopSeen() || anyKilled))
        conclude(AttemptOutcome::Stopped, Code::EndedOnRequest);
    else
        conclude(AttemptOutcome::Completed, Code::None);
    beginEnding(std::min(m_spec.grace, failedGrace), now);  // for the processes that the ranks left behind
}

/// Returns true while there is a failure, judged or about to be.
bool AttemptSupervisor::judgeFailures(Clock::time_point now)
{
    std::vector<const RankProcess *> failed;
    bool anyAlive = false;
    for (const RankProcess &rank : m_ranks) {
        anyAlive = anyAlive || rank.alive;
        if (rank.failed() && !(m_checkpointRequested && endedByTerm(rank)))
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

void AttemptSupervisor::failAllRanks(const Standstill &standstill, Clock::time_point now)
{
    AttemptEvent event;
    event.kind = AttemptEventKind::FirstError;
    event.rank = standstill.fault.rank;
    event.failure = standstill.kind;
    event.reason = standstill.fault.reason;
    m_journal.write(std::move(event));
    conclude(AttemptOutcome::Failed, standstill.fault.reason);
    beginEnding(std::min(m_spec.grace, hungGrace), now);
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
    m_searchAt = now;
}

void AttemptSupervisor::goOnEnding(Clock::time_point now)
{
    if (m_phase == Phase::Running || now < m_searchAt)
        return;
    m_searchAt = now + searchPause;
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
    if (m_frozenSince) {  // a stopped process handles SIGTERM only after it continues
        m_descendants.thaw();
        m_frozenSince.reset();
    }
    m_searchAt = std::min(m_searchAt, m_killAt);
}

void AttemptSupervisor::finish()
{
    const WallNs endedAt = wallNow();
    const WallNs elapsed = sinceBoot() - m_began;
    for (const FileDescriptor &lease : m_leases)
        ::flock(lease.get(), LOCK_UN);  // explicitly: another process may still have it open
    m_leases.clear();
    Clock::time_point patience =
        Clock::now()
        + (m_ranks.empty() ? std::chrono::seconds(emptyFinishPatience) : std::chrono::seconds(finishPatience));
    const auto waitALittle = [&](std::chrono::milliseconds pause) {
        for (const int signal : m_signals.wait(pause)) {
            if (isStop(signal))
                patience = Clock::now();
        }
        return Clock::now() < patience;
    };
    if (m_recorder)
        m_recorder->finish(waitALittle);

    AttemptEvent ended;
    ended.time = endedAt;  // not when a full disk finally allowed the write
    ended.elapsed = elapsed;
    ended.kind = AttemptEventKind::Ended;
    ended.outcome = m_outcome.value_or(AttemptOutcome::Failed);
    ended.reason = m_reason;
    if (const std::string problems = m_recorder ? m_recorder->problems() : std::string(); !problems.empty()) {
        Fact lost = Fact(Code::TelemetryProblem).with(Field::Detail, problems);
        ended.reason = ended.reason ? std::move(ended.reason).dueTo(std::move(lost)) : std::move(lost);
    }
    if (m_recorder)
        m_recorder->sync(m_ranks);
    m_journal.sync();
    declarePastRanks();  // before the event, so that an engine that reads the event finds it confirmed
    m_journal.write(std::move(ended));
    while (!m_journal.flush() && Clock::now() < patience)
        waitALittle(finishPause);
    m_recorder.reset();  // the attempt is over, and its files are released
    std::error_code error;
    std::filesystem::remove(m_layout.childNotes(), error);
    tidyAttempt(m_layout, RankRange{m_spec.firstRank(), m_spec.firstRank() + m_spec.ranks - 1});
}

}  // namespace sweepscope::launch
