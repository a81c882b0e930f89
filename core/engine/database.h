#pragma once

#include "base/error.h"

#include <QSqlError>
#include <QSqlQuery>
#include <QString>

#include <filesystem>
#include <memory>
#include <string>

namespace sweepscope::engine {

/// One connection to a workspace's SQLite file, for one thread. Only the engine's connection writes; others open
/// read-only and see the last committed state (write-ahead log).
class Database {
public:
    /// Creates the file and its tables if missing. Unsupported: a newer Sweepscope wrote the file.
    static Expected<std::unique_ptr<Database>> openForWriting(const std::filesystem::path &file);
    /// NotFound if there is no file.
    static Expected<std::unique_ptr<Database>> openForReading(const std::filesystem::path &file);

    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;
    ~Database();

    Expected<QSqlQuery> prepare(const char *sql);
    /// The error names the file and includes SQLite's message.
    Expected<void> execute(QSqlQuery &query);
    Expected<void> execute(const char *sql);
    /// Advances to the next row. Returns false after the last one, and an error if there may be more rows that cannot
    /// be read.
    Expected<bool> next(QSqlQuery &query);

    /// Returns Corrupt if pages are damaged. Reads the entire file.
    Expected<void> check();
    /// Writes the database to one file, replacing an existing one atomically. The copy is on disk when this returns.
    Expected<void> copyTo(const std::filesystem::path &file);

    /// Makes the tables of another file readable as `schema`.TABLE. Not within a transaction.
    Expected<void> attach(const std::filesystem::path &file, const std::string &schema);
    Expected<void> detach(const std::string &schema);

    /// When this returns, all commits so far survive even a power loss. Free if they already do. A commit alone
    /// survives only the end of this process, so that many commits share one wait for the disk.
    Expected<void> sync();

private:
    friend class Transaction;
    explicit Database(std::filesystem::path file);
    Expected<void> openReadOnly();
    Expected<void> open(const QString &options, const QString &name);
    Expected<int> schemaVersion();
    Expected<void> createTables();
    /// Returns Unsupported if another program created it.
    Expected<void> checkOwner(int schemaVersion);
    Expected<qint64> number(const char *sql);
    /// Returns SQLite's message and what to do about it. Corrupt if the file is not a database or damaged.
    tl::unexpected<Error> failure(const QSqlError &error) const;

    tl::unexpected<Error> damaged(const std::string &what) const;
    std::string whoHoldsIt() const;

    std::filesystem::path m_file;
    QString m_connection;
    bool m_unsynced = false;
};

/// A transaction that is rolled back at the end of the scope unless committed.
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
