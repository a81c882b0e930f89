#include "engine/answer.h"
#include "engine/engine.h"

#include <system_error>
#include <utility>

/// What becomes of sweeps that have ended: put out of the way, brought back, deleted.
namespace sweepscope::engine {

using Action = sweep::Control::Action;

Expected<std::string> Engine::keep(std::int64_t sweepId, Action action)
{
    retireEnded();
    const sweep::SweepRecord *known = sweep(sweepId);
    if (known == nullptr)
        return makeError(ErrorCode::NotFound, "there is no sweep " + std::to_string(sweepId));
    note("sweep " + known->folder + ": a client asks: " + sweep::toString(action));
    if (!known->ended)
        return cannot("the sweep " + known->folder + " has not ended; stop it before");
    return action == Action::Delete ? deleteSweep(*known) : archive(*known, action == Action::Archive);
}

Expected<std::string> Engine::archive(sweep::SweepRecord record, bool archived)
{
    if (record.archived == archived)
        return Answer().say(archived ? "It is archived already." : "It is not archived.").text();
    record.archived = archived;
    const std::string cause = archived ? "a person archived it" : "a person brought it back";
    if (const Expected<void> written = m_store.changeSweepState(record, record.state, cause, wallNow()); !written) {
        note(written.error().message);
        return notWritten();
    }
    const std::int64_t id = record.id;
    m_sweeps.insert_or_assign(id, std::move(record));
    sweepChanged(id);
    return Answer()
        .say(archived ? "The sweep is archived: lists leave it out until it is brought back, and nothing of it is lost."
                      : "The sweep is listed again.")
        .text();
}

Expected<std::string> Engine::deleteSweep(const sweep::SweepRecord &record)
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
    const std::string name = record.folder;
    const auto trials = static_cast<std::size_t>(record.trialsTotal);
    if (const Expected<void> done = m_store.deleteSweep(id, moveAway); !done) {
        note(done.error().message);
        std::error_code error;
        if (isMoved)
            std::filesystem::rename(place, folder, error);
        return makeError(done.error().code, "nothing was deleted: " + done.error().message);
    }
    m_sweeps.erase(id);
    settle();  // before its files are gone, nobody finds it in the database any more
    if (isMoved)
        m_removal.remove(place);
    m_server.sweepRemoved(id);
    return Answer()
        .say("The sweep " + name + " is deleted, with " + count(trials, {}) + "; their files are being removed.")
        .text();
}

}  // namespace sweepscope::engine
