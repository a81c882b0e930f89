#include "engine/scriptprocesses.h"

#include "base/files.h"
#include "feed/format.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::engine {

ScriptProcesses::ScriptProcesses(const AttemptLayout &files, const std::string &attemptId, int ranks)
    : LocalAgent(files, attemptId, ranks), m_files(files), m_ranks(ranks), m_events(files.eventsFile())
{}

std::vector<launch::ProcessIdentity> ScriptProcesses::living(const launch::ProcessIdentity &agent) const
{
    for (const launch::AttemptEvent &event : m_events.poll()) {
        if (event.kind == launch::AttemptEventKind::RankStarted)
            m_processes[event.rank] = {{event.pid, event.startTime}};
        else if (event.kind == launch::AttemptEventKind::RankExited)
            m_processes[event.rank].exitCode = event.exitCode.value_or(0);
    }
    std::vector<launch::ProcessIdentity> living;
    if (m_processes.empty() && launch::isAlive(agent))
        living.push_back(agent);
    for (const auto &[rank, process] : m_processes) {
        if (!process.exitCode && launch::isAlive(process.identity))
            living.push_back(process.identity);
    }
    return living;
}

std::optional<launch::AgentLife> ScriptProcesses::life(const launch::ProcessIdentity &agent) const
{
    (void)LocalAgent::life(agent);  // counts the look
    if (living(agent).empty())
        return std::nullopt;
    return launch::AgentLife{true, false};
}

void ScriptProcesses::signal(const launch::ProcessIdentity &agent, int signal)
{
    if (signal == SIGUSR2)
        return requestStop();
    const int sent = signal == SIGQUIT ? SIGKILL : signal == SIGTSTP ? SIGSTOP : signal;
    for (const launch::ProcessIdentity &process : living(agent))
        (void)launch::signalProcess(process, sent);  // already gone: life() shows that
}

/// As RingDrain does, which only the creator of a ring has.
void ScriptProcesses::requestStop() const
{
    constexpr std::uint32_t requested = 1;
    for (int rank = 0; rank < m_ranks; ++rank) {
        const auto ring = openRegularFile(m_files.rankRing(rank), O_WRONLY, Links::Follow);
        if (ring)
            (void)!::pwrite(ring->get(), &requested, sizeof requested, offsetof(feed::RingHeader, stopRequested));
    }
}

AgentFound ScriptProcesses::find(WallNs /*now*/)
{
    return {};  // events.jsonl names it
}

std::optional<AttemptVerdict> ScriptProcesses::explain(const AttemptVerdict &byFiles, bool /*isRequested*/)
{
    AttemptVerdict verdict = byFiles;
    verdict.withoutAgent = true;  // no agent has tidied up
    if (verdict.end != AttemptEnd::Lost)
        return verdict;
    // Ranks that never began to report keep the others from writing the end.
    if (!m_processes.empty()
        && std::ranges::all_of(m_processes, [](const auto &known) { return known.second.exitCode == 0; }))
        return AttemptVerdict{AttemptEnd::Completed, {}, byFiles.time, {}, true};
    verdict.end = AttemptEnd::Failed;
    verdict.failure = launch::FailureKind::Signal;
    if (verdict.reason.because.empty()) {
        verdict.reason =
            facts::Fact(facts::Code::OtherFailure)
                .with(facts::Field::Detail, "the script was killed, or it ended without the exit handlers of "
                                            "Python");
        return verdict;
    }
    facts::Fact first = verdict.reason.because.front();
    verdict.reason = std::move(first);
    verdict.failure = launch::FailureKind::ExitCode;
    return verdict;
}

}  // namespace sweepscope::engine
