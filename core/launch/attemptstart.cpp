#include "launch/attemptsupervisor.h"

#include <algorithm>
#include <utility>

namespace sweepscope::launch {

bool AttemptSupervisor::startRanks()
{
    auto feeds = RankFeeds::create(m_spec, m_layout);
    if (!feeds) {
        failToStart(-1, feeds.error());
        return false;
    }
    m_feeds = std::move(*feeds);
    m_indexer.emplace(m_layout, m_spec.ranks);
    m_sampler.emplace(m_spec, m_layout);

    // As late as possible: until rank 0 binds it, the port is anybody's.
    auto port = MasterPort::choose();
    if (!port) {
        failToStart(-1, port.error());
        return false;
    }
    m_port = std::move(*port);
    for (int rank = 0; rank < m_spec.ranks; ++rank) {
        if (!startOneRank(rank))
            return false;
    }
    return true;
}

bool AttemptSupervisor::prepareToRead(int rank)
{
    if (!m_spec.readsOutputOf(rank))
        return true;
    auto output = OutputMetrics::create(*m_spec.metrics, rank, m_layout.rankLog(rank), m_feeds->ringPath(rank));
    if (!output) {
        failToStart(rank, output.error());
        return false;
    }
    m_output.push_back(std::move(*output));
    return true;
}

bool AttemptSupervisor::startOneRank(int rank)
{
    if (!prepareToRead(rank))
        return false;
    RankCommand command;
    command.argv = m_spec.argv;
    command.environment = rankEnvironment(m_spec, rank, m_port->number(), m_feeds->ringPath(rank), m_layout.folder);
    command.workingFolder = m_spec.workingFolder;
    command.logFile = m_layout.rankLog(rank);
    command.umask = m_spec.umask;
    if (!m_spec.cpus.empty())
        command.cpus = m_spec.cpus[static_cast<std::size_t>(rank)];
    // While a rank lives its GPUs are taken, whatever becomes of the agent.
    for (const FileDescriptor &lease : m_leases)
        command.kept.push_back(lease.get());
    std::sort(command.kept.begin(), command.kept.end());

    auto process = m_launcher.start(m_spec, rank, command);
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
    m_journal.write(std::move(event));
    m_sampler->add(*process);
    m_logTimes.emplace_back(m_layout.rankLog(rank), m_layout.rankTimes(rank));
    m_ranks.push_back(std::move(*process));
    return true;
}

void AttemptSupervisor::failToStart(int rank, const Error &error)
{
    AttemptEvent event;
    event.kind = AttemptEventKind::FirstError;
    event.rank = rank;
    event.failure = FailureKind::NotStarted;
    event.reason = rank < 0 ? facts::Fact(facts::Code::AttemptNotStarted)
                            : facts::Fact(facts::Code::RankNotStarted).with(facts::Field::Rank, rank);
    event.reason = std::move(event.reason).with(facts::Field::Detail, error.message);
    conclude(AttemptOutcome::Failed, event.reason);
    m_journal.write(std::move(event));
}

}  // namespace sweepscope::launch
