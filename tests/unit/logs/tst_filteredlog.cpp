#include "logfolder.h"
#include "testprogram.h"
#include "ui/logs/linetime.h"
#include "ui/logs/loggutter.h"
#include "ui/logs/logview.h"
#include "ui/logs/triallog.h"

#include <QComboBox>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QTextBlock>
#include <QToolButton>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

using tests::LogFolder;
using tests::numbered;

struct Desk {
    LogFolder folder;
    TrialLog log;

    void open(int ranks = 1)
    {
        log.resize(900, 600);
        log.show();
        log.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&log));
        log.view()->setFocus();  // for its shortcuts
        log.showAttempt(folder.path(""), ranks);
    }
    LogView *view() const { return log.view(); }
    QStringList lines() const { return view()->toPlainText().split(u'\n'); }
    QString selected() const { return view()->textCursor().selectedText(); }
    QLineEdit *field() const { return log.findChild<QLineEdit *>(u"logSearch"_s); }
    QToolButton *filter() const { return log.findChild<QToolButton *>(u"logFilter"_s); }
    QComboBox *level() const { return log.findChild<QComboBox *>(u"logLevel"_s); }
    QString result() const { return log.findChild<QLabel *>(u"logSearchResult"_s)->text(); }
    void showOnly(const QString &text) const
    {
        field()->setText(text);
        filter()->setChecked(true);
    }
    void putCursorAt(int line) const
    {
        view()->setTextCursor(QTextCursor(view()->document()->findBlockByNumber(line)));
        QTest::keyClick(view(), Qt::Key_Right);
    }
};

QByteArray timesOf(const QList<std::pair<int, WallNs>> &known)
{
    QByteArray text;
    for (const auto &[bytes, time] : known)
        text += QByteArray::number(bytes) + ' ' + QByteArray::number(static_cast<qlonglong>(time)) + '\n';
    return text;
}

WallNs at(const QDateTime &time)
{
    return time.toMSecsSinceEpoch() * 1'000'000;
}

}  // namespace

/// Parts of logs: lines that match, lines of a level; and the time of lines.
class FilteredLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyMatchingLinesAreShownAlsoWhenTheyArrive()
    {
        Desk desk;
        desk.folder.write("rank-0.log", numbered(0, 300));
        desk.open();
        desk.showOnly(u"line 29"_s);
        QStringList expected{u"line 29"_s};
        for (int line = 290; line < 300; ++line)
            expected << u"line %1"_s.arg(line);
        QTRY_COMPARE(desk.lines(), expected);
        QTRY_COMPARE(desk.result(), u"11 matches"_s);
        desk.folder.append("rank-0.log", "step\nline 29 again\nline 29 unfinished");
        expected << u"line 29 again"_s;
        QTRY_COMPARE(desk.lines(), expected);
        desk.filter()->setChecked(false);
        QTRY_COMPARE(desk.lines().size(), 303);
    }

    void patternOfTheFilterCanBeAnExpression()
    {
        Desk desk;
        desk.folder.write("rank-0.log", numbered(0, 300));
        desk.open();
        desk.log.findChild<QToolButton *>(u"logExpression"_s)->setChecked(true);
        desk.showOnly(u"^line [12]7$"_s);
        QTRY_COMPARE(desk.lines(), (QStringList{u"line 17"_s, u"line 27"_s}));
        desk.field()->setText(u"^line 7."_s);
        QTRY_COMPARE(desk.view()->lineCount(), 10);
        desk.field()->clear();
        QTRY_COMPARE(desk.view()->lineCount(), 300);
    }

    void matchingLinesOfAllRanksAreSortedByTime()
    {
        Desk desk;
        desk.folder.write("rank-0.log", "hit 1\nmiss\nhit 4\n");
        desk.folder.write("rank-0.times", timesOf({{6, 1000}, {11, 2000}, {17, 4000}}));
        desk.folder.write("rank-1.log", "miss\nhit 2\nhit 3\n");
        desk.folder.write("rank-1.times", timesOf({{5, 1500}, {11, 2500}, {17, 3000}}));
        desk.open(2);
        desk.showOnly(u"hit"_s);
        QTRY_COMPARE(desk.lines(),
                     (QStringList{u"[rank 0] hit 1"_s, u"[rank 1] hit 2"_s, u"[rank 1] hit 3"_s, u"[rank 0] hit 4"_s}));
    }

    void wholeFileIsFilteredAndTheLastLinesAreKept()
    {
        Desk desk;
        desk.folder.write("rank-0.log", "first\n" + numbered(0, 60'000));
        desk.open();
        desk.showOnly(u"first"_s);
        QTRY_COMPARE(desk.lines(), QStringList{u"first"_s});
        desk.field()->setText(u"line"_s);
        auto *place = desk.log.findChild<QLabel *>(u"logPlace"_s);
        QTRY_VERIFY_WITH_TIMEOUT(place->isVisible(), 20'000);
        QVERIFY2(place->text().endsWith(u"of 60,000 matching lines"_s), qPrintable(place->text()));
        QCOMPARE(desk.view()->document()->lastBlock().text(), u"line 59999"_s);
        QVERIFY(desk.view()->lineCount() <= 53'000);
    }

    void enterShowsTheLineAmongTheOthers_data()
    {
        QTest::addColumn<int>("lines");
        QTest::addRow("short log") << 300;
        QTest::addRow("log that is not shown completely") << 90'000;
    }
    void enterShowsTheLineAmongTheOthers()
    {
        QFETCH(int, lines);
        Desk desk;
        desk.folder.write("rank-0.log", numbered(0, lines));
        desk.open();
        desk.showOnly(u"line 10"_s);
        QTRY_VERIFY(desk.view()->lineCount() > 2 && desk.lines()[2] == u"line 101"_s);
        desk.putCursorAt(2);
        QTest::keyClick(desk.view(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(desk.selected(), u"line 10"_s, 20'000);
        QCOMPARE(desk.view()->textCursor().block().text(), u"line 101"_s);
        QVERIFY(desk.lines().contains(u"line 99"_s));
        QVERIFY(!desk.filter()->isChecked());
        QVERIFY(desk.view()->viewport()->rect().intersects(desk.view()->cursorRect()));
    }

    void switchingTheFilterOffKeepsTheLineInView()
    {
        Desk desk;
        desk.folder.write("rank-0.log", numbered(0, 3000));
        desk.open();
        desk.showOnly(u"7"_s);
        QTRY_VERIFY(desk.view()->lineCount() > 400 && !desk.result().startsWith(u"Filtering"_s));
        desk.putCursorAt(5);
        const QString line = desk.view()->textCursor().block().text();
        desk.filter()->setChecked(false);
        QTRY_COMPARE(desk.view()->lineCount(), 3000);
        QTRY_COMPARE(desk.view()->textCursor().block().text(), line);
        desk.view()->scrollToEnd();
        desk.filter()->setChecked(true);
        QTRY_VERIFY(desk.view()->lineCount() < 3000 && desk.view()->lineCount() > 400);
        QVERIFY(desk.view()->isAtEnd());
    }

    void levelChooserShowsMessagesWithTheirTracebacks()
    {
        Desk desk;
        desk.folder.write("rank-0.log",
                          "step 1\nWARNING: slow\nERROR: lost\nTraceback (most recent call last):\n  File \"a.py\"\n"
                          "mine.Stop: enough\nstep 2\n");
        desk.open();
        QTRY_COMPARE(desk.view()->lineCount(), 7);
        QCOMPARE(desk.view()->levelCounts(), (LevelCounts{1, 1}));
        desk.level()->setCurrentIndex(2);
        QTRY_COMPARE(desk.lines(), (QStringList{u"ERROR: lost"_s, u"Traceback (most recent call last):"_s,
                                                u"  File \"a.py\""_s, u"mine.Stop: enough"_s}));
        desk.level()->setCurrentIndex(1);
        QTRY_COMPARE(desk.view()->lineCount(), 5);
        desk.showOnly(u"lost"_s);
        QTRY_COMPARE(desk.lines(), QStringList{u"ERROR: lost"_s});
        desk.folder.append("rank-0.log", "INFO lost\nERROR: lost again\n");
        QTRY_COMPARE(desk.lines(), (QStringList{u"ERROR: lost"_s, u"ERROR: lost again"_s}));
    }

    void longMatchingLineIsShownWhereItMatches()
    {
        Desk desk;
        desk.folder.write("rank-0.log",
                          "a\n" + QByteArray(1'000'000, 'x') + "needle" + QByteArray(100'000, 'x') + "\nb\n");
        desk.open();
        desk.showOnly(u"needle"_s);
        QTRY_COMPARE(desk.view()->lineCount(), 1);
        QVERIFY(desk.lines()[0].contains(u"needle"_s));
        QVERIFY(desk.lines()[0].size() <= 16 * 1024);
    }

    void truncatedFileIsFilteredAgain()
    {
        Desk desk;
        desk.folder.write("rank-0.log", "hit 1\nhit 2\n");
        desk.open();
        desk.showOnly(u"hit"_s);
        QTRY_COMPARE(desk.view()->lineCount(), 2);
        desk.folder.write("rank-0.log", "hit 3\n");
        QTRY_COMPARE(desk.lines().last(), u"hit 3"_s);
    }

    void patternThatTakesTooLongIsReported()
    {
        Desk desk;
        desk.folder.write("rank-0.log", QByteArray(50, 'a') + "!\n");
        desk.open();
        desk.log.findChild<QToolButton *>(u"logExpression"_s)->setChecked(true);
        desk.showOnly(u"(a+)+$"_s);
        QTRY_COMPARE_WITH_TIMEOUT(desk.result(), u"Search takes too long: simplify the pattern"_s, 20'000);
    }

    void openedLineIsShownInTheLogOfItsRank()
    {
        Desk desk;
        desk.folder.write("rank-0.log", "a\n");
        desk.folder.write("rank-1.log", numbered(0, 300));
        desk.open(2);
        desk.level()->setCurrentIndex(2);
        desk.log.openLine(1, numbered(0, 123).size());
        QTRY_COMPARE(desk.selected(), u"line 123"_s);
        QCOMPARE(desk.log.chooser()->currentData().toInt(), 1);
        desk.log.openLine(1, numbered(0, 7).size());  // the log is open already
        QTRY_COMPARE(desk.selected(), u"line 7"_s);
    }

    void timesOfLinesAreKnown()
    {
        Desk desk;
        desk.folder.write("rank-0.log", "a\nb\n");
        desk.folder.write("rank-0.times", timesOf({{2, 5'000'000'000}, {4, 6'000'000'000}}));
        desk.open();
        QTRY_COMPARE(desk.view()->lineCount(), 2);
        QCOMPARE(desk.view()->lines()[0].time, 5'000'000'000);
        QCOMPARE(desk.view()->lines()[1].time, 6'000'000'000);
        desk.showOnly(u"b"_s);
        QTRY_COMPARE(desk.view()->lineCount(), 1);
        QCOMPARE(desk.view()->lines()[0].time, 6'000'000'000);

        Desk without;
        without.folder.write("rank-0.log", "a\n");
        without.open();
        QTRY_COMPARE(without.view()->lineCount(), 1);
        QCOMPARE(without.view()->lines()[0].time, 0);
        without.folder.append("rank-0.log", "b\n");  // now
        QTRY_COMPARE(without.view()->lineCount(), 2);
        QVERIFY(without.view()->lines()[1].time > 0);
    }

    void timesAreShownNextToTheTextAndRemembered()
    {
        QTemporaryDir dir;
        QSettings settings(dir.filePath(u"settings.ini"_s), QSettings::IniFormat);
        Desk desk;
        desk.log.keepIn(&settings);
        desk.folder.write("rank-0.log", "a\nb\n");
        desk.open();
        auto *gutter = desk.log.findChild<LogGutter *>();
        const int narrow = gutter->width();
        QTest::keyClick(desk.view(), Qt::Key_T);
        QVERIFY(gutter->width() > narrow + 50);
        QVERIFY(desk.view()->viewport()->x() >= gutter->geometry().right());
        QTRY_COMPARE(desk.view()->toPlainText(), u"a\nb"_s);
        TrialLog next;
        next.keepIn(&settings);
        QVERIFY(next.findChild<QToolButton *>(u"logTimes"_s)->isChecked());
    }

    void timesAreLocalAndUnknownOnesAreADash()
    {
        const QDateTime before(QDate(2026, 11, 29), QTime(23, 59, 58));
        QCOMPARE(clockText(at(before)), u"23:59:58"_s);
        QCOMPARE(dayText(at(before)), u"29 Nov"_s);
        QCOMPARE(fullTimeText(at(before)), u"2026-11-29 23:59:58"_s);
        QVERIFY(isSameDay(at(before), at(before.addSecs(1))));
        QVERIFY(!isSameDay(at(before), at(before.addSecs(2))));
        QVERIFY(isSameDay(0, at(before)));
        QCOMPARE(clockText(0), u"–"_s);
        QCOMPARE(dayText(0), QString());
    }
};

SWEEPSCOPE_TEST(FilteredLogTest)
#include "tst_filteredlog.moc"
