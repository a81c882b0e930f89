#include "engine/databasebackup.h"

#include "engine/database.h"

#include <utility>

namespace sweepscope::engine {

namespace {

constexpr std::chrono::hours longestAge{24};

bool isDue(const std::filesystem::path &backup)
{
    std::error_code error;
    const auto written = std::filesystem::last_write_time(backup, error);
    return error || std::filesystem::file_time_type::clock::now() - written > longestAge;
}

}  // namespace

DatabaseBackup::DatabaseBackup(std::filesystem::path database, bool checksSoon, Report report)
    : m_database(std::move(database)), m_report(std::move(report)), m_checksSoon(checksSoon)
{}

DatabaseBackup::~DatabaseBackup()
{
    if (m_thread.joinable())
        m_thread.join();
}

std::filesystem::path DatabaseBackup::fileFor(const std::filesystem::path &database)
{
    return database.string() + ".bak";
}

void DatabaseBackup::startIfDue()
{
    if (m_working.load(std::memory_order_acquire))  // pairs with the release when the thread ends
        return;
    const bool copies = isDue(fileFor(m_database));
    if (!copies && !m_checksSoon)
        return;
    m_checksSoon = false;
    if (m_thread.joinable())
        m_thread.join();
    m_working.store(true, std::memory_order_relaxed);  // the thread is not running yet
    m_thread = std::thread([this, copies] {
        checkAndCopy(copies);
        m_working.store(false, std::memory_order_release);
    });
}

/// Never replaces a good copy with one of a damaged database.
void DatabaseBackup::checkAndCopy(bool copies)
{
    Expected<std::unique_ptr<Database>> database = Database::openForReading(m_database);
    Expected<void> done = database ? (*database)->check() : tl::unexpected<Error>(database.error());
    if (done && copies)
        done = (*database)->copyTo(fileFor(m_database));
    if (!done)
        m_report(done.error().message);
}

}  // namespace sweepscope::engine
