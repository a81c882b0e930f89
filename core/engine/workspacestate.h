#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"
#include "base/workspacelayout.h"
#include "facts/fact.h"

#include <filesystem>
#include <string>

namespace sweepscope::engine {

/// What has happened to a file since it was opened.
struct FilePlace {
    bool isHere = true;   ///< its path still refers to it
    bool hasName = true;  ///< at least one path does
    std::string path{};   ///< where it is according to the kernel, if not here
};
FilePlace placeOf(const FileDescriptor &file, const std::filesystem::path &path);

enum class WorkspaceState {
    Here,
    Elsewhere,   ///< moved, or its disk is not mounted
    NoDatabase,  ///< removed or replaced, while the workspace is here
    Deleted,
};
/// Derives the state from the lock and the database of an engine.
WorkspaceState workspaceState(const FilePlace &lock, const FilePlace &database);

/// Returns None if the workspace is here.
facts::Fact workspaceProblem(WorkspaceState state, const std::filesystem::path &root, const FilePlace &lock,
                             const FilePlace &database);

/// NotFound if the workspace has sweeps but no database. A new database would use their numbers again.
Expected<void> checkDatabaseIsNotLost(const WorkspaceLayout &workspace);

/// Returns None if the workspace is on a local file system. Locks and SQLite's write-ahead log are reliable only between
/// the processes of one machine.
facts::Fact fileSystemWarning(const std::filesystem::path &root);

}  // namespace sweepscope::engine
