// When an engine ends by itself: nobody needs it, or its workspace is gone.
#include "engine/engine.h"

#include <filesystem>

namespace sweepscope::engine {

namespace {

using namespace std::chrono_literals;

constexpr auto patienceWithTrials = 60s;

}  // namespace

void Engine::watchIdleness()
{
    if (!m_settings.idleExit)
        return;
    if (m_server.clientCount() > 0 || !m_runs.empty())
        m_idle.stop();
    else if (!m_idle.isActive())
        m_idle.start(*m_settings.idleExit);
}

/// Whoever deletes a workspace wants nothing of it any more, nor that its trials keep devices. A workspace that is only out of
/// reach for a while, or was moved, is another matter: its files are not deleted.
void Engine::watchWorkspace()
{
    std::error_code error;
    if (!m_lock.isDeleted() || std::filesystem::exists(m_workspace.database(), error) || error)
        return;
    const auto now = std::chrono::steady_clock::now();
    if (!m_workspaceDeleted) {
        m_workspaceDeleted = now;
        note("the workspace was deleted: what runs in it is stopped");
        for (const auto &[id, run] : m_runs) {
            if (const Expected<std::string> stopping = run->control({}, wallNow()); !stopping)
                note("sweep " + run->record().folder + ": " + stopping.error().message);
        }
    }
    if (m_runs.empty() || now - *m_workspaceDeleted > patienceWithTrials)
        Q_EMIT workspaceDeleted();
}

}  // namespace sweepscope::engine
