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

bool Engine::lookAtWorkspace()
{
    const FilePlace lock = placeOf(m_lock.file(), m_workspace.lockFile());
    const FilePlace database = placeOf(m_databaseFile, m_workspace.database());
    const WorkspaceState state = workspaceState(lock, database);
    if (state != m_workspaceState) {
        m_workspaceState = state;
        m_workspaceWarning = workspaceProblem(state, m_workspace.root, lock, database);
        if (m_workspaceWarning)
            tellProblem(m_workspaceWarning);
        else
            note("the workspace " + m_workspace.root.string() + " is in its place again");
        for (const auto &[id, run] : m_runs)
            run->noteWorkspace(m_workspaceWarning);
    }
    return state == WorkspaceState::Here;
}

/// What this engine wrote is in a file without a name, which goes with it.
void Engine::saveRemovedDatabase()
{
    std::error_code error;
    if (!hasNoName(m_databaseFile.get()) || !placeOf(m_lock.file(), m_workspace.lockFile()).isHere
        || std::filesystem::exists(m_workspace.database(), error))
        return;
    for (const char *part : {"-wal", "-shm"})  // of the removed one: its log would be taken for the new one's
        std::filesystem::remove(m_workspace.database().string() + part, error);
    const Expected<void> saved = m_database->copyTo(m_workspace.database());
    note(saved ? "the database was removed, and is there again" : "the database is lost: " + saved.error().message);
}

/// Whoever deletes a workspace wants nothing of it any more, nor that its trials keep devices.
void Engine::watchWorkspace()
{
    if (lookAtWorkspace() && !m_sweeps.empty())
        m_backup.look();
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
