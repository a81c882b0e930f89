#pragma once

#include "base/error.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QString>

#include <filesystem>
#include <memory>

namespace sweepscope::engine {

/// One connection to a workspace's SQLite file, for one thread. The engine's is the only one that writes; others open
/// read-only and see the last committed state (write-ahead log).
class Database {
public:
    /// Makes the file and its tables when they are not there. Unsupported: the file is of a newer Sweepscope.
    static Expected<std::unique_ptr<Database>> openForWriting(const std::filesystem::path &file);
    /// NotFound when there is no file.
    static Expected<std::unique_ptr<Database>> openForReading(const std::filesystem::path &file);

    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    ~Database();

    Expected<QSqlQuery> prepare(const char *sql);
    /// The error names the file and what SQLite said.
    Expected<void> execute(QSqlQuery &query);
    Expected<void> execute(const char *sql);
    /// On to the next row: false behind the last one, and an error when there may be more that cannot be read.
    Expected<bool> next(QSqlQuery &query);

    /// Corrupt if pages are damaged. Reads all of the file.
    Expected<void> check();
    /// All of it as one file, in the place of one that is there. Whole or not at all, and on the disk.
    Expected<void> copyTo(const std::filesystem::path &file);

    /// What was committed so far is on disk when this returns, even if the machine loses power then. Costs nothing when
    /// that is so already. A commit alone outlives this process, not the machine: many of them share one wait for the
    /// disk.
    Expected<void> sync();

private:
    friend class Transaction;
    explicit Database(std::filesystem::path file);
    Expected<void> openReadOnly();
    Expected<void> open(const QString &options, const QString &name);
    Expected<int> schemaVersion();
    Expected<void> createTables();
    /// Unsupported if another program made it.
    Expected<void> checkOwner(int schemaVersion);
    Expected<qint64> number(const char *sql);
    /// What SQLite said, and what to do about it. Corrupt when the file is no database, or a damaged one.
    tl::unexpected<Error> failure(const QSqlError &error) const;

    tl::unexpected<Error> damaged(const std::string &what) const;
    std::string whoHoldsIt() const;

    std::filesystem::path m_file;
    QString m_connection;
    bool m_unsynced = false;
};

/// All or nothing: what is not committed is rolled back at the end of the scope.
class Transaction {
public:
    static Expected<Transaction> begin(Database &database);
    Transaction(Transaction &&other) noexcept;
    Transaction &operator=(Transaction &&) = delete;
    ~Transaction();
    Expected<void> commit();

private:
    explicit Transaction(Database &database) : m_database(&database) {}
    Database *m_database;
};

}  // namespace sweepscope::engine
