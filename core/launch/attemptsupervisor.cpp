#include "launch/attemptsupervisor.h"

#include "launch/attempttidying.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <set>
#include <sys/file.h>
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
                                     std::vector<FileDescriptor> leases, const LoadedProgram *loaded)
    : m_spec(std::move(spec)),
      m_layout(std::move(layout)),
      m_journal(std::move(journal)),
      m_signals(std::move(signals)),
      m_leases(std::move(leases)),
      m_loaded(loaded != nullptr && loaded->runs(m_spec) ? loaded : nullptr),
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
        const bool behind = readOutput();
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
    const std::vector<device::ProcessStat> tree = device::readProcessTree(::getpid());
    if (m_sampler)
        m_sampler->sample(tree);
    std::set<pid_t> ranks;
    for (const RankProcess &rank : m_ranks) {
        if (rank.alive)
            ranks.insert(rank.identity.pid);
    }
    m_childNotes.look(tree, ranks);
}

bool AttemptSupervisor::readOutput()
{
    if (!m_feeds || !m_feeds->problems().empty())
        return false;  // a full disk: what was found would have no place
    bool more = false;
    for (OutputMetrics &output : m_output)
        more = output.advance() || more;
    return more;
}

/// What the ranks have printed last. Whoever prints faster than anybody can read is not waited for without end.
void AttemptSupervisor::finishOutput()
{
    const Clock::time_point patience = Clock::now() + outputPatience;
    bool more = !m_output.empty();
    while (more && Clock::now() < patience) {
        more = readOutput();
        m_feeds->drain();
        for (const int signal : m_signals.wait(0ms))
            more = more && !isStop(signal);
    }
    for (OutputMetrics &output : m_output)
        output.finish();
    m_output.clear();
}

void AttemptSupervisor::finish()
{
    const WallNs endedAt = wallNow();
    for (const FileDescriptor &lease : m_leases)
        ::flock(lease.get(), LOCK_UN);  // also where somebody else still has it open
    m_leases.clear();
    finishOutput();
    Clock::time_point patience =
        Clock::now()
        + (m_ranks.empty() ? std::chrono::seconds(emptyFinishPatience) : std::chrono::seconds(finishPatience));
    const auto waitALittle = [&] {
        for (const int signal : m_signals.wait(finishPause)) {
            if (isStop(signal))
                patience = Clock::now();
        }
    };
    while (m_feeds && !m_feeds->finish() && Clock::now() < patience)
        waitALittle();

    for (LogTimesWriter &times : m_logTimes)
        times.lookForTheLastTime(wallNow());
    AttemptEvent ended;
    ended.time = endedAt;  // not when a full disk let it be written
    ended.kind = AttemptEventKind::Ended;
    ended.outcome = m_outcome.value_or(AttemptOutcome::Failed);
    ended.reason = m_reason;
    if (const std::string problems = m_feeds ? m_feeds->problems() : std::string(); !problems.empty()) {
        facts::Fact lost = facts::Fact(facts::Code::TelemetryProblem).with(facts::Field::Detail, problems);
        ended.reason = ended.reason ? std::move(ended.reason).dueTo(std::move(lost)) : std::move(lost);
    }
    m_journal.write(std::move(ended));
    while (!m_journal.flush() && Clock::now() < patience)
        waitALittle();
    // The attempt is over for everybody. Who writes these files here lets go of them.
    m_indexer.reset();
    m_sampler.reset();
    std::error_code error;
    std::filesystem::remove(m_layout.childNotes(), error);
    tidyAttempt(m_layout);
}

}  // namespace sweepscope::launch
