#include "engine/database.h"

#include "base/filedescriptor.h"
#include "base/filelock.h"
#include "engine/schema.h"

#include <QSqlDatabase>
#include <QUrl>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace sweepscope::engine {

namespace {
// Result codes of SQLite (sqlite3.h), which Qt returns as strings. Extended codes carry them in their low byte.
constexpr int sqliteBusy = 5;
constexpr int sqliteLocked = 6;
constexpr int sqliteReadOnly = 8;
constexpr int sqliteCorrupt = 11;
constexpr int sqliteFull = 13;
constexpr int sqliteCannotOpen = 14;
constexpr int sqliteNotADatabase = 26;

tl::unexpected<Error> otherVersion(const std::filesystem::path &file, int version)
{
    const std::string remedy =
        version > schemaVersionNow
            ? "use a newer Sweepscope"
            : "open it with the version of Sweepscope that created it, or choose another workspace";
    return makeError(ErrorCode::Unsupported, "the database " + file.string() + " has version " + std::to_string(version)
                                                 + ", but this program reads version "
                                                 + std::to_string(schemaVersionNow) + "; " + remedy);
}

/// "SwSc"; shown by file(1) and by other SQLite programs.
constexpr qint64 applicationId = 0x53775363;
/// For the engine's own statements: if another program holds a lock, try again later instead of blocking.
constexpr const char *busyPragma = "PRAGMA busy_timeout = 20";

bool isOnAReadOnlyDisk(const std::filesystem::path &file)
{
    struct statvfs disk = {};
    return ::statvfs(file.c_str(), &disk) == 0 && (disk.f_flag & ST_RDONLY) != 0;
}
/// Checks with effective ids, as open() does.
bool canWrite(const std::filesystem::path &path)
{
    return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0;
}

/// Rejects special files: opening a FIFO would block forever.
Expected<void> checkKind(const std::filesystem::path &file)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return makeError(ErrorCode::BadInput, file.string() + " is not a file; remove it");
    return {};
}

}  // namespace

Database::Database(std::filesystem::path file) : m_file(std::move(file))
{
    static std::atomic<int> counter{0};  // relaxed: only has to differ
    m_connection = QStringLiteral("sweepscope-%1").arg(counter.fetch_add(1, std::memory_order_relaxed));
}

Database::~Database()
{
    // No QSqlDatabase object of this connection exists here any more: prepare() and execute() keep none.
    QSqlDatabase::removeDatabase(m_connection);
}

Expected<std::unique_ptr<Database>> Database::openForWriting(const std::filesystem::path &file)
{
    std::unique_ptr<Database> database(new Database(file));
    if (Expected<void> plain = checkKind(file); !plain)
        return tl::unexpected<Error>(plain.error());
    if (Expected<void> opened =
            database->open(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"), QString::fromStdString(file.string()));
        !opened)
        return tl::unexpected<Error>(opened.error());
    if (Expected<void> ours =
            database->schemaVersion().and_then([&](int version) { return database->checkOwner(version); });
        !ours)
        return tl::unexpected<Error>(ours.error());  // nothing was changed in it
    // NORMAL: a commit does not wait for the disk. sync() does, before clients receive the change.
    for (const char *pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA foreign_keys = ON",
                               "PRAGMA journal_size_limit = 16777216"}) {
        if (Expected<void> done = database->execute(pragma); !done)
            return tl::unexpected<Error>(done.error());
    }
    if (Expected<void> done = database->createTables(); !done)
        return tl::unexpected<Error>(done.error());
    if (Expected<void> done = database->execute(busyPragma); !done)
        return tl::unexpected<Error>(done.error());
    return database;
}

Expected<std::unique_ptr<Database>> Database::openForReading(const std::filesystem::path &file)
{
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        return makeError(ErrorCode::NotFound, "there is no database " + file.string());
    if (Expected<void> plain = checkKind(file); !plain)
        return tl::unexpected<Error>(plain.error());
    std::unique_ptr<Database> database(new Database(file));
    if (Expected<void> opened = database->openReadOnly(); !opened)
        return tl::unexpected<Error>(opened.error());
    const Expected<int> version = database->schemaVersion();
    if (!version)
        return tl::unexpected<Error>(version.error());
    if (Expected<void> ours = database->checkOwner(*version); !ours)
        return tl::unexpected<Error>(ours.error());
    if (*version != schemaVersionNow)
        return otherVersion(file, *version);
    return database;
}

Expected<void> Database::openReadOnly()
{
    const auto options = QStringLiteral("QSQLITE_OPEN_READONLY;QSQLITE_BUSY_TIMEOUT=5000");
    // Readers, too, write next to a database in WAL mode. A log without its index does not belong to a running engine.
    const std::filesystem::path log = m_file.string() + "-wal";
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(log, error);
    const bool hasLog = !error && size > 0;
    const bool isArchive = !canWrite(m_file) && !canWrite(m_file.parent_path()) && !hasLog
                           && !std::filesystem::exists(m_file.string() + "-shm", error);
    if (!isOnAReadOnlyDisk(m_file) && !isArchive)
        return open(options, QString::fromStdString(m_file.string()));
    if (hasLog)
        return makeError(ErrorCode::Unsupported,
                         "the workspace is on a read-only disk, and its last changes are still in " + log.string()
                             + "; copy the workspace to another disk to read it");
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

Expected<void> Database::attach(const std::filesystem::path &file, const std::string &schema)
{
    Expected<QSqlQuery> query = prepare(("ATTACH DATABASE ? AS " + schema).c_str());
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(QString::fromStdString(file.string()));
    return execute(*query);
}

Expected<void> Database::detach(const std::string &schema)
{
    return execute(("DETACH DATABASE " + schema).c_str());
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
    // SQLite's own descriptor is not accessible; the page cache belongs to the file, so any descriptor can sync it.
    const std::string log = m_file.string() + "-wal";
    const FileDescriptor file(::open(log.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file || ::fdatasync(file.get()) != 0)
        return makeErrnoError("cannot flush " + log + " to disk", errno);
    m_unsynced = false;
    return {};
}

Expected<int> Database::schemaVersion()
{
    return number("PRAGMA user_version").map([](qint64 version) { return static_cast<int>(version); });
}

Expected<qint64> Database::number(const char *sql)
{
    Expected<QSqlQuery> query = prepare(sql);
    if (!query)
        return tl::unexpected<Error>(query.error());
    if (Expected<void> done = execute(*query); !done)
        return tl::unexpected<Error>(done.error());
    return next(*query).map([&](bool isThere) { return isThere ? query->value(0).toLongLong() : 0; });
}

Expected<void> Database::checkOwner(int schemaVersion)
{
    // Older databases of ours have no id, but always a table of sweeps.
    return number("PRAGMA application_id").and_then([&](qint64 id) -> Expected<void> {
        const Expected<qint64> tables = number("SELECT count(*) FROM sqlite_schema");
        const Expected<qint64> sweeps = number("SELECT count(*) FROM sqlite_schema WHERE name = 'sweep'");
        if (!tables || !sweeps)
            return tl::unexpected<Error>(!tables ? tables.error() : sweeps.error());
        const bool isOurs = id == applicationId || (id == 0 && (*tables == 0 || (schemaVersion != 0 && *sweeps == 1)));
        if (isOurs)
            return {};
        return makeError(
            ErrorCode::Unsupported,
            m_file.string()
                + " is the database of another program; choose another workspace with --workspace, or move it away");
    });
}

Expected<void> Database::check()
{
    Expected<QSqlQuery> query = prepare("PRAGMA quick_check(1)");
    if (!query)
        return tl::unexpected<Error>(query.error());
    if (Expected<void> done = execute(*query); !done)
        return done;
    const Expected<bool> isThere = next(*query);
    if (!isThere)
        return tl::unexpected<Error>(isThere.error());
    const std::string found = *isThere ? query->value(0).toString().toStdString() : "no answer";
    return found == "ok" ? Expected<void>() : damaged(found);
}

Expected<void> Database::copyTo(const std::filesystem::path &file)
{
    const std::filesystem::path temporary = file.string() + ".tmp." + std::to_string(::getpid());
    std::error_code error;
    std::filesystem::remove(temporary, error);
    Expected<QSqlQuery> query = prepare("VACUUM INTO ?");
    if (!query)
        return tl::unexpected<Error>(query.error());
    query->addBindValue(QString::fromStdString(temporary.string()));
    Expected<void> done = execute(*query);
    if (done) {
        const FileDescriptor copy(::open(temporary.c_str(), O_RDONLY | O_CLOEXEC));
        if (!copy || ::fdatasync(copy.get()) != 0 || ::rename(temporary.c_str(), file.c_str()) != 0)
            done = makeErrnoError("cannot write " + file.string(), errno);
    }
    std::filesystem::remove(temporary, error);
    return done;
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
    const std::string signature = "PRAGMA application_id = " + std::to_string(applicationId);
    if (Expected<void> done = execute(signature.c_str()); !done)
        return done;
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
    // The driver's own message ("Unable to execute statement") is less specific than SQLite's.
    const QString said = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
    const std::string sentence = "the database " + m_file.string() + " failed: " + said.trimmed().toStdString();
    const int primaryCode = error.nativeErrorCode().toInt() & 0xff;
    switch (primaryCode) {
    case sqliteCorrupt:
    case sqliteNotADatabase:
        return damaged(said.trimmed().toStdString());
    case sqliteFull:
        return makeError(ErrorCode::NoSpace, sentence + "; free some disk space");
    case sqliteBusy:
    case sqliteLocked:
        return makeError(ErrorCode::Io, sentence + "; " + whoHoldsIt());
    case sqliteReadOnly:
    case sqliteCannotOpen:
        return makeError(ErrorCode::NotPermitted, sentence + "; the file and its folder must be writable");
    default:
        return makeError(ErrorCode::Io, sentence);
    }
}

tl::unexpected<Error> Database::damaged(const std::string &what) const
{
    const std::filesystem::path backup = m_file.string() + ".bak";
    const std::string workspace = m_file.parent_path().string();
    std::error_code error;
    const bool hasBackup = std::filesystem::exists(backup, error);
    return makeError(ErrorCode::Corrupt,
                     "the database " + m_file.string() + " is damaged: " + what
                         + ". The curves and logs of its sweeps are kept. "
                         + (hasBackup ? "Move it away and copy " + backup.string() + " to its place, or rebuild it: "
                                      : "Rebuild it: ")
                         + "sweepctl rescue --workspace " + workspace);
}

/// In WAL mode the locks are in the index file.
std::string Database::whoHoldsIt() const
{
    const std::optional<pid_t> holder = lockHolder(m_file.string() + "-shm");
    return holder ? describeProcess(*holder) + " has it locked" : std::string("another program has it locked");
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
        (void)m_database->execute("ROLLBACK");  // a further error does not matter: the caller already has the first one
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
