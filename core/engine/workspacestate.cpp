#include "engine/workspacestate.h"

#include "base/files.h"
#include "base/folderentries.h"
#include "base/samefile.h"
#include "base/sharedfilesystem.h"

#include <unistd.h>
#include <utility>

namespace sweepscope::engine {

FilePlace placeOf(const FileDescriptor &file, const std::filesystem::path &path)
{
    if (isNamed(file, path))
        return {};
    FilePlace place{false, !hasNoName(file.get())};
    std::error_code error;
    if (place.hasName)
        place.path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file.get()), error).string();
    return place;
}

WorkspaceState workspaceState(const FilePlace &lock, const FilePlace &database)
{
    if (lock.isHere)
        return database.isHere ? WorkspaceState::Here : WorkspaceState::NoDatabase;
    if (!lock.hasName && !database.hasName)
        return WorkspaceState::Deleted;
    // Only the lock file was deleted: the engine recreates it.
    return !lock.hasName && database.isHere ? WorkspaceState::Here : WorkspaceState::Elsewhere;
}

facts::Fact workspaceProblem(WorkspaceState state, const std::filesystem::path &root, const FilePlace &lock,
                             const FilePlace &database)
{
    using facts::Code;
    using facts::Field;
    switch (state) {
    case WorkspaceState::Here:
        break;
    case WorkspaceState::Elsewhere: {
        const std::filesystem::path file = lock.path.empty() ? database.path : lock.path;
        const std::string now = file.parent_path().string();
        facts::Fact moved = facts::Fact(Code::WorkspaceMoved).with(Field::Before, root.string());
        return now.empty() || now == root.string() ? moved : std::move(moved).with(Field::After, now);
    }
    case WorkspaceState::NoDatabase:
        return facts::Fact(Code::DatabaseRemoved)
            .with(Field::Device, (root / "sweepscope.db").string())
            .with(Field::Pid, ::getpid());
    case WorkspaceState::Deleted:
        return Code::WorkspaceDeleted;
    }
    return {};
}

Expected<void> checkDatabaseIsNotLost(const WorkspaceLayout &workspace)
{
    std::error_code error;
    if (std::filesystem::exists(workspace.database(), error))
        return {};
    for (const auto &entry : entriesOf(workspace.root / "sweeps")) {
        if (std::filesystem::exists(entry.path() / "sweep.toml", error))
            return makeError(ErrorCode::NotFound, "the workspace " + workspace.root.string()
                                                      + " has sweeps but no database; rebuild it before you start a "
                                                        "sweep there: sweepctl rescue --workspace "
                                                      + workspace.root.string());
    }
    return {};
}

facts::Fact fileSystemWarning(const std::filesystem::path &root)
{
    const std::optional<std::string_view> shared = sharedFileSystemOf(root);
    return shared ? facts::Fact(facts::Code::WorkspaceShared)
                        .with(facts::Field::Device, root.string())
                        .with(facts::Field::Detail, std::string(*shared))
                  : facts::Fact();
}

}  // namespace sweepscope::engine
