#include "launch/attemptsupervisor.h"

#include "base/files.h"
#include "launch/agentlife.h"
#include "launch/agentmessage.h"
#include "launch/attempttidying.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace sweepscope::launch {

namespace {

using namespace std::chrono_literals;

constexpr auto busyDrainPause = 20ms;
/// At a million points a second a default ring has room for 160 ms.
constexpr auto idleDrainPause = 80ms;
constexpr auto samplePause = 500ms;
/// How long the end of an attempt waits for a full disk: what the ranks have achieved would be lost otherwise. A
/// request to stop ends the waiting.
constexpr auto finishPatience = 1h;
/// Where no rank has run there is nothing to lose.
constexpr auto emptyFinishPatience = 2s;
constexpr auto finishPause = 200ms;
/// At the end, for reading what the ranks have printed.
constexpr auto outputPatience = 30s;

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
      m_childNotes(m_layout.childNotes()),
      m_hang(m_spec.hangFactor, m_spec.hangAfter),
      m_drainPause(busyDrainPause)
{}

void AttemptSupervisor::run()
{
    const Clock::time_point now = Clock::now();
    m_drainAt = m_sampleAt = m_lookAt = m_killAt = now;
    m_memoryKillsBefore = outOfMemoryKills();
    if (!startRanks())
        beginEnding(0ms, Clock::now());
    else if (m_spec.timeout > 0ms)
        m_timeoutAt = Clock::now() + m_spec.timeout;
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
        for (const int signal : m_signals.wait(std::max(pause, 0ms)))
            handle(signal, Clock::now());
    }
}

AttemptSupervisor::Clock::time_point AttemptSupervisor::nextWakeUp() const
{
    Clock::time_point next = std::min(m_drainAt, m_sampleAt);
    if (m_phase != Phase::Running)
        next = std::min(next, m_lookAt);
    if (m_timeoutAt && !m_frozenSince && m_phase == Phase::Running)
        next = std::min(next, *m_timeoutAt);
    if (m_settledAt && m_phase == Phase::Running)
        next = std::min(next, *m_settledAt);
    return next;
}

void AttemptSupervisor::drainAndSample(Clock::time_point now)
{
    if (now >= m_drainAt) {
        const bool behind = readOutput() == OutputLeft::More;
        const bool moved = m_feeds && m_feeds->drain();
        m_drainPause = moved ? busyDrainPause : std::min<std::chrono::milliseconds>(2 * m_drainPause, idleDrainPause);
        m_drainAt = behind ? now : now + m_drainPause;
        watchSteps(moved, now);
        if (m_indexer)
            m_indexer->advance();
        for (LogTimesWriter &times : m_logTimes)
            times.look(wallNow());
    }
    if (now >= m_sampleAt) {
        sampleProcesses();
        watchTheRest(now);
        m_sampleAt = now + samplePause;
    }
}

void AttemptSupervisor::sampleProcesses()
{
    const std::vector<process::ProcessStat> tree = process::readProcessTree(::getpid());
    if (m_sampler)
        m_sampler->sample(tree);
    std::set<pid_t> ranks;
    for (const RankProcess &rank : m_ranks) {
        if (rank.alive)
            ranks.insert(rank.identity.pid);
    }
    m_childNotes.look(tree, ranks);
}

AttemptSupervisor::OutputLeft AttemptSupervisor::readOutput()
{
    if (!m_feeds || m_output.empty())
        return OutputLeft::Nothing;
    if (!m_feeds->problems().empty())
        return OutputLeft::NoRoom;  // what was found would have no place
    bool more = false;
    for (OutputMetrics &output : m_output)
        more = output.advance() || more;
    return more ? OutputLeft::More : OutputLeft::Nothing;
}

/// What the ranks have printed last. Whoever prints faster than anybody can read is not waited for without end; a disk
/// without room is, as long as `wait` returns true.
void AttemptSupervisor::finishOutput(const std::function<bool(std::chrono::milliseconds)> &wait)
{
    Clock::time_point readUntil = Clock::now() + outputPatience;
    for (;;) {
        const OutputLeft left = readOutput();
        if (m_feeds)
            m_feeds->drain();
        if (left == OutputLeft::Nothing || (left == OutputLeft::More && Clock::now() >= readUntil))
            break;
        const bool isFull = left == OutputLeft::NoRoom && !m_feeds->problems().empty();
        const Clock::time_point before = Clock::now();
        if (!wait(isFull ? finishPause : 0ms))
            break;
        if (isFull)
            readUntil += Clock::now() - before;
    }
    for (OutputMetrics &output : m_output)
        output.finish();
    m_output.clear();
}

/// What is said to be completed is still there after a loss of power.
void AttemptSupervisor::syncFiles()
{
    if (m_feeds)
        m_feeds->sync();
    for (const RankProcess &rank : m_ranks) {
        const auto log = openRegularFile(m_layout.rankLog(rank.rank), O_RDONLY);
        struct stat info {};
        if (log && ::fstat(log->get(), &info) == 0 && info.st_size > 0 && ::fdatasync(log->get()) != 0)
            say(makeErrnoError("cannot bring " + m_layout.rankLog(rank.rank).string() + " to the disk", errno)
                    .value()
                    .message);
    }
    m_journal.sync();
}

void AttemptSupervisor::finish()
{
    const WallNs endedAt = wallNow();
    const WallNs elapsed = sinceBoot() - m_began;
    for (const FileDescriptor &lease : m_leases)
        ::flock(lease.get(), LOCK_UN);  // also where somebody else still has it open
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
    finishOutput(waitALittle);
    while (m_feeds && !m_feeds->finish() && Clock::now() < patience)
        waitALittle(finishPause);

    for (LogTimesWriter &times : m_logTimes)
        times.lookForTheLastTime(wallNow());
    AttemptEvent ended;
    ended.time = endedAt;  // not when a full disk let it be written
    ended.elapsed = elapsed;
    ended.kind = AttemptEventKind::Ended;
    ended.outcome = m_outcome.value_or(AttemptOutcome::Failed);
    ended.reason = m_reason;
    if (const std::string problems = m_feeds ? m_feeds->problems() : std::string(); !problems.empty()) {
        facts::Fact lost = facts::Fact(facts::Code::TelemetryProblem).with(facts::Field::Detail, problems);
        ended.reason = ended.reason ? std::move(ended.reason).dueTo(std::move(lost)) : std::move(lost);
    }
    syncFiles();
    declarePastRanks();  // before: an engine that reads the event finds it confirmed
    m_journal.write(std::move(ended));
    while (!m_journal.flush() && Clock::now() < patience)
        waitALittle(finishPause);
    // The attempt is over for everybody. Who writes these files here lets go of them.
    m_indexer.reset();
    m_sampler.reset();
    std::error_code error;
    std::filesystem::remove(m_layout.childNotes(), error);
    tidyAttempt(m_layout);
}

}  // namespace sweepscope::launch
