#include "logfolder.h"
#include "testprogram.h"
#include "ui/logs/logview.h"
#include "ui/logs/triallog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

using tests::LogFolder;
using tests::numbered;

/// The logs of two ranks, of which rank 1's is five times as long; the files have more lines than the page shows.
/// `inOrder` has the merged lines. Every `errorEvery` lines there is an error, alternating between the ranks.
struct LongRanks {
    static constexpr int lines = 85'000;
    static constexpr int errorEvery = 6'000;
    LogFolder folder;
    QStringList inOrder;

    LongRanks()
    {
        QByteArray logs[2];
        QByteArray times[2];
        for (int line = 0; line < lines; ++line) {
            const int rank = line % 6 == 0 && line % (2 * errorEvery) != 0 ? 0 : 1;
            const bool isError = line > 0 && line % errorEvery == 0;
            const QByteArray text = (isError ? "ERROR: " : "line ") + QByteArray::number(line);
            logs[rank] += text + '\n';
            times[rank] += QByteArray::number(logs[rank].size()) + ' ' + QByteArray::number(1000 + line) + '\n';
            inOrder << QStringLiteral("[rank %1] %2").arg(rank).arg(QString::fromLatin1(text));
        }
        folder.write("rank-0.log", logs[0]);
        folder.write("rank-0.times", times[0]);
        folder.write("rank-1.log", logs[1]);
        folder.write("rank-1.times", times[1]);
    }
};

/// One rank's log of 60,000 lines, of which the last 50,000 are shown.
struct LongLog {
    LogFolder folder;
    TrialLog log;

    LongLog()
    {
        folder.write("rank-0.log", numbered(0, 60'000));
        log.resize(900, 600);
        log.show();
        log.showAttempt(folder.path(""), 1);
    }
};

QString linesAre(int first, int last, int all)
{
    return QStringLiteral("Lines %L1 to %L2 of %L3").arg(first).arg(last).arg(all);
}

}  // namespace

/// Logs of which the page shows a part: which part, moving to the others, and searching all of them.
class LongLogsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hitBeforeTheLoadedLinesOfAllRanksIsShown()
    {
        LogFolder folder;
        folder.write("rank-0.log", numbered(1, 60'000));
        folder.write("rank-1.log", "the only needle\n" + numbered(1, 120'000));
        TrialLog log;
        log.resize(800, 600);
        log.show();
        log.showAttempt(folder.path(""), 2);
        QTRY_VERIFY_WITH_TIMEOUT(log.view()->document()->blockCount() > 1000, 30'000);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        QTest::keyClicks(field, QStringLiteral("^the only needle"));
        log.findChild<QToolButton *>(QStringLiteral("logExpression"))->setChecked(true);
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->textCursor().selectedText(), QStringLiteral("the only needle"), 30'000);
        QCOMPARE(log.chooser()->currentText(), QStringLiteral("All ranks"));
        // The times of rank 0 are unknown, so all of its lines come first.
        QCOMPARE(log.view()->textCursor().block().previous().text(), QStringLiteral("[rank 0] line 60000"));
        const auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), QStringLiteral("1 of 1"), 30'000);
        const auto *place = log.findChild<QLabel *>(QStringLiteral("logPlace"));
        QTRY_VERIFY2_WITH_TIMEOUT(place->text().contains(linesAre(55'001, 75'000, 180'001)), qPrintable(place->text()),
                                  30'000);
        QTest::mouseClick(log.findChild<QPushButton *>(QStringLiteral("logToEnd")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->document()->lastBlock().text(), QStringLiteral("[rank 1] line 120000"),
                                  30'000);
        QTRY_VERIFY(log.findChild<QToolButton *>(QStringLiteral("logFollow"))->isChecked());

        field->clear();
        QTest::keyClicks(field, QStringLiteral("no such thing"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(result->text().contains(QStringLiteral("of any rank")), 30'000);
        // A hit in the loaded part is shown without loading another one.
        field->clear();
        QTest::keyClicks(field, QStringLiteral("line 120000"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(log.view()->textCursor().selectedText(), QStringLiteral("line 120000"));
        QVERIFY(log.view()->document()->lastBlock().text() == QStringLiteral("[rank 1] line 120000"));
    }

    void omittedLinesOfAllRanksAreReportedAndReachable()
    {
        const LongRanks ranks;
        TrialLog log;
        log.resize(900, 600);
        log.show();
        log.showAttempt(ranks.folder.path(""), 2);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(log.view()->isAtEnd(), 30'000);
        // The last lines of both together, although rank 1 wrote five times as many.
        QCOMPARE(log.view()->document()->firstBlock().text(), ranks.inOrder[LongRanks::lines - 50'000]);
        QCOMPARE(log.view()->document()->lastBlock().text(), ranks.inOrder.back());
        const auto *place = log.findChild<QLabel *>(QStringLiteral("logPlace"));
        QVERIFY(place->isVisible());
        QCOMPARE(place->text(), QStringLiteral("Last %L1 lines of all ranks").arg(50'000));
        auto *earlier = log.findChild<QPushButton *>(QStringLiteral("logEarlier"));
        QVERIFY(earlier->isVisible());
        for (int shown = 70'000; shown <= 90'000; shown += 20'000) {
            QTest::mouseClick(earlier, Qt::LeftButton);
            QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), std::min(shown, LongRanks::lines), 60'000);
            QTRY_VERIFY(earlier->isEnabled());
        }
        QCOMPARE(log.view()->toPlainText().split(QLatin1Char('\n')), ranks.inOrder);
        QVERIFY(!earlier->isVisible());
        QVERIFY(!place->isVisible());
    }

    void firstErrorOfAllRanksIsTheEarliestInAllFiles()
    {
        const LongRanks ranks;
        TrialLog log;
        log.resize(900, 600);
        log.show();
        log.showAttempt(ranks.folder.path(""), 2);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        QTest::mouseClick(log.findChild<QToolButton *>(QStringLiteral("logFirstError")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->textCursor().block().text(), ranks.inOrder[LongRanks::errorEvery],
                                  60'000);
        QCOMPARE(log.chooser()->currentText(), QStringLiteral("All ranks"));
        const auto *place = log.findChild<QLabel *>(QStringLiteral("logPlace"));
        QTRY_VERIFY2_WITH_TIMEOUT(place->text().contains(linesAre(1'001, 21'000, 85'000)), qPrintable(place->text()),
                                  30'000);
        // Before and after the hit, the lines match the files.
        auto *later = log.findChild<QPushButton *>(QStringLiteral("logLater"));
        QVERIFY(later->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(later->isEnabled(), 30'000);  // the lines around the hit are loaded
        QTest::mouseClick(later, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 40'000, 60'000);
        auto *earlier = log.findChild<QPushButton *>(QStringLiteral("logEarlier"));
        QTRY_VERIFY(earlier->isEnabled());
        QTest::mouseClick(earlier, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 41'000, 60'000);
        QCOMPARE(log.view()->toPlainText().split(QLatin1Char('\n')), ranks.inOrder.mid(0, 41'000));
        QTRY_VERIFY2_WITH_TIMEOUT(place->text().contains(linesAre(1, 41'000, 85'000)), qPrintable(place->text()),
                                  30'000);
    }

    void manyLinesAreAddedInBatchesWhileTheLoopRuns()
    {
        const LongRanks ranks;
        TrialLog log;
        log.resize(900, 600);
        log.show();
        log.showAttempt(ranks.folder.path(""), 2);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        int most = 0;  // most lines added at once
        QTimer heartbeat;
        connect(&heartbeat, &QTimer::timeout, &log, [&most, &log, before = log.view()->lineCount()]() mutable {
            most = std::max(most, log.view()->lineCount() - before);
            before = log.view()->lineCount();
        });
        heartbeat.start(0);
        QTest::mouseClick(log.findChild<QPushButton *>(QStringLiteral("logEarlier")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 70'000, 60'000);
        QVERIFY2(most <= 1500, qPrintable(QString::number(most)));
        QTest::mouseClick(log.findChild<QToolButton *>(QStringLiteral("logFirstError")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 20'000, 60'000);
        QVERIFY2(most <= 1500, qPrintable(QString::number(most)));
    }

    void hitAmongArrivingLinesIsFoundInTheView()
    {
        const LongRanks ranks;
        TrialLog log;
        log.resize(900, 600);
        log.show();
        log.showAttempt(ranks.folder.path(""), 2);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        field->setText(QStringLiteral("line 20500"));
        bool asked = false;
        const auto askNext = [&] {
            if (asked || log.view()->textCursor().selectedText() != QStringLiteral("ERROR"))
                return;
            asked = true;
            QVERIFY(log.view()->lineCount() < 20'000);
            QTest::keyClick(field, Qt::Key_Return);
        };
        connect(log.view(), &LogView::selectionChanged, &log, askNext, Qt::QueuedConnection);
        QTest::mouseClick(log.findChild<QToolButton *>(QStringLiteral("logFirstError")), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->textCursor().selectedText(), QStringLiteral("line 20500"), 60'000);
        QVERIFY(asked);
        QCOMPARE(log.view()->document()->firstBlock().text(), ranks.inOrder[1000]);
    }

    void hitsInTheWholeFilesAreCounted_data()
    {
        QTest::addColumn<int>("rank");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("all") << -1 << QStringList{QStringLiteral("14 matches"), QStringLiteral("6 of 14")};
        QTest::newRow("one") << 1 << QStringList{QStringLiteral("7 matches"), QStringLiteral("3 of 7")};
    }

    void hitsInTheWholeFilesAreCounted()
    {
        QFETCH(int, rank);
        QFETCH(QStringList, said);
        const LongRanks ranks;
        TrialLog log;
        log.resize(900, 600);
        log.show();
        log.showAttempt(ranks.folder.path(""), 2);
        log.chooseRank(rank);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        const auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        field->setText(QStringLiteral("error:"));
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), said[0], 60'000);
        // The number of the first hit in the loaded part includes the hits before that part.
        QTextCursor top(log.view()->document());
        log.view()->setTextCursor(top);
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), said[1], 60'000);
    }

    void hitOutsideTheLoadedLinesIsShownAndFollowReturns()
    {
        LogFolder folder;
        folder.write("rank-0.log", "the only needle\n" + numbered(1, 120'000));
        TrialLog log;
        log.resize(800, 600);
        log.show();
        log.showAttempt(folder.path(""), 1);
        const auto ends = [&] { return log.view()->document()->lastBlock().text() == QStringLiteral("line 120000"); };
        QTRY_VERIFY_WITH_TIMEOUT(ends(), 30'000);
        QVERIFY(log.view()->hasEarlier());
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        QTest::keyClicks(field, QStringLiteral("only needle"));
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->textCursor().selectedText(), QStringLiteral("only needle"), 30'000);
        auto *follow = log.findChild<QToolButton *>(QStringLiteral("logFollow"));
        QVERIFY(!follow->isChecked());
        QVERIFY(log.view()->lineCount() < 50'000);

        auto *later = log.findChild<QPushButton *>(QStringLiteral("logLater"));
        QVERIFY(later->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(later->isEnabled(), 30'000);  // the lines around the hit are loaded
        const QString before = log.view()->document()->lastBlock().text();
        QTest::mouseClick(later, Qt::LeftButton);
        QTRY_VERIFY(log.view()->document()->lastBlock().text() != before);

        folder.append("rank-0.log", "line 120001\n");
        QTest::mouseClick(follow, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->document()->lastBlock().text(), QStringLiteral("line 120001"), 30'000);
        QTRY_VERIFY(follow->isChecked());
    }

    void linesWrittenTooFastToBeShownAreSearchedAndCounted()
    {
        LogFolder folder;
        folder.write("rank-0.log", numbered(0, 10));
        TrialLog log;
        log.resize(900, 600);
        log.show();
        log.showAttempt(folder.path(""), 1);
        QTRY_COMPARE(log.view()->lineCount(), 10);
        folder.append("rank-0.log", numbered(10, 500'000) + "ERROR: in between\n" + numbered(500'010, 500'000));
        QTRY_VERIFY_WITH_TIMEOUT(log.view()->document()->lastBlock().text() == QStringLiteral("line 1000009"), 60'000);
        QVERIFY(log.view()->lineCount() < 50'000);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        const auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        log.findChild<QToolButton *>(QStringLiteral("logExpression"))->setChecked(true);
        field->setText(QStringLiteral("00000$"));
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), QStringLiteral("10 matches"), 60'000);  // up to 1,000,000
        log.findChild<QToolButton *>(QStringLiteral("logFirstError"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->textCursor().block().text(), QStringLiteral("ERROR: in between"), 60'000);
    }

    void hundredThousandLinesAreAddedInBatchesWhileTheLoopRuns()
    {
        LogFolder folder;
        folder.write("rank-0.log", numbered(0, 100'000));
        TrialLog log;
        log.resize(800, 500);
        int turns = 0;
        QTimer heartbeat;
        connect(&heartbeat, &QTimer::timeout, &log, [&turns] { ++turns; });
        heartbeat.start(0);
        log.showAttempt(folder.dir.path().toStdString(), 1);
        log.show();
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        QVERIFY2(turns >= 50'000 / 1500, qPrintable(QString::number(turns)));
        QVERIFY(log.view()->isAtEnd());
        QCOMPARE(log.view()->document()->lastBlock().text(), QStringLiteral("line 99999"));

        folder.append("rank-0.log", numbered(100'000, 5000));
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->document()->lastBlock().text(), QStringLiteral("line 104999"), 20'000);
        QVERIFY(log.view()->lineCount() < 51'500);

        auto *earlier = log.findChild<QPushButton *>(QStringLiteral("logEarlier"));
        QVERIFY(earlier->isVisible());
        const int before = log.view()->lineCount();
        earlier->click();
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), before + 20'000, 20'000);
    }

    void hitsOfAGrowingFileCoverAllOfIt()
    {
        LongLog shown;
        auto &[folder, log] = shown;
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        const auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        field->setText(QStringLiteral("line"));
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), QStringLiteral("%L1 matches").arg(60'000), 60'000);
        for (int lines = 60'000; lines < 60'600; lines += 100) {
            folder.append("rank-0.log", numbered(lines, 100));
            QTest::qWait(50);  // some lines arrive during the count of the previous ones
        }
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), QStringLiteral("%L1 matches").arg(60'600), 60'000);
        // Hits in the loaded part are not counted separately.
        QVERIFY(log.view()->hits().count < 50'000);
    }

    void hitThatArrivesAfterAFailedSearchIsReported()
    {
        LongLog shown;
        auto &[folder, log] = shown;
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 50'000, 60'000);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        const auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        field->setText(QStringLiteral("needle"));
        QTest::keyClick(field, Qt::Key_Return);
        const QString nowhere = QStringLiteral("Not found in the file");
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), nowhere, 60'000);
        folder.append("rank-0.log", numbered(60'000, 10));
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->document()->lastBlock().text(), QStringLiteral("line 60009"), 30'000);
        QTest::qWait(700);  // long enough for a count
        QCOMPARE(result->text(), nowhere);
        folder.append("rank-0.log", "the needle\n");
        QTRY_COMPARE_WITH_TIMEOUT(result->text(), QStringLiteral("1 match"), 60'000);
    }
};

SWEEPSCOPE_TEST(LongLogsTest)
#include "tst_longlogs.moc"
