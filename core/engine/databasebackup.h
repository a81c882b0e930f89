#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

namespace sweepscope::engine {

/// Keeps a copy of the database next to it (sweepscope.db.bak), a day old at most while an engine runs, and checks the
/// database for damaged pages before it replaces the copy. Both read the whole file, on a thread of its own.
class DatabaseBackup {
public:
    /// Called on that thread: a sentence for the person.
    using Tell = std::function<void(const std::string &problem)>;

    /// `checksSoon`: the first look checks, however new the copy is.
    DatabaseBackup(std::filesystem::path database, bool checksSoon, Tell tell);
    /// Waits for a copy that is being made.
    ~DatabaseBackup();
    DatabaseBackup(const DatabaseBackup &) = delete;
    DatabaseBackup &operator=(const DatabaseBackup &) = delete;

    /// Begins a copy if one is due.
    void look();

    static std::filesystem::path fileFor(const std::filesystem::path &database);

private:
    void checkAndCopy(bool copies);

    std::filesystem::path m_database;
    Tell m_tell;
    bool m_checksSoon;
    std::atomic<bool> m_working{false};
    std::thread m_thread;
};

}  // namespace sweepscope::engine
