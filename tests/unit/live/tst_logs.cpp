#include "ui/logs/ansitext.h"
#include "ui/logs/filesearch.h"
#include "ui/logs/logfeed.h"
#include "ui/logs/logtail.h"
#include "ui/logs/logview.h"
#include "ui/logs/terminalcolors.h"
#include "ui/logs/triallog.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTimer>
#include <QToolButton>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

struct Folder {
    QTemporaryDir dir;

    std::filesystem::path path(const char *name) const
    {
        return std::filesystem::path(dir.path().toStdString()) / name;
    }
    void write(const char *name, const QByteArray &bytes, QIODevice::OpenMode mode = QIODevice::WriteOnly) const
    {
        QFile file(QString::fromStdString(path(name).string()));
        QVERIFY(file.open(mode));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    void append(const char *name, const QByteArray &bytes) const { write(name, bytes, QIODevice::Append); }
};

QByteArray numbered(int first, int count)
{
    QByteArray text;
    for (int i = first; i < first + count; ++i)
        text += "line " + QByteArray::number(i) + '\n';
    return text;
}

std::vector<std::string> bytesOf(const LogChunk &chunk)
{
    std::vector<std::string> lines;
    for (const LogLine &line : chunk.lines)
        lines.push_back(line.bytes);
    return lines;
}

LogBatch batchOf(const QStringList &lines, const QString &partial = {})
{
    LogBatch batch;
    for (const QString &line : lines)
        batch.lines.push_back({{line, {}}, 0, 0});
    if (!partial.isEmpty())
        batch.partial.push_back({{partial, {}}, 0, -1});
    return batch;
}

using Lines = std::vector<std::string>;

}  // namespace

class LogsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partialLastLineIsShownAndCompleted()
    {
        Folder folder;
        folder.write("log", "first\nsecond without e");
        LogTail tail(folder.path("log"), 100);
        LogChunk chunk = tail.poll(100);
        QCOMPARE(bytesOf(chunk), Lines{"first"});
        QCOMPARE(chunk.partial, std::string("second without e"));
        folder.append("log", "nd\n");
        chunk = tail.poll(100);
        QCOMPARE(bytesOf(chunk), Lines{"second without end"});
        QVERIFY(chunk.partial.empty());
        QCOMPARE(chunk.lines[0].offset, std::int64_t(6));
    }

    void searchGoesThroughTheWholeFile()
    {
        Folder folder;
        QByteArray text = "line 0 \x1b[31mneedle\x1b[0m A\n";
        for (int i = 1; i < 200'000; ++i)
            text += i == 100'000 ? QByteArray("needle B with \xc3\xa4\n")
                                 : "line " + QByteArray::number(i) + " of many that fill it\n";
        folder.write("rank-0.log", text);
        const auto search = [&](const QString &pattern, qint64 from, bool forward) {
            const std::atomic<bool> cancelled = false;
            return ui::searchFile({folder.path("rank-0.log"), QRegularExpression(pattern), from, forward}, cancelled,
                                  [](double) {});
        };
        const qint64 second = text.indexOf("needle B");
        auto found = search(QStringLiteral("needle"), text.size(), false);
        QVERIFY(found);
        QCOMPARE(found->hit, second);
        QVERIFY(!found->wrapped);
        found = search(QStringLiteral("needle"), second, false);
        QVERIFY(found && found->hit == 0);
        found = search(QStringLiteral("needle"), second + 1, true);
        QVERIFY(found && found->hit == 0 && found->wrapped);
        found = search(QStringLiteral("^needle .*\u00e4$"), 0, true);
        QVERIFY(found);
        QCOMPARE(found->hit, second);
        QCOMPARE(found->size, qint64(text.size()));
        QVERIFY(!search(QStringLiteral("many\\s+line"), 0, true));  // no line has both
        QVERIFY(!search(QStringLiteral("0 .\\[31m"), 0, true));     // what colours it is no text

        const std::atomic<bool> cancelled = true;
        QVERIFY(!ui::searchFile({folder.path("rank-0.log"), QRegularExpression(QStringLiteral("needle")), 0, true},
                                cancelled, [](double) {}));
    }

    void hitBeforeTheLinesOfAllRanksIsFoundInItsRank()
    {
        Folder folder;
        folder.write("rank-0.log", numbered(1, 60'000));
        folder.write("rank-1.log", "the only needle\n" + numbered(1, 120'000));
        TrialLog log;
        log.resize(800, 600);
        log.show();
        log.showAttempt(folder.path(""), 2);
        QTRY_VERIFY_WITH_TIMEOUT(log.view()->document()->blockCount() > 1000, 30'000);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        QTest::keyClicks(field, QStringLiteral("only needle"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->textCursor().selectedText(), QStringLiteral("only needle"), 30'000);
        QCOMPARE(log.chooser()->currentText(), QStringLiteral("Rank 1"));
        field->clear();
        QTest::keyClicks(field, QStringLiteral("no such thing"));
        log.chooseRank(-1);
        QTest::keyClick(field, Qt::Key_Return);
        const auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        QTRY_VERIFY_WITH_TIMEOUT(result->text().contains(QStringLiteral("of any rank")), 30'000);
        // What is there already is found where it is.
        QTRY_VERIFY_WITH_TIMEOUT(log.view()->document()->blockCount() > 1000, 30'000);
        field->clear();
        QTest::keyClicks(field, QStringLiteral("line 120000"));
        QTRY_VERIFY_WITH_TIMEOUT(log.view()->toPlainText().contains(QStringLiteral("line 120000")), 30'000);
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(log.view()->textCursor().selectedText(), QStringLiteral("line 120000"));
        QCOMPARE(log.chooser()->currentIndex(), 0);
    }

    void hitThatIsNotLoadedIsShownAndFollowLeadsBack()
    {
        Folder folder;
        folder.write("rank-0.log", "the only needle\n" + numbered(1, 120'000));
        TrialLog log;
        log.resize(800, 600);
        log.show();
        log.showAttempt(folder.path(""), 1);
        const auto ends = [&] { return log.view()->document()->lastBlock().text() == QStringLiteral("line 120000"); };
        QTRY_VERIFY_WITH_TIMEOUT(ends(), 30'000);
        QVERIFY(log.view()->firstOffset() > 0);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        QTest::keyClicks(field, QStringLiteral("only needle"));
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->textCursor().selectedText(), QStringLiteral("only needle"), 30'000);
        auto *follow = log.findChild<QToolButton *>(QStringLiteral("logFollow"));
        QVERIFY(!follow->isChecked());
        QVERIFY(log.view()->lineCount() < 50'000);

        auto *later = log.findChild<QPushButton *>(QStringLiteral("logLater"));
        QVERIFY(later->isVisible());
        const QString before = log.view()->document()->lastBlock().text();
        QTest::mouseClick(later, Qt::LeftButton);
        QTRY_VERIFY(log.view()->document()->lastBlock().text() != before);

        folder.append("rank-0.log", "line 120001\n");
        QTest::mouseClick(follow, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->document()->lastBlock().text(), QStringLiteral("line 120001"), 30'000);
        QTRY_VERIFY(follow->isChecked());
    }

    void whoIsFarBehindGoesOnNearTheEnd()
    {
        Folder folder;
        folder.write("log", numbered(0, 10));
        LogTail tail(folder.path("log"), 50'000);
        QCOMPARE(tail.poll(100).lines.size(), std::size_t(10));
        folder.append("log", numbered(10, 1'000'000));
        LogChunk chunk = tail.poll(100);
        QVERIFY(chunk.skipped > 0);
        QVERIFY(!chunk.restarted);
        QCOMPARE(chunk.lines.front().bytes, std::string("line 980010"));
        QCOMPARE(chunk.lines.front().offset, std::int64_t(numbered(0, 980'010).size()));
        std::string last;
        do {
            chunk = tail.poll(2000);
            QCOMPARE(chunk.skipped, std::int64_t(0));
            if (!chunk.lines.empty())
                last = chunk.lines.back().bytes;
        } while (chunk.more);
        QCOMPARE(last, std::string("line 1000009"));

        LogView view;
        LogBatch batch = batchOf({QStringLiteral("after")});
        batch.skipped = 5'000'000;
        view.append(batch, false);
        QVERIFY(view.toPlainText().contains(QStringLiteral("faster than they can be shown")));
    }

    void logThatIsNotThereYetIsFoundWhenItComes()
    {
        Folder folder;
        LogTail tail(folder.path("log"), 100);
        QVERIFY(tail.poll(100).missing);
        folder.write("log", "hello\n");
        QCOMPARE(bytesOf(tail.poll(100)), Lines{"hello"});
    }

    void truncatedAndReplacedFilesAreReadFromTheirStart()
    {
        Folder folder;
        folder.write("log", numbered(0, 10));
        LogTail tail(folder.path("log"), 100);
        QCOMPARE(tail.poll(100).lines.size(), std::size_t(10));
        folder.write("log", "again\n");
        LogChunk chunk = tail.poll(100);
        QVERIFY(chunk.restarted);
        QCOMPARE(bytesOf(chunk), Lines{"again"});

        QFile::remove(QString::fromStdString(folder.path("log").string()));
        folder.write("other", "a longer new file\n");
        std::filesystem::rename(folder.path("other"), folder.path("log"));
        chunk = tail.poll(100);
        QVERIFY(chunk.restarted);
        QCOMPARE(bytesOf(chunk), Lines{"a longer new file"});
        QVERIFY(!tail.poll(100).restarted);
    }

    void onlyTheTailIsReadAndTheRestOnDemand()
    {
        Folder folder;
        folder.write("log", numbered(0, 1000));
        LogTail tail(folder.path("log"), 10);
        const LogChunk chunk = tail.poll(100);
        QCOMPARE(chunk.lines.size(), std::size_t(10));
        QCOMPARE(chunk.lines.front().bytes, std::string("line 990"));
        QVERIFY(chunk.begin > 0);
        const std::vector<LogLine> earlier = tail.before(chunk.begin, 20);
        QCOMPARE(earlier.size(), std::size_t(20));
        QCOMPARE(earlier.front().bytes, std::string("line 970"));
        QCOMPARE(earlier.back().bytes, std::string("line 989"));
        QCOMPARE(tail.before(earlier.front().offset, 10'000).size(), std::size_t(970));
        QVERIFY(tail.before(0, 10).empty());
    }

    void progressBarsAreShownAsTheyStand()
    {
        Folder folder;
        folder.write("log", "10%\r20%\r30%\nwindows\r\n 1/9\r 2/9\r");
        LogTail tail(folder.path("log"), 100);
        const LogChunk chunk = tail.poll(100);
        QCOMPARE(bytesOf(chunk), (Lines{"30%", "windows"}));
        QCOMPARE(chunk.partial, std::string(" 2/9"));
    }

    void endlessLineComesInPieces()
    {
        Folder folder;
        folder.write("log", QByteArray(100'000, 'x'));
        LogTail tail(folder.path("log"), 100);
        const LogChunk chunk = tail.poll(100);
        QVERIFY(chunk.lines.size() >= 5);
        QVERIFY(chunk.partial.size() <= 16 * 1024);
    }

    void ansiColorsBecomeSpansAndTheRestIsLeftOut()
    {
        AnsiReader reader;
        StyledLine line = reader.read("a\x1b[31mred\x1b[0mb\x1b[2K\x1b]0;title\x07"
                                      "c\x1b[1;38;5;196mX");
        QCOMPARE(line.text, QStringLiteral("aredbcX"));
        QCOMPARE(line.spans.size(), std::size_t(2));
        QCOMPARE(line.spans[0].start, 1);
        QCOMPARE(line.spans[0].length, 3);
        QCOMPARE(line.spans[0].style.ansiColor, std::optional<int>(1));
        QVERIFY(!line.spans[0].style.color.isValid());
        QCOMPARE(line.spans[1].style.color, QColor(255, 0, 0));
        QVERIFY(line.spans[1].style.bold);
        // A style lasts over lines, as on a terminal.
        line = reader.read("still\x1b[m plain");
        QCOMPARE(line.spans.size(), std::size_t(1));
        QCOMPARE(line.spans[0].length, 5);
    }

    void garbageIsNeitherTrustedNorDropped()
    {
        AnsiReader reader;
        QCOMPARE(reader.read("ok \xff\xfe end").text, QStringLiteral("ok \ufffd\ufffd end"));
        QCOMPARE(reader.read("cut \x1b[31").text, QStringLiteral("cut "));
        QCOMPARE(reader.read("\x1b").text, QString());
        QCOMPARE(reader.read("\x1b[38;5m\x1b[38;2;1mtext").text, QStringLiteral("text"));
        QCOMPARE(reader.read("\x1b[99999999999999999999mtext").text, QStringLiteral("text"));
    }

    void colorsCanBeReadOnLightAndDark()
    {
        QPalette light;
        light.setColor(QPalette::Base, Qt::white);
        light.setColor(QPalette::Text, Qt::black);
        QPalette dark;
        dark.setColor(QPalette::Base, QColor(20, 22, 26));
        dark.setColor(QPalette::Text, Qt::white);
        for (int index = 0; index < 16; ++index) {
            QVERIFY(terminalColor(index, light).lightness() < 160);
            QVERIFY(terminalColor(index, dark).lightness() > 90);
        }
        // Still the colour that was asked for.
        for (const QPalette &palette : {light, dark}) {
            QVERIFY(terminalColor(2, palette).green() > terminalColor(2, palette).red() + 40);
            QVERIFY(terminalColor(9, palette).red() > terminalColor(9, palette).green() + 40);
        }
    }

    void coloredPartsReachTheView()
    {
        AnsiReader reader;
        LogBatch batch;
        batch.lines.push_back({reader.read("\x1b[32mstep\x1b[0m plain"), 0, 0});
        LogView view;
        QPalette palette = view.palette();
        palette.setColor(QPalette::Base, Qt::white);
        palette.setColor(QPalette::Text, Qt::black);
        view.setPalette(palette);
        view.append(batch, true);
        QCOMPARE(view.toPlainText(), QStringLiteral("[rank 0] step plain"));
        QTextCursor cursor(view.document());
        cursor.setPosition(11);
        const QColor green = cursor.charFormat().foreground().color();
        QVERIFY2(green.green() > green.red() + 40, qPrintable(green.name()));
        cursor.setPosition(16);
        QVERIFY(!cursor.charFormat().hasProperty(QTextFormat::ForegroundBrush));
    }

    void viewReplacesThePartialLine()
    {
        LogView view;
        view.append(batchOf({QStringLiteral("one")}, QStringLiteral("tw")), false);
        QCOMPARE(view.toPlainText(), QStringLiteral("one\ntw"));
        view.append(batchOf({}, QStringLiteral("two!")), false);
        QCOMPARE(view.toPlainText(), QStringLiteral("one\ntwo!"));
        view.append(batchOf({QStringLiteral("two!!"), QString(), QStringLiteral("four")}), false);
        QCOMPARE(view.toPlainText(), QStringLiteral("one\ntwo!!\n\nfour"));
        QCOMPARE(view.lineCount(), 4);
    }

    void viewBeginsWithAPartialLineToo()
    {
        LogView view;
        view.append(batchOf({}, QStringLiteral("par")), false);
        view.append(batchOf({QStringLiteral("partial")}, QStringLiteral("next")), false);
        QCOMPARE(view.toPlainText(), QStringLiteral("partial\nnext"));
    }

    void viewKeepsTheNewestLinesAndThePlaceOfAReader()
    {
        LogView view;
        view.resize(400, 200);
        view.show();
        view.setLineLimit(1000);
        QStringList lines;
        for (int i = 0; i < 900; ++i)
            lines.append(QStringLiteral("line %1").arg(i));
        view.append(batchOf(lines), false);
        QVERIFY(view.isAtEnd());
        view.verticalScrollBar()->setValue(500);
        const QString top = view.cursorForPosition(QPoint(2, 2)).block().text();
        view.append(batchOf(lines), false);
        QVERIFY(view.lineCount() <= 1000);
        QCOMPARE(view.lineCount(), view.document()->blockCount());
        QVERIFY(!view.isAtEnd());
        // 800 lines went out at the top: the reader's line among them, so the view shows the oldest that is left.
        QVERIFY(top != view.cursorForPosition(QPoint(2, 2)).block().text());
        view.scrollToEnd();
        view.append(batchOf({QStringLiteral("last")}), false);
        QVERIFY(view.isAtEnd());
    }

    void searchGoesForwardBackwardAndAround()
    {
        LogView view;
        view.append(batchOf({QStringLiteral("alpha"), QStringLiteral("beta 1 beta 2"), QStringLiteral("gamma"),
                             QStringLiteral("beta 3")}),
                    false);
        view.moveCursor(QTextCursor::Start);
        view.setPattern(QRegularExpression(QStringLiteral("beta \\d")));
        const auto selected = [&view] { return view.textCursor().selectedText(); };
        QVERIFY(view.findNext(true).found);
        QCOMPARE(selected(), QStringLiteral("beta 1"));
        QVERIFY(view.findNext(true).found);
        QCOMPARE(selected(), QStringLiteral("beta 2"));
        QVERIFY(view.findNext(true).found);
        QCOMPARE(selected(), QStringLiteral("beta 3"));
        const LogView::Found around = view.findNext(true);
        QVERIFY(around.found && around.wrapped);
        QCOMPARE(selected(), QStringLiteral("beta 1"));
        QVERIFY(view.findNext(false).wrapped);
        QCOMPARE(selected(), QStringLiteral("beta 3"));
        QVERIFY(view.findNext(false).found);
        QCOMPARE(selected(), QStringLiteral("beta 2"));
        view.setPattern(QRegularExpression(QStringLiteral("nowhere")));
        QVERIFY(!view.findNext(true).found);
        view.setPattern(QRegularExpression(QStringLiteral("x*")));
        QVERIFY(!view.findNext(true).found);
    }

    void errorsAreRecognised_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("error");
        QTest::newRow("traceback") << QStringLiteral("Traceback (most recent call last):") << true;
        QTest::newRow("python") << QStringLiteral("ValueError: bad") << true;
        QTest::newRow("torch") << QStringLiteral("torch.cuda.OutOfMemoryError: CUDA out of memory.") << true;
        QTest::newRow("c10d") << QStringLiteral("c10::DistBackendError: NCCL error") << true;
        QTest::newRow("abort") << QStringLiteral("terminate called after throwing an instance of 'std::bad_alloc'")
                               << true;
        QTest::newRow("logger") << QStringLiteral("2026-11-20 [ERROR] disk full") << true;
        QTest::newRow("signal") << QStringLiteral("Segmentation fault (core dumped)") << true;
        QTest::newRow("metric") << QStringLiteral("val_error 0.031, error rate 2 %") << false;
        QTest::newRow("plain") << QStringLiteral("epoch 3 done, 0 errors") << false;
    }
    void errorsAreRecognised()
    {
        QFETCH(QString, line);
        QFETCH(bool, error);
        QCOMPARE(errorPattern().match(line).hasMatch(), error);
    }

    void hundredThousandLinesComeInPiecesAndTheLoopTurns()
    {
        Folder folder;
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

        auto *earlier = log.findChild<QPushButton *>();
        QVERIFY(earlier->isVisible());
        const int before = log.view()->lineCount();
        earlier->click();
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), before + 20'000, 20'000);
    }

    void allRanksAreShownWithTheirNumber()
    {
        Folder folder;
        folder.write("rank-0.log", "zero\n");
        folder.write("rank-1.log", "one\nhalf");
        folder.write("agent.log", "agent\n");
        TrialLog log;
        log.showAttempt(folder.dir.path().toStdString(), 2);
        log.show();
        QTRY_COMPARE(log.view()->toPlainText(), QStringLiteral("[rank 0] zero\n[rank 1] one\n[rank 1] half"));
        folder.append("rank-0.log", "more\n");
        QTRY_COMPARE(log.view()->toPlainText(),
                     QStringLiteral("[rank 0] zero\n[rank 1] one\n[rank 0] more\n[rank 1] half"));
        log.chooser()->setCurrentIndex(log.chooser()->count() - 1);
        QTRY_COMPARE(log.view()->toPlainText(), QStringLiteral("agent"));
    }

    void linesOfAllRanksAreInTheOrderOfTheirTimes()
    {
        Folder folder;
        folder.write("rank-0.log", "a\nd\n");
        folder.write("rank-0.times", "2 100\n4 400\n");
        folder.write("rank-1.log", "b\nc\ne\n");
        folder.write("rank-1.times", "4 200\n");  // the last line is too new to be in it
        TrialLog log;
        log.showAttempt(folder.dir.path().toStdString(), 2);
        log.show();
        QTRY_COMPARE(log.view()->toPlainText(),
                     QStringLiteral("[rank 0] a\n[rank 1] b\n[rank 1] c\n[rank 0] d\n[rank 1] e"));
    }

    void longLogsOfAllRanksAreInTheOrderOfTheirTimes()
    {
        // More than one batch of each, and rank 1 ten times as many.
        Folder folder;
        QByteArray logs[2];
        QByteArray times[2];
        QStringList expected;
        for (int line = 0; line < 22'000; ++line) {
            const int rank = line % 11 == 0 ? 0 : 1;
            logs[rank] += QByteArray::number(line) + '\n';
            times[rank] += QByteArray::number(logs[rank].size()) + ' ' + QByteArray::number(1000 + line) + '\n';
            expected << QStringLiteral("[rank %1] %2").arg(rank).arg(line);
        }
        folder.write("rank-0.log", logs[0]);
        folder.write("rank-0.times", times[0]);
        folder.write("rank-1.log", logs[1]);
        folder.write("rank-1.times", times[1]);
        TrialLog log;
        log.showAttempt(folder.dir.path().toStdString(), 2);
        log.show();
        QTRY_COMPARE_WITH_TIMEOUT(log.view()->lineCount(), 22'000, 20'000);
        QCOMPARE(log.view()->toPlainText().split(QLatin1Char('\n')), expected);
    }

    void firstErrorIsJumpedToOnceItIsRead()
    {
        Folder folder;
        folder.write("rank-0.log",
                     numbered(0, 3000) + "RuntimeError: boom\n" + numbered(3000, 3000) + "ValueError: later\n");
        TrialLog log;
        log.resize(600, 300);
        log.showAttempt(folder.dir.path().toStdString(), 1);
        log.jumpToFirstError();
        log.show();
        QTRY_COMPARE(log.view()->textCursor().block().text(), QStringLiteral("RuntimeError: boom"));
        QVERIFY(!log.view()->isAtEnd());
    }

    void nobodyIsToldOfAnErrorThatWasNotAskedFor()
    {
        Folder folder;
        folder.write("rank-0.log", "all is well\n");
        TrialLog log;
        log.resize(900, 300);
        log.showAttempt(folder.dir.path().toStdString(), 1);
        log.jumpToFirstError();
        log.show();
        QTRY_COMPARE(log.view()->document()->firstBlock().text(), QStringLiteral("all is well"));
        auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        QVERIFY(result->text().isEmpty());
        QTest::mouseClick(log.findChild<QToolButton *>(QStringLiteral("logFirstError")), Qt::LeftButton);
        QCOMPARE(result->text(), QStringLiteral("No line looks like an error"));
    }

    void lettersInTheLogDoWhatTheButtonsSay()
    {
        Folder folder;
        folder.write("rank-0.log", numbered(0, 300) + "RuntimeError: boom\n" + numbered(300, 300));
        TrialLog log;
        log.resize(900, 300);
        log.showAttempt(folder.dir.path().toStdString(), 1);
        log.show();
        QTRY_COMPARE(log.view()->lineCount(), 601);
        log.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&log));
        log.view()->setFocus();
        QTest::keyClick(log.view(), Qt::Key_E);
        QTRY_COMPARE(log.view()->textCursor().block().text(), QStringLiteral("RuntimeError: boom"));
        QVERIFY(!log.view()->isAtEnd());
        QTest::keyClick(log.view(), Qt::Key_End);
        QTRY_VERIFY(log.view()->isAtEnd());
        QVERIFY(log.view()->lineWrapMode() == QPlainTextEdit::NoWrap);
        QTest::keyClick(log.view(), Qt::Key_W);
        QTRY_VERIFY(log.view()->lineWrapMode() != QPlainTextEdit::NoWrap);
        // Who types into the search means letters.
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("we"));
        QCOMPARE(field->text(), QStringLiteral("we"));
        QVERIFY(log.view()->isAtEnd());
    }

    void invalidPatternIsSaidAtTheField()
    {
        TrialLog log;
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        for (QToolButton *button : log.findChildren<QToolButton *>()) {
            if (button->text() == QLatin1String(".*"))
                button->setChecked(true);
        }
        field->setText(QStringLiteral("(["));
        QVERIFY(field->property("problem").toBool());
        field->setText(QStringLiteral("ok"));
        QVERIFY(!field->property("problem").toBool());
    }
};

QTEST_MAIN(LogsTest)
#include "tst_logs.moc"
