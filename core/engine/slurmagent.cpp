#include "engine/slurmagent.h"

#include "base/files.h"
#include "engine/jobverdict.h"
#include "slurm/waitingreason.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;
using facts::Code;
using facts::Fact;
using facts::Field;
using std::chrono::steady_clock;

/// What a node has written is seen here by then (NFS: acregmin, 3 s by default).
constexpr auto untilFilesAreSeen = 5s;
/// Then what the files say has to do.
constexpr auto patienceWithSlurm = 60s;
constexpr WallNs readFilesEvery = std::chrono::nanoseconds(1s).count();
/// The link of an attempt that is not to run.
constexpr const char *withdrawnLink = "withdrawn";

const char *nameOfSignal(int signal)
{
    switch (signal) {
    case SIGTERM:
        return "TERM";
    case SIGQUIT:
        return "QUIT";
    case SIGUSR2:
        return "USR2";
    case SIGTSTP:
        return "TSTP";
    case SIGCONT:
        return "CONT";
    default:
        return nullptr;
    }
}

}  // namespace

SlurmAgent::SlurmAgent(ClusterPool &clusters, Attempt attempt)
    : m_clusters(clusters), m_attempt(std::move(attempt)), m_name(slurm::jobName(m_attempt.id))
{}

/// Of several jobs the one that has the attempt.
slurm::JobView SlurmAgent::job() const
{
    slurm::JobNews news = m_clusters.desk().newsOf(m_name);
    if (news.jobs.size() > 1) {
        const auto ours = std::ranges::find(news.jobs, linked(), &slurm::Job::id);
        if (ours != news.jobs.end())
            return *ours;
    }
    return news.view;
}

/// The job that has the attempt; empty if none has it yet.
std::string SlurmAgent::linked() const
{
    std::error_code error;
    return std::filesystem::read_symlink(m_attempt.files.folder / slurm::jobLink, error).string();
}

bool SlurmAgent::hasEndedForAWhile() const
{
    const slurm::JobView view = job();
    const auto *seen = std::get_if<slurm::Job>(&view);
    const bool hasEnded = seen != nullptr ? slurm::hasEnded(seen->state) : std::holds_alternative<slurm::Gone>(view);
    if (!hasEnded)
        m_end.reset();
    else if (!m_end)
        m_end = steady_clock::now();
    return m_end && steady_clock::now() - *m_end >= untilFilesAreSeen;
}

/// Its process cannot be seen, so an end that its files report counts.
std::optional<launch::AgentLife> SlurmAgent::life(const launch::ProcessIdentity & /*agent*/) const
{
    if (hasEndedForAWhile())
        return std::nullopt;
    return launch::AgentLife{true, false};
}

void SlurmAgent::signal(const launch::ProcessIdentity & /*agent*/, int signal)
{
    slurm::JobDesk &desk = m_clusters.desk();
    m_asksToSave = m_asksToSave || signal == SIGUSR2;
    if (const char *name = nameOfSignal(signal))
        desk.signal(m_name, name);
    else
        desk.cancel(m_name);
}

AgentFound SlurmAgent::find(WallNs /*now*/)
{
    if (!m_attempt.hasJob)
        return {{}, Code::EngineEndedBeforeStart, {}};
    slurm::JobDesk &desk = m_clusters.desk();
    if (m_isWithdrawn) {
        // Like a job that begins, so that either the job has the attempt or this.
        std::error_code error;
        std::filesystem::create_symlink(withdrawnLink, m_attempt.files.folder / slurm::jobLink, error);
        if (linked() == withdrawnLink) {
            desk.cancel(m_name);
            return {{}, Code::StoppedOnRequest, {}};
        }
    }
    const slurm::JobNews news = desk.newsOf(m_name);
    if (news.isRefused) {
        m_clusters.noteRefusal(news.problem);
        return {{}, news.problem, {}};
    }
    if (!hasEndedForAWhile())
        return {};
    std::error_code error;
    const std::filesystem::path log = m_attempt.files.agentLog();
    if (std::filesystem::file_size(log, error) > 0 && !error)
        return {{}, {}, Fact(Code::AgentNotStarted).with(Field::Detail, node::lastLineOf(log))};
    return {{}, {}, Code::JobVanished};
}

void SlurmAgent::found(const launch::ProcessIdentity & /*agent*/)
{
    if (!m_isFound)
        m_clusters.noteStart();
    m_isFound = true;
}

bool SlurmAgent::needsRecovery(const launch::ProcessIdentity & /*agent*/) const
{
    return node::hasRings(m_attempt.files, m_attempt.ranks);
}

/// Processes that are left are Slurm's to end.
std::optional<node::Recovery> SlurmAgent::recover(const launch::ProcessIdentity &agent)
{
    return node::recoverRings(m_attempt.files, m_attempt.id, m_attempt.ranks, agent);
}

std::optional<AttemptVerdict> SlurmAgent::explain(const AttemptVerdict &byFiles, bool isRequested)
{
    const auto now = steady_clock::now();
    if (!m_explains) {
        m_explains = now;
        m_clusters.desk().hurry();
    }
    if (auto verdict =
            verdictOfJob(byFiles, isRequested || m_asksToSave, job(), slurm::checkpointTime(m_clusters.settings())))
        return verdict;
    return now - *m_explains >= patienceWithSlurm ? std::optional(byFiles) : std::nullopt;
}

std::optional<Fact> SlurmAgent::waits() const
{
    if (!m_attempt.hasJob)
        return Fact();
    const slurm::JobNews news = m_clusters.desk().newsOf(m_name);
    const auto *seen = std::get_if<slurm::Job>(&news.view);
    if (!m_isFound && seen != nullptr && seen->state == slurm::JobState::Pending && !news.problem)
        return slurm::waitingFact(*seen, news.asked);
    if (!m_isFound && (seen == nullptr || seen->state == slurm::JobState::Pending))
        return news.problem ? news.problem : Fact(Code::JobWaitsForScheduler);
    if (m_runs && seen == nullptr)
        return m_runs;
    Fact runs = Fact(Code::JobRuns).with(Field::Number, static_cast<std::int64_t>(std::atoll(linked().c_str())));
    if (seen != nullptr && !seen->nodeList.empty())
        runs = std::move(runs).with(Field::Detail, seen->nodeList);
    m_runs = std::move(runs);
    return m_runs;
}

void SlurmAgent::withdraw(bool isUrgent)
{
    m_isWithdrawn = true;
    if (isUrgent)
        m_clusters.desk().cancel(m_name);
}

WallNs SlurmAgent::readEvery() const
{
    return readFilesEvery;
}

void SlurmAgent::ended()
{
    m_clusters.desk().forget(m_name);
}

Expected<void> SlurmAgent::write(const std::string &name, const std::string &content)
{
    return writeFileAtomically(m_attempt.files.folder / name, content, Survives::Kill);
}

}  // namespace sweepscope::engine
