#include "engine/jobfiles.h"

#include "base/files.h"
#include "node/attemptstart.h"

#include <utility>

namespace sweepscope::engine {

SharedJobFiles::SharedJobFiles(Attempt attempt, std::filesystem::path agent)
    : m_attempt(std::move(attempt)), m_agent(std::move(agent))
{}

std::optional<tl::expected<JobFiles::Place, facts::Fact>> SharedJobFiles::place()
{
    return Place{m_attempt.files.folder.string(), m_agent.string()};
}

bool SharedJobFiles::withdraw()
{
    const Expected<std::string> job = node::withdrawFromJobs(m_attempt.files);
    return job && job->empty();
}

bool SharedJobFiles::needsRecovery() const
{
    return node::hasRings(m_attempt.files, m_attempt.ranks);
}

/// Processes that are left are Slurm's to end.
node::Recovery SharedJobFiles::recover(const launch::ProcessIdentity &agent)
{
    return node::recoverRings(m_attempt.files, m_attempt.id, m_attempt.ranks, agent);
}

Expected<void> SharedJobFiles::handOver(const std::string &other, const std::string &folder)
{
    return writeFileAtomically(AttemptLayout{other}.nextOfJob(), folder + "\n", Survives::Kill);
}

Expected<void> SharedJobFiles::write(const std::string &name, const std::string &content)
{
    return writeFileAtomically(m_attempt.files.folder / name, content, Survives::Kill);
}

}  // namespace sweepscope::engine
