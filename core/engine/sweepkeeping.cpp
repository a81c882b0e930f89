#include "engine/engine.h"

#include <system_error>
#include <utility>

/// What becomes of sweeps that have ended: put out of the way, brought back, deleted.
namespace sweepscope::engine {

using facts::Code;
using facts::Fact;
using facts::Field;

Reply Engine::keep(std::int64_t sweepId, sweep::Control::Action action)
{
    using Action = sweep::Control::Action;
    retireEnded();
    const sweep::SweepRecord *known = sweep(sweepId);
    if (known == nullptr)
        return tl::unexpected<Fact>(Fact(Code::NoSuchSweep).with(Field::Number, sweepId));
    note("sweep " + known->folder + ": a client asks: " + sweep::toString(action));
    if (!known->ended)
        return tl::unexpected<Fact>(Fact(Code::SweepIsActive).with(Field::Sweep, known->folder));
    return action == Action::Delete ? deleteSweep(*known) : archive(*known, action == Action::Archive);
}

Reply Engine::archive(sweep::SweepRecord record, bool archived)
{
    if (record.archived == archived)
        return facts::Facts{archived ? Code::AlreadyArchived : Code::NotArchived};
    record.archived = archived;
    const Fact reason = archived ? Code::Archived : Code::Unarchived;
    if (const Expected<void> written = m_store.changeSweep({record, reason}, record.state, wallNow()); !written) {
        note(written.error().message);
        return tl::unexpected<Fact>(Code::DatabaseNotWritten);
    }
    const std::int64_t id = record.id;
    m_sweeps.insert_or_assign(id, std::move(record));
    sweepChanged(id);
    return facts::Facts{reason};
}

Reply Engine::deleteSweep(const sweep::SweepRecord &record)
{
    const std::filesystem::path folder = m_workspace.sweepFolder(record.folder);
    const std::filesystem::path place = m_removal.placeFor(record.folder);
    bool isMoved = false;
    const auto moveAway = [&]() -> Expected<void> {
        std::error_code error;
        std::filesystem::rename(folder, place, error);
        isMoved = !error;
        if (error && error != std::errc::no_such_file_or_directory)
            return makeErrnoError("cannot move the folder " + folder.string(), error.value());
        return {};
    };
    const std::int64_t id = record.id;
    Fact deleted =
        counted(Code::SweepDeleted, static_cast<std::size_t>(record.trialsTotal)).with(Field::Sweep, record.folder);
    if (const Expected<void> done = m_store.deleteSweep(id, moveAway); !done) {
        note(done.error().message);
        std::error_code error;
        if (isMoved)
            std::filesystem::rename(place, folder, error);
        return tl::unexpected<Fact>(Fact(Code::FolderNotMoved).with(Field::Detail, done.error().message));
    }
    m_sweeps.erase(id);
    settle();  // before its files are gone, nobody finds it in the database any more
    if (isMoved)
        m_removal.remove(place);
    m_server.sweepRemoved(id);
    return facts::Facts{std::move(deleted)};
}

}  // namespace sweepscope::engine
