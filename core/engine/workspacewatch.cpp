#include "engine/workspacewatch.h"

#include "base/files.h"
#include "base/log.h"

#include <fcntl.h>
#include <system_error>
#include <utility>

namespace sweepscope::engine {

WorkspaceWatch::WorkspaceWatch(WorkspaceLayout workspace, EngineLock lock)
    : m_workspace(std::move(workspace)),
      m_lock(std::move(lock)),
      m_databaseFile(::open(m_workspace.database().c_str(), O_PATH | O_CLOEXEC))
{}

bool WorkspaceWatch::poll()
{
    const FilePlace lock = placeOf(m_lock.file(), m_workspace.lockFile());
    const FilePlace database = placeOf(m_databaseFile, m_workspace.database());
    const WorkspaceState state = workspaceState(lock, database);
    if (state == m_state)
        return false;
    m_state = state;
    m_warning = workspaceProblem(state, m_workspace.root, lock, database);
    return true;
}

Expected<void> WorkspaceWatch::keepLock()
{
    if (!m_lock.isDeleted())
        return {};
    Expected<EngineLock> lock = EngineLock::acquire(m_workspace.lockFile());
    if (!lock)
        return tl::unexpected<Error>(lock.error());
    log(LogLevel::Warning, "engine", "the lock file was deleted and has been restored");
    m_lock = std::move(*lock);
    return {};
}

void WorkspaceWatch::saveRemovedDatabase(Database &database)
{
    std::error_code error;
    if (!hasNoName(m_databaseFile.get()) || !placeOf(m_lock.file(), m_workspace.lockFile()).isHere
        || std::filesystem::exists(m_workspace.database(), error))
        return;
    for (const char *part : {"-wal", "-shm"})  // the removed database's log would be taken for the new one's
        std::filesystem::remove(m_workspace.database().string() + part, error);
    const Expected<void> saved = database.copyTo(m_workspace.database());
    if (saved)
        log(LogLevel::Warning, "engine", "the database was removed and has been restored");
    else
        log(LogLevel::Error, "engine", "the database is lost: " + saved.error().message);
}

}  // namespace sweepscope::engine
