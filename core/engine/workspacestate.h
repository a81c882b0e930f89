#pragma once

#include "base/filedescriptor.h"
#include "facts/fact.h"

#include <filesystem>
#include <string>

namespace sweepscope::engine {

/// What has become of a file since it was opened.
struct FilePlace {
    bool isHere = true;   ///< its path still names it
    bool hasName = true;  ///< some path does
    std::string path{};   ///< where the kernel says that it is, unless it is here
};
FilePlace placeOf(const FileDescriptor &file, const std::filesystem::path &path);

enum class WorkspaceState {
    Here,
    Elsewhere,   ///< moved, or its disk is not mounted
    NoDatabase,  ///< removed or replaced, while the workspace is here
    Deleted,
};
/// By the lock and the database of an engine.
WorkspaceState workspaceState(const FilePlace &lock, const FilePlace &database);

/// None if the workspace is here.
facts::Fact workspaceProblem(WorkspaceState state, const std::filesystem::path &root, const FilePlace &lock,
                             const FilePlace &database);

}  // namespace sweepscope::engine
