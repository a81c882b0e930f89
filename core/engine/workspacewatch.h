#pragma once

#include "base/workspacelayout.h"
#include "engine/database.h"
#include "engine/enginelock.h"
#include "engine/workspacestate.h"

namespace sweepscope::engine {

/// Watches whether an engine's workspace and its database are in place. Restores the lock and the database if their
/// files were removed while the engine runs.
class WorkspaceWatch {
public:
    /// The database must exist.
    WorkspaceWatch(WorkspaceLayout workspace, EngineLock lock);

    /// Checks again. Returns true if the state has changed.
    bool poll();
    WorkspaceState state() const { return m_state; }
    bool isHere() const { return m_state == WorkspaceState::Here; }
    bool isDeleted() const { return m_state == WorkspaceState::Deleted; }
    /// Returns None while the workspace is here.
    const facts::Fact &warning() const { return m_warning; }

    /// Locks again if the lock's file was deleted: two engines of one workspace would start each trial twice.
    /// AlreadyExists: another engine has the workspace.
    Expected<void> keepLock();
    /// Writes the database again if its file was removed and no other file is in its place. Otherwise the data would be
    /// in a file without a name, which disappears with the engine.
    void saveRemovedDatabase(Database &database);

private:
    WorkspaceLayout m_workspace;
    EngineLock m_lock;
    FileDescriptor m_databaseFile;  ///< never read: only shows whether the file still has a name
    WorkspaceState m_state = WorkspaceState::Here;
    facts::Fact m_warning;
};

}  // namespace sweepscope::engine
