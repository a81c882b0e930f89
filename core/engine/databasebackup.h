#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

namespace sweepscope::engine {

/// Keeps a copy of the database next to it (sweepscope.db.bak), at most a day old while an engine runs, and checks the
/// database for damaged pages before it replaces the copy. Both read the entire file, on a separate thread.
class DatabaseBackup {
public:
    /// Called on that thread with a sentence for the user.
    using Report = std::function<void(const std::string &problem)>;

    /// `checksSoon`: the first poll checks, even if the copy is recent.
    DatabaseBackup(std::filesystem::path database, bool checksSoon, Report report);
    /// Waits for a copy in progress.
    ~DatabaseBackup();
    DatabaseBackup(const DatabaseBackup &) = delete;
    DatabaseBackup &operator=(const DatabaseBackup &) = delete;

    /// Starts a copy if one is due.
    void startIfDue();

    static std::filesystem::path fileFor(const std::filesystem::path &database);

private:
    void checkAndCopy(bool copies);

    std::filesystem::path m_database;
    Report m_report;
    bool m_checksSoon;
    std::atomic<bool> m_working{false};
    std::thread m_thread;
};

}  // namespace sweepscope::engine
