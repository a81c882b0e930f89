#include "engine/sweepkeeping.h"

#include "base/log.h"
#include "snapshot/snapshot.h"

#include <system_error>
#include <utility>

namespace sweepscope::engine {

using facts::Code;
using facts::Fact;
using facts::Field;

Reply archiveSweep(Store &store, sweep::SweepRecord &record, bool archived, WallNs now)
{
    if (record.archived == archived)
        return facts::Facts{archived ? Code::AlreadyArchived : Code::NotArchived};
    sweep::SweepRecord changed = record;
    changed.archived = archived;
    const Fact reason = archived ? Code::Archived : Code::Unarchived;
    if (const Expected<void> written = store.changeSweep({changed, reason}, changed.state, now); !written) {
        log(LogLevel::Error, "engine", written.error().message);
        return tl::unexpected<Fact>(Code::DatabaseNotWritten);
    }
    record = std::move(changed);
    return facts::Facts{Fact(reason).with(Field::Sweep, record.name)};
}

tl::expected<DeletedSweep, Fact> deleteSweep(Store &store, const sweep::SweepRecord &record,
                                             const std::filesystem::path &folder, const FolderRemoval &removal)
{
    const std::filesystem::path place = removal.placeFor(record.folder);
    bool isMoved = false;
    const auto moveAway = [&]() -> Expected<void> {
        std::error_code error;
        std::filesystem::rename(folder, place, error);
        isMoved = !error;
        if (error && error != std::errc::no_such_file_or_directory)
            return makeErrnoError("cannot move the folder " + folder.string(), error.value());
        return {};
    };
    if (const Expected<void> done = store.deleteSweep(record.id, moveAway); !done) {
        log(LogLevel::Error, "engine", done.error().message);
        std::error_code error;
        if (isMoved)
            std::filesystem::rename(place, folder, error);
        return tl::unexpected<Fact>(Fact(Code::FolderNotMoved).with(Field::Detail, done.error().message));
    }
    DeletedSweep deleted{
        counted(Code::SweepDeleted, static_cast<std::size_t>(record.trialsTotal)).with(Field::Sweep, record.folder),
        {}};
    if (isMoved)
        deleted.folder = place;
    return deleted;
}

void removeUnusedCode(const WorkspaceLayout &workspace, const std::atomic<bool> &ending)
{
    const auto isKept = [&](const std::string &sweep) {
        std::error_code error;
        return std::filesystem::exists(workspace.sweepFolder(sweep), error);
    };
    const Expected<void> done = snapshot::keepOnly(workspace.codeStore(), isKept, ending);
    if (!done && !ending)
        log(LogLevel::Warning, "engine", "snapshots of deleted sweeps remain: " + done.error().message);
}

}  // namespace sweepscope::engine
