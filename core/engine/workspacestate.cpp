#include "engine/workspacestate.h"

#include "base/files.h"
#include "base/samefile.h"

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
    // Only the lock's file was deleted: the engine makes it again.
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
        return facts::Fact(Code::DatabaseRemoved).with(Field::Device, (root / "sweepscope.db").string());
    case WorkspaceState::Deleted:
        return Code::WorkspaceDeleted;
    }
    return {};
}

}  // namespace sweepscope::engine
