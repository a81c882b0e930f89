#include "testprogram.h"

#include "unit/engine/storefixture.h"

#include "base/files.h"
#include "engine/schema.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace sweepscope::tests;

/// Databases of other versions, damaged databases, and files that are not databases.
class TestDatabase : public StoreFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }
    void databaseOfANewerVersionIsRefused()
    {
        QVERIFY(m_database->execute("PRAGMA user_version = 1000").has_value());
        m_store.reset();
        m_database.reset();
        for (const auto &opened : {Database::openForWriting(file()).map([](auto &&) {}),
                                   Database::openForReading(file()).map([](auto &&) {})}) {
            QVERIFY(!opened.has_value());
            QVERIFY(opened.error().code == ErrorCode::Unsupported);
        }
    }

    void databaseOfAnOlderVersionIsRefusedUnchanged()
    {
        QVERIFY(m_database->execute("PRAGMA user_version = 12").has_value());
        m_store.reset();
        m_database.reset();
        for (const auto &opened : {Database::openForWriting(file()).map([](auto &&) {}),
                                   Database::openForReading(file()).map([](auto &&) {})}) {
            QVERIFY(!opened.has_value());
            QVERIFY(opened.error().code == ErrorCode::Unsupported);
            QVERIFY2(opened.error().message.find("version 12") != std::string::npos, opened.error().message.c_str());
        }
    }

    void damagedTableIsNeverReadPartially()
    {
        constexpr int trials = 2000;
        constexpr qint64 pageSize = 4096;
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(trials), fine).has_value());
        QVERIFY(m_database->execute("PRAGMA wal_checkpoint(TRUNCATE)").has_value());
        QFile whole(QString::fromStdString(file().string()));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray content = whole.readAll();
        int refused = 0;
        for (qint64 page = 1; page < content.size() / pageSize; page += 3) {
            QByteArray spoilt = content;
            std::fill_n(spoilt.begin() + page * pageSize, pageSize, '\xff');
            const QString name = m_folder->filePath(QStringLiteral("spoilt-%1.db").arg(page));
            QFile copy(name);
            QVERIFY(copy.open(QIODevice::WriteOnly) && copy.write(spoilt) == spoilt.size());
            copy.close();
            const auto database = Database::openForReading(name.toStdString());
            if (!database)
                continue;
            const auto read = StoreReader(**database).allTrials(1);
            if (read)
                QCOMPARE(read->size(), std::size_t{trials});
            else
                QVERIFY2(read.error().code == ErrorCode::Corrupt, read.error().message.c_str());
            refused += read ? 0 : 1;
        }
        QVERIFY2(refused > 5, "the table takes dozens of pages");
    }

    void fileThatIsNotADatabaseIsRefusedWithItsName()
    {
        const std::filesystem::path other = m_folder->filePath(QStringLiteral("other.db")).toStdString();
        QFile garbage(QString::fromStdString(other.string()));
        QVERIFY(garbage.open(QIODevice::WriteOnly));
        garbage.write(QByteArray(4096, 'x'));
        garbage.close();
        const auto opened = Database::openForWriting(other);
        QVERIFY(!opened.has_value());
        QVERIFY(opened.error().message.find(other.string()) != std::string::npos);
    }

    void databaseOfAnotherProgramIsRefusedUnchanged()
    {
        const std::filesystem::path other = m_folder->filePath(QStringLiteral("other.db")).toStdString();
        for (const char *version : {"0", "3"}) {
            std::filesystem::remove(other);
            {
                QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("other"));
                raw.setDatabaseName(QString::fromStdString(other.string()));
                QVERIFY(raw.open());
                QSqlQuery query(raw);
                QVERIFY(query.exec(QStringLiteral("CREATE TABLE trial (a)")));
                QVERIFY(query.exec(QStringLiteral("PRAGMA user_version = ") + QString::fromLatin1(version)));
            }
            QSqlDatabase::removeDatabase(QStringLiteral("other"));
            const std::string before = readFile(other, 1 << 20).value();
            for (const auto &opened : {Database::openForWriting(other).map([](auto &&) {}),
                                       Database::openForReading(other).map([](auto &&) {})}) {
                QVERIFY(!opened.has_value());
                QVERIFY2(opened.error().message.find("of another program") != std::string::npos,
                         opened.error().message.c_str());
            }
            QVERIFY(readFile(other, 1 << 20).value() == before);
        }
    }

    void fifoInPlaceOfTheDatabaseIsRefused()
    {
        const std::filesystem::path fifo = m_folder->filePath(QStringLiteral("fifo.db")).toStdString();
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        for (const auto &opened :
             {Database::openForWriting(fifo).map([](auto &&) {}), Database::openForReading(fifo).map([](auto &&) {})}) {
            QVERIFY(!opened.has_value());
            QVERIFY(opened.error().code == ErrorCode::BadInput);
        }
    }

    void damagedPagesAreFoundByACheck()
    {
        QVERIFY(m_database->check().has_value());
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(500), fine).has_value());
        QVERIFY(m_database->execute("PRAGMA wal_checkpoint(TRUNCATE)").has_value());
        m_store.reset();
        m_database.reset();
        QFile whole(QString::fromStdString(file().string()));
        QVERIFY(whole.open(QIODevice::ReadWrite));
        QVERIFY(whole.seek(whole.size() - 4096));
        whole.write(QByteArray(200, '\xff'));
        whole.close();
        const auto database = Database::openForWriting(file());
        QVERIFY(database.has_value());
        const auto checked = (*database)->check();
        QVERIFY(!checked.has_value());
        QVERIFY(checked.error().code == ErrorCode::Corrupt);
        QVERIFY2(checked.error().message.find("sweepctl rescue") != std::string::npos, checked.error().message.c_str());
    }

    void copyIsCompleteAndReplacesAnOlderOne()
    {
        const std::filesystem::path copy = m_folder->filePath(QStringLiteral("copy.db")).toStdString();
        QVERIFY(m_database->copyTo(copy).has_value());
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(3), fine).has_value());
        const auto copied = Database::openForReading(file()).and_then(
            [&](std::unique_ptr<Database> reader) { return reader->copyTo(copy); });
        QVERIFY2(copied.has_value(), copied ? "" : copied.error().message.c_str());
        const auto database = Database::openForReading(copy);
        QVERIFY(database.has_value());
        QCOMPARE(StoreReader(**database).allTrials(1)->size(), 3U);
    }

    void idOfASweepIsLargerThanThoseOfExistingFolders()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(1), fine, 7).has_value());
        QCOMPARE(record.id, 8);
        QCOMPARE(record.folder, std::string("0008-digits"));
        sweep::SweepRecord next = newSweep();
        QVERIFY(m_store->insertSweep(next, plans(1), fine, 2).has_value());
        QCOMPARE(next.id, 9);
    }

    void writerDoesNotWaitForAnotherProgramAndNamesIt()
    {
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        const pid_t other = ::fork();
        if (other == 0) {
            // The sqlite3 library belongs to Qt: a separate program is simpler than calling its interface.
            ::dup2(ends[1], STDOUT_FILENO);
            const std::string script = "import sqlite3, time; c = sqlite3.connect('" + file().string()
                                       + "', isolation_level=None); c.execute('BEGIN IMMEDIATE'); print('has it', "
                                         "flush=True); time.sleep(300)";
            ::execlp("python3", "python3", "-c", script.c_str(), nullptr);
            ::_exit(1);
        }
        ::close(ends[1]);
        char byte = 0;
        QCOMPARE(::read(ends[0], &byte, 1), ssize_t{1});
        const auto begun = std::chrono::steady_clock::now();
        sweep::SweepRecord record = newSweep();
        const auto refused = m_store->insertSweep(record, plans(1), fine);
        const auto waited = std::chrono::steady_clock::now() - begun;
        ::kill(other, SIGKILL);
        ::waitpid(other, nullptr, 0);
        ::close(ends[0]);
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().message.find("process " + std::to_string(other)) != std::string::npos,
                 refused.error().message.c_str());
        QVERIFY(waited < std::chrono::seconds(2));  // instead of 5
        QVERIFY(m_store->insertSweep(record, plans(1), fine).has_value());
    }

    void readOnlyArchiveIsReadable()
    {
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(3), fine).has_value());
        m_store.reset();
        m_database.reset();  // also removes its write-ahead log
        QCOMPARE(::chmod(file().c_str(), 0444), 0);
        QCOMPARE(::chmod(file().parent_path().c_str(), 0555), 0);
        constexpr uid_t nobody = 65534;
        const bool isRoot = ::geteuid() == 0;
        QVERIFY(!isRoot || ::seteuid(nobody) == 0);
        std::size_t trials = 0;
        std::string problem;
        if (const auto database = Database::openForReading(file())) {
            if (const auto read = StoreReader(**database).allTrials(1))
                trials = read->size();
            else
                problem = read.error().message;
        } else {
            problem = database.error().message;
        }
        QVERIFY(!isRoot || ::seteuid(0) == 0);
        QCOMPARE(::chmod(file().parent_path().c_str(), 0755), 0);
        QVERIFY2(trials == 3, problem.c_str());
    }

    void readingWithoutADatabaseIsNotFound()
    {
        const auto opened = Database::openForReading(file().parent_path() / "none.db");
        QVERIFY(!opened.has_value());
        QVERIFY(opened.error().code == ErrorCode::NotFound);
    }

    void readerSeesWhatTheWriterCommitsMeanwhile()
    {
        const auto reading = Database::openForReading(file());
        QVERIFY(reading.has_value());
        StoreReader reader(**reading);
        QVERIFY(reader.sweeps()->empty());
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(1), fine).has_value());
        QCOMPARE(reader.sweeps()->size(), 1U);
    }
};

SWEEPSCOPE_TEST(TestDatabase)
#include "tst_database.moc"
