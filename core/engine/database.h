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
    /// What SQLite said, and what to do about it. Corrupt when the file is no database, or a damaged one.
    tl::unexpected<Error> failure(const QSqlError &error) const;

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
