#include "unit/engine/storefixture.h"

#include "engine/schema.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::engine;
using namespace sweepscope::tests;

/// Databases of other versions, damaged ones, and files that are none.
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

    void databaseOfAnOlderVersionIsRefusedAndStaysAsItIs()
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

    void halfOfADamagedTableIsNeverTakenForTheWhole()
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

    void fileThatIsNoDatabaseIsRefusedWithItsName()
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

    void readingWhereThereIsNoDatabaseIsNotFound()
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

QTEST_GUILESS_MAIN(TestDatabase)
#include "tst_database.moc"
