#include "testprogram.h"

#include "ui/logs/logview.h"
#include "ui/logs/terminalcolors.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QScreen>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>

#include <optional>

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

LogBatch batchOf(const QStringList &lines, const QString &partial = {})
{
    LogBatch batch;
    for (const QString &line : lines)
        batch.lines.push_back({{line, {}}, 0, 0});
    if (!partial.isEmpty())
        batch.partial.push_back({{partial, {}}, 0, -1});
    return batch;
}

/// Searches to the end, however many iterations of the event loop that takes.
LogView::Found next(LogView &view, bool forward)
{
    std::optional<LogView::Found> answer;
    view.findNext(forward, true, [&answer](const LogView::Found &found) { answer = found; });
    if (!QTest::qWaitFor([&answer] { return answer.has_value(); }, 60'000))
        qCritical("no answer");
    return answer.value_or(LogView::Found());
}

}  // namespace

/// The widget that shows lines, without files.
class LogViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void colorsAreReadableOnLightAndDark()
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
        // The requested colour is still recognizable.
        for (const QPalette &palette : {light, dark}) {
            QVERIFY(terminalColor(2, palette).green() > terminalColor(2, palette).red() + 40);
            QVERIFY(terminalColor(9, palette).red() > terminalColor(9, palette).green() + 40);
        }
    }

    void fastLinesLeaveNoUnpaintedArea()
    {
        QWidget page;
        page.setStyleSheet(QStringLiteral("QWidget { background: #ff0000 } "
                                          "QPlainTextEdit { background: white; border-radius: 6px }"));
        page.resize(400, 300);
        LogView view(&page);
        view.resize(page.size());
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        for (int i = 0; i < 3; ++i) {
            view.append(batchOf({QStringLiteral("line")}), false);
            page.repaint();
            const QImage seen = page.screen()->grabWindow(page.winId()).toImage();
            QVERIFY(!seen.isNull());
            QCOMPARE(seen.pixelColor(seen.rect().center()), QColor(Qt::white));
        }
    }

    void coloredPartsAreShown()
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

    void viewCanStartWithAPartialLine()
    {
        LogView view;
        view.append(batchOf({}, QStringLiteral("par")), false);
        view.append(batchOf({QStringLiteral("partial")}, QStringLiteral("next")), false);
        QCOMPARE(view.toPlainText(), QStringLiteral("partial\nnext"));
    }

    void viewReportsOmittedLines()
    {
        LogView view;
        LogBatch batch = batchOf({QStringLiteral("after")});
        batch.skipped = 5'000'000;
        view.append(batch, false);
        QVERIFY(view.toPlainText().contains(QStringLiteral("too fast to show")));
    }

    void viewKeepsTheNewestLinesAndTheScrollPosition()
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
        // 800 lines were removed at the top, including the topmost visible line, so the view shows the oldest remaining
        // one.
        QVERIFY(top != view.cursorForPosition(QPoint(2, 2)).block().text());
        view.scrollToEnd();
        view.append(batchOf({QStringLiteral("last")}), false);
        QVERIFY(view.isAtEnd());
    }

    void searchGoesForwardBackwardAndWraps()
    {
        LogView view;
        view.append(batchOf({QStringLiteral("alpha"), QStringLiteral("beta 1 beta 2"), QStringLiteral("gamma"),
                             QStringLiteral("beta 3")}),
                    false);
        view.moveCursor(QTextCursor::Start);
        view.setPattern(QRegularExpression(QStringLiteral("beta \\d")));
        const auto selected = [&view] { return view.textCursor().selectedText(); };
        QVERIFY(next(view, true).found);
        QCOMPARE(selected(), QStringLiteral("beta 1"));
        QVERIFY(next(view, true).found);
        QCOMPARE(selected(), QStringLiteral("beta 2"));
        QVERIFY(next(view, true).found);
        QCOMPARE(selected(), QStringLiteral("beta 3"));
        const LogView::Found around = next(view, true);
        QVERIFY(around.found && around.wrapped);
        QCOMPARE(selected(), QStringLiteral("beta 1"));
        QVERIFY(next(view, false).wrapped);
        QCOMPARE(selected(), QStringLiteral("beta 3"));
        QVERIFY(next(view, false).found);
        QCOMPARE(selected(), QStringLiteral("beta 2"));
        view.setPattern(QRegularExpression(QStringLiteral("nowhere")));
        QVERIFY(!next(view, true).found);
        view.setPattern(QRegularExpression(QStringLiteral("x*")));
        QVERIFY(!next(view, true).found);
    }

    void searchFindsTheSameWhetherLinesAreCountedOrNot()
    {
        LogView view;
        QStringList lines;
        for (int i = 0; i < 20'000; ++i)
            lines.append(i % 6'000 == 5'000 ? QStringLiteral("here, and here") : QStringLiteral("line %1").arg(i));
        view.append(batchOf(lines, QStringLiteral("here, unfinished")), false);
        view.moveCursor(QTextCursor::Start);
        QList<int> uncounted;
        view.setPattern(QRegularExpression(QStringLiteral("here")));
        for (int i = 0; i < 8; ++i) {
            QVERIFY(next(view, true).found);
            uncounted.append(view.textCursor().selectionStart());
        }
        QTRY_VERIFY(view.hits().complete);
        QCOMPARE(view.hits().count, 6);
        QList<int> counted;
        view.moveCursor(QTextCursor::Start);
        for (int i = 0; i < 8; ++i) {
            QVERIFY(next(view, true).found);
            counted.append(view.textCursor().selectionStart());
        }
        QCOMPARE(counted, uncounted);
        QCOMPARE(counted[7], counted[0]);  // six in complete lines, one in the unfinished line, then the first again
        QList<int> back;
        for (int i = 0; i < 7; ++i) {
            QVERIFY(next(view, false).found);
            back.prepend(view.textCursor().selectionStart());
        }
        QCOMPARE(back, counted.mid(0, 7));
    }

    void changedPatternCancelsTheSearch()
    {
        LogView view;
        QStringList lines;
        for (int i = 0; i < 50'000; ++i)
            lines.append(QStringLiteral("step=%1 loss=0.4821 lr=0.001 samples/s=12034.5").arg(i));
        view.append(batchOf(lines), false);
        view.setPattern(QRegularExpression(QStringLiteral("(\\w+=\\d+ )+never")));
        bool answered = false;
        view.findNext(true, true, [&answered](const LogView::Found &) { answered = true; });
        QVERIFY(!answered);  // the search takes more than one slice
        view.setPattern(QRegularExpression(QStringLiteral("step=49999 ")));
        QVERIFY(next(view, true).found);
        QVERIFY(!answered);
    }

    void rankPrefixIsNotPartOfALine()
    {
        LogView view;
        view.append(batchOf({QStringLiteral("first"), QStringLiteral("a rank is first")}), true);
        QCOMPARE(view.document()->firstBlock().text(), QStringLiteral("[rank 0] first"));
        view.setPattern(QRegularExpression(QStringLiteral("rank|^first")));
        QTRY_VERIFY(view.hits().complete);
        QCOMPARE(view.hits().count, 2);
        QVERIFY(next(view, true).found);
        QCOMPARE(view.textCursor().selectedText(), QStringLiteral("first"));
        QCOMPARE(view.textCursor().selectionStart(), 9);
        QCOMPARE(view.hits().current, 1);
        QVERIFY(next(view, true).found);
        QCOMPARE(view.textCursor().selectedText(), QStringLiteral("rank"));
        QCOMPARE(view.textCursor().positionInBlock(), 9 + 6);
        QVERIFY(next(view, false).found);
        QCOMPARE(view.textCursor().selectionStart(), 9);
    }

    void hitsAreCountedWhileLinesComeAndGo()
    {
        LogView view;
        view.setLineLimit(1000);
        const QRegularExpression pattern(QStringLiteral("\\b\\d*7\\b"));
        view.setPattern(pattern);
        const auto countedAnew = [&] {
            QString whole = view.toPlainText();
            whole = whole.section(QLatin1Char('\n'), 0, view.lineCount() - 1);  // without the unfinished line
            return static_cast<int>(whole.count(pattern));
        };
        QRandomGenerator random(77);
        int number = 0;
        for (int round = 0; round < 60; ++round) {
            QStringList lines;
            for (int i = random.bounded(300); i > 0; --i, ++number)
                lines.append(QStringLiteral("%1 and %2").arg(number).arg(random.bounded(1000)));
            if (round % 10 == 5) {
                std::vector<ShownLine> earlier = batchOf(lines).lines;
                view.prepend(earlier);
            } else {
                view.append(batchOf(lines, round % 3 == 0 ? QStringLiteral("partial 7") : QString()), false);
            }
            if (round % 20 == 9)
                view.clearLines();
            if (round % 4 == 0)
                continue;  // continues before counting is complete
            QTRY_VERIFY(view.hits().complete);
            QCOMPARE(view.hits().count, countedAnew());
        }
        view.setPattern(QRegularExpression(QStringLiteral("and")));
        QTRY_COMPARE(view.hits().count, view.lineCount());
        for (int i = 0; i < 3; ++i)
            QVERIFY(next(view, false).found);
        QCOMPARE(view.hits().current, view.lineCount() - 2);
    }

    void hitsAreMarkedWhereTheyAre_data()
    {
        QTest::addColumn<bool>("wrapped");
        QTest::addColumn<bool>("withRank");
        QTest::newRow("lines") << false << false;
        QTest::newRow("ranks") << false << true;
        QTest::newRow("wrapped") << true << true;
    }

    void hitsAreMarkedWhereTheyAre()
    {
        QFETCH(bool, wrapped);
        QFETCH(bool, withRank);
        LogView view;
        view.resize(500, 300);
        view.setWrapped(wrapped);
        QPalette palette = view.palette();
        palette.setColor(QPalette::Base, Qt::white);
        palette.setColor(QPalette::Highlight, Qt::blue);
        view.setPalette(palette);
        view.show();
        QStringList lines;
        for (int i = 0; i < 200; ++i)
            lines.append(QStringLiteral("before %1 needle after, and on with what makes a line that is broken").arg(i));
        view.append(batchOf(lines), withRank);
        view.setPattern(QRegularExpression(QStringLiteral("needle")));
        view.verticalScrollBar()->setValue(77);
        const auto compareMarks = [&view] {
            const QImage picture = view.viewport()->grab().toImage();
            int marks = 0;
            for (QTextBlock block = view.document()->firstBlock(); block.isValid(); block = block.next()) {
                QTextCursor cursor(block);
                const int hit = static_cast<int>(block.text().indexOf(QLatin1String("needle")));
                const auto isMarked = [&](int position) {
                    cursor.setPosition(block.position() + position);
                    const QRect place = view.cursorRect(cursor);
                    // Between the upper edge of the line and its letters there is only the background.
                    const QPoint pixel(place.left() + 3, place.top() + 1);
                    return picture.rect().contains(pixel) ? std::optional(picture.pixelColor(pixel) != Qt::white)
                                                          : std::nullopt;
                };
                const std::optional<bool> inside = isMarked(hit + 2);
                if (!inside)
                    continue;
                ++marks;
                if (!*inside || isMarked(hit - 1).value_or(false) || isMarked(hit + 6).value_or(false))
                    return -1;
            }
            return marks;
        };
        QVERIFY2(compareMarks() >= 8, qPrintable(QString::number(compareMarks())));
        view.scrollToEnd();
        view.append(batchOf(lines), withRank);
        QTest::qWait(50);
        QVERIFY(view.isAtEnd());
        QVERIFY(compareMarks() >= 8);
        view.setPattern(std::nullopt);
        QCOMPARE(compareMarks(), -1);
    }

    void fastLinesArePaintedLessOften()
    {
        LogView view;
        view.resize(500, 300);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        class Paints : public QObject {
        public:
            int count = 0;
            bool eventFilter(QObject *, QEvent *event) override
            {
                count += event->type() == QEvent::Paint;
                return false;
            }
        } paints;
        view.viewport()->installEventFilter(&paints);
        QElapsedTimer clock;
        clock.start();
        int batches = 0;
        for (; clock.elapsed() < 400; ++batches) {
            view.append(batchOf({QStringLiteral("line %1").arg(batches)}), false);
            QCoreApplication::processEvents();
        }
        const int mostAtSixtyHertz = static_cast<int>(clock.elapsed()) / 16 + 1;
        QVERIFY2(paints.count <= mostAtSixtyHertz && batches > 2 * mostAtSixtyHertz,
                 qPrintable(QStringLiteral("%1 of %2").arg(paints.count).arg(batches)));
        QVERIFY(paints.count > 2);
        // The last lines are painted, too.
        paints.count = 0;
        view.append(batchOf({QStringLiteral("last")}), false);
        QTRY_VERIFY(paints.count > 0);
    }

    void endlessPatternIsCancelled()
    {
        LogView view;
        QStringList lines;
        for (int i = 0; i < 100; ++i)
            lines.append(QString(5'000, QLatin1Char('a')) + QLatin1Char('!'));
        view.append(batchOf(lines), false);
        view.setPattern(QRegularExpression(QStringLiteral("(a+a+)+$")));
        QTRY_VERIFY(view.hits().tooSlow);
        QVERIFY(!view.hits().complete);
        QVERIFY(next(view, true).tooSlow);
        view.setPattern(QRegularExpression(QStringLiteral("a!")));
        QTRY_COMPARE(view.hits().count, 100);
        QVERIFY(!view.hits().tooSlow);
    }
};

SWEEPSCOPE_TEST(LogViewTest)
#include "tst_logview.moc"
