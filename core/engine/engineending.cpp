// When an engine ends by itself: nobody needs it, or its workspace is gone.
#include "base/files.h"
#include "engine/engine.h"

#include "wording/sentence.h"

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

/// Lock and database, as they were opened: a workspace that is out of reach for a while, or was moved, is not deleted.
bool Engine::isWorkspaceDeleted() const
{
    return m_lock.isDeleted() && hasNoName(m_databaseFile.get());
}

/// Whoever deletes a workspace wants nothing of it any more, nor that its trials keep devices.
void Engine::watchWorkspace()
{
    if (!isWorkspaceDeleted()) {
        if (m_lock.isDeleted())
            lockAgain();
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (!m_workspaceDeleted) {
        m_workspaceDeleted = now;
        note("the workspace was deleted: what runs in it is stopped");
        for (const auto &[id, run] : m_runs) {
            if (const Reply stopping = run->control({}, wallNow()); !stopping)
                note("sweep " + run->record().folder + ": " + wording::sentence(stopping.error()));
        }
    }
    if (m_runs.empty() || now - *m_workspaceDeleted > patienceWithTrials)
        Q_EMIT workspaceLost("its workspace was deleted");
}

/// Somebody took the lock's file for a left-over. Two engines of one workspace would start each trial twice.
void Engine::lockAgain()
{
    Expected<EngineLock> lock = EngineLock::acquire(m_workspace.lockFile());
    if (lock) {
        note("the lock file was deleted, and is there again");
        m_lock = std::move(*lock);
    } else if (lock.error().code == ErrorCode::AlreadyExists) {
        Q_EMIT workspaceLost("another one has taken its workspace over");
    }
}

}  // namespace sweepscope::engine
