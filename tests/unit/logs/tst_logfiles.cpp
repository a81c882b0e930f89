#include "logfolder.h"
#include "ui/logs/ansitext.h"
#include "ui/logs/filesearch.h"
#include "ui/logs/logtail.h"

using namespace sweepscope;
using namespace sweepscope::ui;

namespace {

using tests::LogFolder;
using tests::numbered;
using Lines = std::vector<std::string>;

Lines bytesOf(const LogChunk &chunk)
{
    Lines lines;
    for (const LogLine &line : chunk.lines)
        lines.push_back(line.bytes);
    return lines;
}

}  // namespace

/// What is read of files that grow, and of what terminals would show.
class LogFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partialLastLineIsShownAndCompleted()
    {
        LogFolder folder;
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
        LogFolder folder;
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

    void whoIsFarBehindGoesOnNearTheEnd()
    {
        LogFolder folder;
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
    }

    void logThatIsNotThereYetIsFoundWhenItComes()
    {
        LogFolder folder;
        LogTail tail(folder.path("log"), 100);
        QVERIFY(tail.poll(100).missing);
        folder.write("log", "hello\n");
        QCOMPARE(bytesOf(tail.poll(100)), Lines{"hello"});
    }

    void truncatedAndReplacedFilesAreReadFromTheirStart()
    {
        LogFolder folder;
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
        LogFolder folder;
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
        LogFolder folder;
        folder.write("log", "10%\r20%\r30%\nwindows\r\n 1/9\r 2/9\r");
        LogTail tail(folder.path("log"), 100);
        const LogChunk chunk = tail.poll(100);
        QCOMPARE(bytesOf(chunk), (Lines{"30%", "windows"}));
        QCOMPARE(chunk.partial, std::string(" 2/9"));
    }

    void endlessLineComesInPieces()
    {
        LogFolder folder;
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
};

QTEST_GUILESS_MAIN(LogFilesTest)
#include "tst_logfiles.moc"
