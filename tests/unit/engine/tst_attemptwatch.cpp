#include "testprogram.h"

#include "base/filedescriptor.h"
#include "engine/attemptwatch.h"
#include "launch/attemptevents.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <fcntl.h>
#include <unistd.h>

using namespace sweepscope;
using engine::AttemptWatch;

namespace {}

class TestAttemptWatch : public QObject {
    Q_OBJECT

    AttemptLayout files() const { return {m_folder.path().toStdString()}; }

    void writeEvent() const
    {
        auto log = launch::AttemptEventLog::open(files().eventsFile());
        QVERIFY(log.has_value());
        launch::AttemptEvent event;
        event.kind = launch::AttemptEventKind::RankStarted;
        QVERIFY(log->append(event).has_value());
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY(m_folder.remove());
        m_folder = QTemporaryDir();
        QVERIFY(m_folder.isValid());
    }

    void eventsOfAFileCreatedLaterAreSignalled()
    {
        AttemptWatch watch;
        QSignalSpy changed(&watch, &AttemptWatch::changed);
        watch.begin(3, 7, files());
        writeEvent();
        QVERIFY(changed.wait(patience));
        QCOMPARE(changed.first(), (QVariantList{qint64(3), 7}));

        while (changed.wait(100)) {  // further changes caused by the same event
        }
        changed.clear();
        writeEvent();
        QVERIFY(changed.wait(patience));
    }

    void earlierEventsAreSignalled()
    {
        writeEvent();
        AttemptWatch watch;
        QSignalSpy changed(&watch, &AttemptWatch::changed);
        watch.begin(1, 1, files());
        QVERIFY(changed.wait(patience));
    }

    void otherFilesOfTheAttemptAreIgnored()
    {
        AttemptWatch watch;
        QSignalSpy changed(&watch, &AttemptWatch::changed);
        watch.begin(1, 1, files());
        for (const char *name : {"agent.log", "rank-0.feed"}) {
            QFile file(m_folder.filePath(QString::fromLatin1(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
        }
        writeEvent();
        QVERIFY(changed.wait(patience));
        while (changed.wait(100)) {
        }
        changed.clear();
        QFile feed(m_folder.filePath(QStringLiteral("rank-0.feed")));
        QVERIFY(feed.open(QIODevice::Append) && feed.write("points") > 0);
        feed.close();
        QVERIFY(!changed.wait(100));
    }

    void endedAttemptSignalsNothing()
    {
        AttemptWatch watch;
        QSignalSpy changed(&watch, &AttemptWatch::changed);
        watch.begin(1, 1, files());
        watch.begin(1, 2, {m_other.path().toStdString()});
        watch.end(1, 1);
        writeEvent();
        QFile(m_other.filePath(QStringLiteral("events.jsonl"))).open(QIODevice::WriteOnly);
        QVERIFY(changed.wait(patience));
        for (const QVariantList &arguments : changed)
            QCOMPARE(arguments.at(1).toInt(), 2);
    }

    void otherEventsAreProcessedBetweenTwoAttempts_data()
    {
        QTest::addColumn<bool>("spokeBefore");
        QTest::newRow("attempts that had spoken when they were watched") << true;
        QTest::newRow("attempts that speak at the same time") << false;
    }
    void otherEventsAreProcessedBetweenTwoAttempts()
    {
        QFETCH(const bool, spokeBefore);
        constexpr int attempts = 16;
        writeEvent();
        AttemptWatch watch;
        QSignalSpy changed(&watch, &AttemptWatch::changed);
        const auto begin = [&] {
            for (int trial = 1; trial <= attempts; ++trial) {
                const QString folder = m_folder.filePath(QString::number(trial));
                QVERIFY(QDir().mkpath(folder));
                QVERIFY(QFile::copy(QString::fromStdString(files().eventsFile().string()),
                                    folder + QStringLiteral("/events.jsonl")));
                watch.begin(1, trial, {folder.toStdString()});
            }
        };
        begin();
        if (!spokeBefore) {
            QTRY_COMPARE_WITH_TIMEOUT(changed.count(), attempts, patience);
            while (changed.wait(100)) {
            }
            changed.clear();
            for (int trial = 1; trial <= attempts; ++trial) {
                QFile file(m_folder.filePath(QStringLiteral("%1/events.jsonl").arg(trial)));
                QVERIFY(file.open(QIODevice::Append) && file.write("{}\n") > 0);
            }
        }

        std::array<int, 2> line{};
        QCOMPARE(::pipe2(line.data(), O_CLOEXEC), 0);
        const FileDescriptor end(line[0]);
        const FileDescriptor client(line[1]);
        QSocketNotifier server(end.get(), QSocketNotifier::Read);
        qsizetype toldBeforeTheClient = -1;
        connect(&server, &QSocketNotifier::activated, this, [&] {
            toldBeforeTheClient = changed.count();
            server.setEnabled(false);
        });
        connect(&watch, &AttemptWatch::changed, this, [&] {
            if (changed.count() == 1)
                QCOMPARE(::write(client.get(), "?", 1), 1);
        });
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), attempts, patience);
        QVERIFY2(toldBeforeTheClient >= 1 && toldBeforeTheClient <= 3,
                 qPrintable(QString::number(toldBeforeTheClient)));
    }

private:
    QTemporaryDir m_folder;
    QTemporaryDir m_other;
};

SWEEPSCOPE_TEST(TestAttemptWatch)
#include "tst_attemptwatch.moc"
