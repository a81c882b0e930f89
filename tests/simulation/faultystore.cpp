#include "simulation/faultystore.h"

#include <array>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace sweepscope::simulation {

namespace {

constexpr std::array<const char *, 2> statements{"INSERT ON main.history", "UPDATE ON main.sweep"};

}  // namespace

SimulatedDatabase::SimulatedDatabase()
{
    std::error_code error;
    const bool isThere = std::filesystem::is_directory("/dev/shm", error);
    std::string pattern =
        (isThere ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) / "simulation-XXXXXX";
    m_folder = ::mkdtemp(pattern.data()) != nullptr ? pattern : std::string();
}

SimulatedDatabase::~SimulatedDatabase()
{
    m_database.reset();
    std::error_code error;
    if (!m_folder.empty())
        std::filesystem::remove_all(m_folder, error);
}

std::filesystem::path SimulatedDatabase::file(const char *ending) const
{
    return m_folder / (std::to_string(m_generation) + ".db" + ending);
}

Expected<void> SimulatedDatabase::open()
{
    return engine::Database::openForWriting(file()).and_then([&](std::unique_ptr<engine::Database> opened) {
        m_database = std::move(opened);
        return m_database->check();
    });
}

void SimulatedDatabase::kill()
{
    // Closing would clean up. A copy preserves the state without that; the log's index is rebuilt from the log.
    const std::filesystem::path before = file();
    const std::filesystem::path log = file("-wal");
    ++m_generation;
    std::error_code error;
    std::filesystem::copy_file(before, file(), error);
    std::filesystem::copy_file(log, file("-wal"), error);
    m_database.reset();
    std::filesystem::remove(before, error);
}

Expected<void> FaultyStore::write(const char *statement, const Write &body)
{
    ++writes;
    if (killAt > 0 && --killAt == 0) {
        if (killPlace == Place::Within)
            (void)failWithin(statement, body);
        if (killPlace == Place::After)
            (void)body();
        throw Killed();
    }
    if (!diskIsFull)
        return body();
    const Expected<void> done =
        m_dice.oneIn(2) ? failWithin(statement, body) : makeError(ErrorCode::NoSpace, "the simulated disk is full");
    failures += done ? 0 : 1;
    return done;
}

Expected<void> FaultyStore::writeRungs(const Write &body)
{
    const bool wasLost = std::exchange(rungsMayBeLost, true);
    Expected<void> done = write("INSERT ON main.prune_log", body);
    rungsMayBeLost = wasLost || !done;
    return done;
}

/// SQLite refuses a statement of the transaction, which then must leave no changes.
Expected<void> FaultyStore::failWithin(const char *statement, const Write &body)
{
    const int choice = m_dice.below(static_cast<int>(statements.size()) + 1);
    const std::string chosen =
        choice == 0 ? std::string(statement) : std::string(statements[static_cast<std::size_t>(choice - 1)]);
    const std::string trigger =
        "CREATE TEMP TRIGGER fault BEFORE " + chosen + " BEGIN SELECT RAISE(FAIL, 'the simulated disk is full'); END";
    if (Expected<void> armed = m_database.execute(trigger.c_str()); !armed)
        return armed;
    Expected<void> done = body();
    if (Expected<void> disarmed = m_database.execute("DROP TRIGGER temp.fault"); !disarmed)
        return disarmed;
    return done;
}

}  // namespace sweepscope::simulation
