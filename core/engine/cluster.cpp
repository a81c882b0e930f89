#include "engine/cluster.h"

#include "slurm/localcommand.h"

#include <utility>

namespace sweepscope::engine {

using facts::Code;
using facts::Fact;

Cluster::Cluster(const std::optional<remote::SshTarget> &login, slurm::Settings settings)
    : m_settings(std::move(settings)),
      m_login(login ? std::make_unique<remote::LoginNode>(*login) : nullptr),
      m_desk(m_login ? m_login->runner() : slurm::Runner(slurm::runHere), m_settings)
{}

void Cluster::use(const remote::SshTarget &login)
{
    if (m_login)
        m_login->use(login);
}

void Cluster::use(const slurm::Settings &settings)
{
    m_settings = settings;
    m_desk.useSettings(settings);
}

schedule::Scheduler::Cluster Cluster::offered() const
{
    return {m_desk.cluster().hasGpus, m_settings.waiting};
}

Fact Cluster::unavailable() const
{
    const slurm::ClusterNews news = m_desk.cluster();
    if (news.isKnown)
        return {};
    return news.problem ? news.problem : Fact(Code::ClusterAsked);
}

}  // namespace sweepscope::engine
