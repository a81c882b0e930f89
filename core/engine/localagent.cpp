#include "engine/localagent.h"

#include "base/files.h"

#include <chrono>
#include <utility>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;

/// An agent that was started just before its engine was killed writes its first event within this time.
constexpr WallNs patienceWithUnknownAgent = std::chrono::nanoseconds(3s).count();

}  // namespace

LocalAgent::LocalAgent(AttemptLayout files, std::string attemptId, int ranks)
    : m_files(std::move(files)), m_attemptId(std::move(attemptId)), m_ranks(ranks)
{}

std::optional<launch::AgentLife> LocalAgent::life(const launch::ProcessIdentity &agent) const
{
    ++m_looks;
    return launch::readAgentLife(agent);
}

std::optional<std::uint64_t> LocalAgent::activity(const launch::ProcessIdentity &agent) const
{
    return launch::readAgentActivity(agent);
}

void LocalAgent::signal(const launch::ProcessIdentity &agent, int signal)
{
    (void)launch::signalProcess(agent, signal);  // already gone: life() shows that
}

AgentFound LocalAgent::find(WallNs now)
{
    if (!m_withdrawn) {
        // After this no agent can begin: one that starts late finds no launch.json.
        node::withdrawLaunchFile(m_files);
        m_withdrawn = now;
    }
    if (now - *m_withdrawn < patienceWithUnknownAgent || node::findAgent(m_files.folder))
        return {};
    return {{}, facts::Code::EngineEndedBeforeStart};
}

void LocalAgent::found(const launch::ProcessIdentity & /*agent*/)
{
    if (m_withdrawn)
        node::restoreLaunchFile(m_files);
}

bool LocalAgent::needsRecovery(const launch::ProcessIdentity & /*agent*/) const
{
    // An agent that ended normally leaves no ring, unless the disk had no room for its content.
    return node::hasRings(m_files, m_ranks);
}

std::optional<node::Recovery> LocalAgent::recover(const launch::ProcessIdentity &agent)
{
    return node::recoverAttempt(m_files, m_attemptId, m_ranks, agent);
}

void LocalAgent::moveWaits(WallNs change)
{
    if (m_withdrawn)
        *m_withdrawn += change;
}

Expected<void> LocalAgent::write(const std::string &name, const std::string &content)
{
    return writeFileAtomically(m_files.folder / name, content, Survives::Kill);
}

}  // namespace sweepscope::engine
