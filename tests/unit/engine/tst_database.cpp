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

    void databaseOfAnOlderVersionIsBroughtUpToDate()
    {
        const std::filesystem::path old = m_folder->filePath(QStringLiteral("old.db")).toStdString();
        {
            QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("old"));
            raw.setDatabaseName(QString::fromStdString(old.string()));
            QVERIFY(raw.open());
            QSqlQuery query(raw);
            for (const char *statement : schemaStep(0))
                QVERIFY(query.exec(QString::fromLatin1(statement)));
            QVERIFY(query.exec(QStringLiteral("INSERT INTO sweep VALUES (1, 'digits', '0001-digits', 'running', "
                                              "'loss', 0, '[]', '', '/', 0, 5, NULL)")));
            QVERIFY(query.exec(QStringLiteral("INSERT INTO trial (sweep, number, state, parameters, seed, ranks) "
                                              "VALUES (1, 1, 'completed', x'80', 3, 2)")));
            QVERIFY(query.exec(QStringLiteral("PRAGMA user_version = 1")));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("old"));
        const auto tooOld = Database::openForReading(old);
        QVERIFY(!tooOld.has_value());
        QVERIFY2(tooOld.error().message.find("sweepctl serve") != std::string::npos, tooOld.error().message.c_str());
        const auto opened = Database::openForWriting(old);
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
        const auto sweeps = StoreReader(**opened).sweeps();
        QVERIFY(sweeps.has_value());
        QCOMPARE(sweeps->size(), 1U);
        QCOMPARE(sweeps->front().folder, std::string("0001-digits"));
        QVERIFY(sweeps->front().stopMode == sweep::StopMode::Now);
        const auto trials = StoreReader(**opened).allTrials(1);
        QVERIFY2(trials.has_value(), trials ? "" : trials.error().message.c_str());
        QCOMPARE(trials->size(), 1U);
        QVERIFY(trials->front().mark.isEmpty());
        QVERIFY(trials->front().metrics.empty());
        QVERIFY(!sweeps->front().archived);
        QVERIFY(Database::openForReading(old).has_value());
    }

    void sweepsOfWhichNothingCameAreFailedInAnOlderDatabaseToo()
    {
        const std::filesystem::path old = m_folder->filePath(QStringLiteral("old.db")).toStdString();
        {
            QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("old"));
            raw.setDatabaseName(QString::fromStdString(old.string()));
            QVERIFY(raw.open());
            QSqlQuery query(raw);
            constexpr int before = 8;
            for (int version = 0; version < before; ++version)
                for (const char *statement : schemaStep(version))
                    QVERIFY2(query.exec(QString::fromLatin1(statement)), statement);
            const char *states[] = {"'failed', 'lost'", "'failed', 'completed'", "'pruned', 'failed'"};
            for (int id = 1; id <= 3; ++id) {
                QVERIFY(
                    query.exec(QStringLiteral("INSERT INTO sweep (id, name, folder, state, objective, maximize, "
                                              "parameter_names, toml, base_folder, trials_total, created, ended) "
                                              "VALUES (%1, 's', 'f', 'completed', 'loss', 0, '[]', '', '/', 2, 5, 9)")
                                   .arg(id)));
                const QStringList both = QString::fromLatin1(states[id - 1]).split(QLatin1String(", "));
                for (int number = 1; number <= 2; ++number)
                    QVERIFY(query.exec(QStringLiteral("INSERT INTO trial (sweep, number, state, parameters, seed, "
                                                      "ranks) VALUES (%1, %2, %3, x'80', 3, 2)")
                                           .arg(id)
                                           .arg(number)
                                           .arg(both[number - 1])));
            }
            QVERIFY(query.exec(QStringLiteral("PRAGMA user_version = %1").arg(before)));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("old"));
        const auto opened = Database::openForWriting(old);
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
        StoreReader reader(**opened);
        const auto sweeps = reader.sweeps();
        QCOMPARE(sweeps->size(), 3U);
        QVERIFY(sweeps->at(0).state == sweep::SweepState::Failed);
        QVERIFY(sweeps->at(1).state == sweep::SweepState::Completed);
        QVERIFY(sweeps->at(2).state == sweep::SweepState::Completed);
        const auto history = reader.history(1, 0);
        QCOMPARE(history->size(), 1U);  // what the states follow from
        QCOMPARE(history->front().time, 9);
        QVERIFY(reader.history(2, 0)->empty());
    }

    void whenASweepHadEndedInAnOlderDatabaseItsHistoryTells()
    {
        const std::filesystem::path old = m_folder->filePath(QStringLiteral("old.db")).toStdString();
        {
            QSqlDatabase raw = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("old"));
            raw.setDatabaseName(QString::fromStdString(old.string()));
            QVERIFY(raw.open());
            QSqlQuery query(raw);
            constexpr int before = 10;
            for (int version = 0; version < before; ++version)
                for (const char *statement : schemaStep(version))
                    QVERIFY2(query.exec(QString::fromLatin1(statement)), statement);
            for (int id = 1; id <= 2; ++id)
                QVERIFY(
                    query.exec(QStringLiteral("INSERT INTO sweep (id, name, folder, state, objective, maximize, "
                                              "parameter_names, toml, base_folder, trials_total, created, ended) "
                                              "VALUES (%1, 's', 'f', 'completed', 'loss', 0, '[]', '', '/', 2, 5, 90)")
                                   .arg(id)));
            const char *changes[] = {"5, 1, 0, '', 'running'",           "9, 1, 0, 'running', 'failed'",
                                     "20, 1, 0, 'failed', 'failed'",     "29, 1, 0, 'failed', 'running'",
                                     "30, 1, 1, 'failed', 'waiting'",    "40, 1, 0, 'running', 'completed'",
                                     "47, 1, 0, 'completed', 'running'", "90, 1, 0, 'running', 'completed'",
                                     "5, 2, 0, '', 'running'",           "90, 2, 0, 'running', 'completed'"};
            for (const char *change : changes)
                QVERIFY(query.exec(QStringLiteral("INSERT INTO history (time, sweep, trial, state_before, "
                                                  "state_after, cause) VALUES (%1, '')")
                                       .arg(QLatin1String(change))));
            QVERIFY(query.exec(QStringLiteral("PRAGMA user_version = %1").arg(before)));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("old"));
        const auto opened = Database::openForWriting(old);
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
        const auto sweeps = StoreReader(**opened).sweeps();
        QCOMPARE(sweeps->at(0).rested, 20 + 7);
        QCOMPARE(sweeps->at(1).rested, 0);
    }

    void halfOfADamagedTableIsNeverTakenForTheWhole()
    {
        constexpr int trials = 2000;
        constexpr qint64 pageSize = 4096;
        sweep::SweepRecord record = newSweep();
        QVERIFY(m_store->insertSweep(record, plans(trials), "", fine).has_value());
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
        QVERIFY(m_store->insertSweep(record, plans(1), "", fine).has_value());
        QCOMPARE(reader.sweeps()->size(), 1U);
    }
};

QTEST_GUILESS_MAIN(TestDatabase)
#include "tst_database.moc"
