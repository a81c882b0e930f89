#include "engine/database.h"

#include "base/filedescriptor.h"
#include "engine/schema.h"

#include <QSqlDatabase>
#include <QUrl>

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::engine {

namespace {
// Result codes of SQLite (sqlite3.h), which Qt hands out as texts. Extended codes carry them in their low byte.
constexpr int sqliteBusy = 5;
constexpr int sqliteLocked = 6;
constexpr int sqliteReadOnly = 8;
constexpr int sqliteCorrupt = 11;
constexpr int sqliteFull = 13;
constexpr int sqliteCannotOpen = 14;
constexpr int sqliteNotADatabase = 26;

tl::unexpected<Error> otherVersion(const std::filesystem::path &file, int version)
{
    const std::string remedy = version > schemaVersionNow ? "use a newer Sweepscope"
                                                          : "open it with the Sweepscope that made it, or choose "
                                                            "another workspace";
    return makeError(ErrorCode::Unsupported, "the database " + file.string() + " has version " + std::to_string(version)
                                                 + ", and this program reads version "
                                                 + std::to_string(schemaVersionNow) + "; " + remedy);
}

bool isOnAReadOnlyDisk(const std::filesystem::path &file)
{
    struct statvfs disk = {};
    return ::statvfs(file.c_str(), &disk) == 0 && (disk.f_flag & ST_RDONLY) != 0;
}
}  // namespace

Database::Database(std::filesystem::path file) : m_file(std::move(file))
{
    static std::atomic<int> counter{0};  // relaxed: only has to differ
    m_connection = QStringLiteral("sweepscope-%1").arg(counter.fetch_add(1, std::memory_order_relaxed));
}

Database::~Database()
{
    // QSqlDatabase objects of this connection are all gone here: prepare() and execute() keep none.
    QSqlDatabase::removeDatabase(m_connection);
}

Expected<std::unique_ptr<Database>> Database::openForWriting(const std::filesystem::path &file)
{
    std::unique_ptr<Database> database(new Database(file));
    if (Expected<void> opened =
            database->open(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"), QString::fromStdString(file.string()));
        !opened)
        return tl::unexpected<Error>(opened.error());
    // NORMAL: no wait for the disk in each commit. sync() waits, before anybody is told of it.
    for (const char *pragma :
         {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON"}) {
        if (Expected<void> done = database->execute(pragma); !done)
            return tl::unexpected<Error>(done.error());
    }
    if (Expected<void> done = database->createTables(); !done)
        return tl::unexpected<Error>(done.error());
    return database;
}

Expected<std::unique_ptr<Database>> Database::openForReading(const std::filesystem::path &file)
{
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return makeError(ErrorCode::NotFound, "there is no database " + file.string());
    std::unique_ptr<Database> database(new Database(file));
    if (Expected<void> opened = database->openReadOnly(); !opened)
        return tl::unexpected<Error>(opened.error());
    const Expected<int> version = database->schemaVersion();
    if (!version)
        return tl::unexpected<Error>(version.error());
    if (*version != schemaVersionNow)
        return otherVersion(file, *version);
    return database;
}

Expected<void> Database::openReadOnly()
{
    const auto options = QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=5000");
    if (!isOnAReadOnlyDisk(m_file))
        return open(options, QString::fromStdString(m_file.string()));
    // Readers, too, write beside a database with a log. Where nobody can, nobody changes it either: so without.
    const std::filesystem::path log = m_file.string() + "-wal";
    std::error_code error;
    if (std::filesystem::file_size(log, error) > 0 && !error)
        return makeError(ErrorCode::Unsupported,
                         "the workspace is on a disk that cannot be written, and its last changes are still in "
                             + log.string() + "; copy the workspace to another disk to read it");
    const QByteArray path = QUrl::toPercentEncoding(QString::fromStdString(m_file.string()), "/");
    return open(options + QStringLiteral(";QSQLITE_OPEN_URI"),
                QStringLiteral("file:") + QString::fromLatin1(path) + QStringLiteral("?immutable=1"));
}

Expected<void> Database::open(const QString &options, const QString &name)
{
    QSqlDatabase connection = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
    if (!connection.isValid())
        return makeError(ErrorCode::Unavailable,
                         "Qt's SQLite driver is missing; install it (Debian: libqt6sql6-sqlite)");
    connection.setDatabaseName(name);
    connection.setConnectOptions(options);
    if (!connection.open())
        return failure(connection.lastError());
    return {};
}

Expected<QSqlQuery> Database::prepare(const char *sql)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    query.setForwardOnly(true);
    if (!query.prepare(QString::fromLatin1(sql)))
        return failure(query.lastError());
    return query;
}

Expected<void> Database::execute(QSqlQuery &query)
{
    if (!query.exec())
        return failure(query.lastError());
    return {};
}

Expected<void> Database::execute(const char *sql)
{
    QSqlQuery query(QSqlDatabase::database(m_connection, false));
    if (!query.exec(QString::fromLatin1(sql)))
        return failure(query.lastError());
    return {};
}

Expected<bool> Database::next(QSqlQuery &query)
{
    if (query.next())
        return true;
    if (query.lastError().isValid())
        return failure(query.lastError());
    return false;
}

Expected<void> Database::sync()
{
    if (!m_unsynced)
        return {};
    // SQLite's own descriptor is out of reach; one file has one set of pages, whoever syncs it.
    const std::string log = m_file.string() + "-wal";
    const FileDescriptor file(::open(log.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file || ::fdatasync(file.get()) != 0)
        return makeErrnoError("cannot bring " + log + " to the disk", errno);
    m_unsynced = false;
    return {};
}

Expected<int> Database::schemaVersion()
{
    Expected<QSqlQuery> query = prepare("PRAGMA user_version");
    if (!query)
        return tl::unexpected<Error>(query.error());
    if (Expected<void> done = execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    return next(*query).map([&](bool isThere) { return isThere ? query->value(0).toInt() : 0; });
}

Expected<void> Database::createTables()
{
    const Expected<int> version = schemaVersion();
    if (!version)
        return tl::unexpected<Error>(version.error());
    if (*version == schemaVersionNow)
        return {};
    if (*version != 0)
        return otherVersion(m_file, *version);
    Expected<Transaction> transaction = Transaction::begin(*this);
    if (!transaction)
        return tl::unexpected<Error>(transaction.error());
    for (const char *statement : schema()) {
        if (Expected<void> done = execute(statement); !done)
            return done;
    }
    const std::string mark = "PRAGMA user_version = " + std::to_string(schemaVersionNow);
    return execute(mark.c_str()).and_then([&] { return transaction->commit(); });
}

tl::unexpected<Error> Database::failure(const QSqlError &error) const
{
    // The driver's own text ("Unable to execute statement") says less than SQLite's.
    const QString said = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const std::string sentence = "the database " + m_file.string() + " failed: " + said.trimmed().toStdString();
    const int primaryCode = error.nativeErrorCode().toInt() & 0xff;
    switch (primaryCode) {
    case sqliteCorrupt:
    case sqliteNotADatabase:
        return makeError(
            ErrorCode::Corrupt,
            sentence
                + "; put a copy of it back, or move it away to begin with an empty one: the curves and logs "
                  "under "
                + (m_file.parent_path() / "sweeps").string() + " stay");
    case sqliteFull:
        return makeError(ErrorCode::NoSpace, sentence + "; make room on the disk");
    case sqliteBusy:
    case sqliteLocked:
        return makeError(ErrorCode::Io, sentence + "; another program holds it");
    case sqliteReadOnly:
    case sqliteCannotOpen:
        return makeError(ErrorCode::NotPermitted, sentence + "; the file and its folder must be writable");
    default:
        return makeError(ErrorCode::Io, sentence);
    }
}

Expected<Transaction> Transaction::begin(Database &database)
{
    if (Expected<void> begun = database.execute("BEGIN IMMEDIATE"); !begun)
        return tl::unexpected<Error>(begun.error());
    return Transaction(database);
}

Transaction::Transaction(Transaction &&other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}

Transaction::~Transaction()
{
    if (m_database != nullptr)
        (void)m_database->execute("ROLLBACK");  // nothing more can be done: the caller has the first error already
}

Expected<void> Transaction::commit()
{
    Expected<void> done = m_database->execute("COMMIT");
    if (done) {
        m_database->m_unsynced = true;
        m_database = nullptr;
    }
    return done;
}

}  // namespace sweepscope::engine
