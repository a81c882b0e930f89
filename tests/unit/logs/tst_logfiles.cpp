#include "logfolder.h"
#include "testprogram.h"
#include "ui/logs/ansitext.h"
#include "ui/logs/filesearch.h"
#include "ui/logs/logcount.h"
#include "ui/logs/logmerge.h"
#include "ui/logs/logtail.h"
#include "ui/logs/visibletext.h"

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

/// Two logs with their times: the number of each line is its position in the merged log. Rank 1 has ten times as many
/// lines.
struct Ranks {
    LogFolder folder;
    std::vector<LogFile> files;
    QStringList inOrder;
    QByteArray rank1;

    Ranks()
    {
        QByteArray logs[2];
        QByteArray times[2];
        for (int line = 0; line < 22'000; ++line) {
            const int rank = line % 11 == 0 ? 0 : 1;
            logs[rank] += QByteArray::number(line) + '\n';
            if (line % 11 == 0 || line % 11 == 10)  // ten lines of rank 1 share a time
                times[rank] += QByteArray::number(logs[rank].size()) + ' ' + QByteArray::number(1000 + line) + '\n';
            inOrder << QString::number(line);
        }
        rank1 = logs[1];
        folder.write("0", logs[0]);
        folder.write("1", logs[1]);
        folder.write("0.times", times[0]);
        folder.write("1.times", times[1]);
        files = {{folder.path("0"), 0, folder.path("0.times")}, {folder.path("1"), 1, folder.path("1.times")}};
    }
};

QStringList textsOf(const std::vector<ShownLine> &lines)
{
    QStringList texts;
    for (const ShownLine &line : lines)
        texts << line.line.text;
    return texts;
}

void take(std::vector<ShownLine> &all, const std::vector<ShownLine> &more, std::vector<ShownLine>::const_iterator where)
{
    all.insert(where, more.begin(), more.end());
}

}  // namespace

/// Reading growing files, and their text as a terminal would show it.
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
            return searchFiles({{{folder.path("rank-0.log"), 0, {}}}, QRegularExpression(pattern), {from}, forward},
                               cancelled, [](double) {});
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
        QVERIFY(!search(QStringLiteral("many\\s+line"), 0, true));       // no single line matches
        QVERIFY(!search(QStringLiteral("0 .\\[31m"), 0, true));          // escape sequences are not part of the text
        found = search(QStringLiteral("line 55(?!\\s*line)"), 0, true);  // the lookahead ends with the line
        QVERIFY(found);
        QCOMPARE(found->hit, qint64(text.indexOf("line 55 ")));

        const std::atomic<bool> cancelled = true;
        const FileSearch stopped{
            {{folder.path("rank-0.log"), 0, {}}}, QRegularExpression(QStringLiteral("needle")), {}, true};
        QVERIFY(!searchFiles(stopped, cancelled, [](double) {}));
    }

    void mergedFilesCanBeReadFromAnyPosition()
    {
        const Ranks ranks;
        const LogMerge merge(ranks.files);
        LogPosition position = merge.begin();
        std::vector<ShownLine> forward;
        for (int lines : {1, 7, 4321, 100'000})
            take(forward, merge.after(position, lines), forward.end());
        QCOMPARE(textsOf(forward), ranks.inOrder);
        QCOMPARE(position, merge.end());

        std::vector<ShownLine> back;
        for (int lines : {1, 7, 4321, 100'000})
            take(back, merge.before(position, lines), back.begin());
        QCOMPARE(textsOf(back), ranks.inOrder);
        QCOMPARE(position, merge.begin());

        // The position of a line is the one that all preceding lines come before.
        for (std::size_t i = 0; i < forward.size(); i += 997) {
            LogPosition place = merge.positionOf(forward[i].file, forward[i].offset);
            QCOMPARE(merge.after(place, 1).front().line.text, ranks.inOrder[static_cast<int>(i)]);
            place = merge.positionOf(forward[i].file, forward[i].offset);
            QCOMPARE(merge.before(place, 100'000).size(), i);
        }
    }

    void filesWithoutTimesAreConcatenated()
    {
        LogFolder folder;
        folder.write("0", "a\nb\n");
        folder.write("2", "c\nd\nhalf");
        const LogMerge merge({{folder.path("0"), 0, {}}, {folder.path("1"), 1, {}}, {folder.path("2"), 2, {}}});
        QCOMPARE(merge.end(), (LogPosition{4, 0, 4}));
        QCOMPARE(merge.positionOf(2, 0), (LogPosition{4, 0, 0}));
        QCOMPARE(merge.positionOf(0, 2), (LogPosition{2, 0, 0}));
        LogPosition position = merge.end();
        QCOMPARE(textsOf(merge.before(position, 3)),
                 (QStringList{QStringLiteral("b"), QStringLiteral("c"), QStringLiteral("d")}));
        QCOMPARE(position, (LogPosition{2, 0, 0}));
    }

    void searchInSeveralFilesFollowsTheirTimes()
    {
        const Ranks ranks;
        const std::atomic<bool> cancelled = false;
        const auto search = [&](const char *pattern, const LogPosition &from, bool forward) {
            return searchFiles({ranks.files, QRegularExpression(QString::fromLatin1(pattern)), from, forward},
                               cancelled, [](double) {});
        };
        // Numbers that end with 777; those of rank 0 are multiples of 11.
        auto found = search("777$", {}, true);
        QVERIFY(found);
        QCOMPARE(found->hit, qint64(ranks.rank1.indexOf("\n777\n")) + 1);
        QStringList all;
        const LogMerge merge(ranks.files);
        for (LogPosition from = merge.begin(); found && !found->wrapped;) {
            const LogPosition place = merge.positionOf(found->file, found->hit);
            LogPosition next = place;
            all << merge.after(next, 1).front().line.text;
            from = next;
            found = search("777$", from, true);
        }
        QCOMPARE(all, ranks.inOrder.filter(QRegularExpression(QStringLiteral("777$"))));
        QStringList backwards;
        found = search("777$", merge.end(), false);
        while (found && !found->wrapped) {
            const LogPosition place = merge.positionOf(found->file, found->hit);
            LogPosition next = place;
            backwards.prepend(merge.after(next, 1).front().line.text);
            found = search("777$", place, false);
        }
        QCOMPARE(backwards, all);
        found = search("^12345$", {}, true);
        QVERIFY(found);
        const QStringList around = textsOf(found->lines);
        QCOMPARE(around, ranks.inOrder.mid(12'345 - 5000, static_cast<int>(around.size())));
        QVERIFY(!found->more);
    }

    void hitsAndLinesOfWholeFilesAreCounted()
    {
        LogFolder folder;
        folder.write("0", "one 7 and 7\n\x1b[31m7\x1b[0m red\nnone\n" + numbered(0, 400'000) + "unfinished 7");
        folder.write("1", numbered(0, 8));
        const std::vector<LogFile> files{{folder.path("0"), 0, {}}, {folder.path("1"), 1, {}}};
        const std::atomic<bool> cancelled = false;
        const auto progress = [](double) {};
        const auto count = [&](const char *pattern) {
            LogCount hits(files, QRegularExpression(QString::fromLatin1(pattern)));
            return hits.countOn(cancelled, progress) ? hits.total() : -1;
        };
        // 3 in the first lines, then one of every ten lines
        QCOMPARE(count("7\\b"), qint64(3 + 40'000 + 1));
        QCOMPARE(count("[^x]7\\b"), qint64(2 + 40'000 + 1));  // must not match across line breaks
        QCOMPARE(count("\\s+"), qint64(4 + 400'000 + 8));
        QCOMPARE(count("^line \\d$"), qint64(20 - 2));
        QCOMPARE(count("(?<=line )7$"), qint64(2));
        QCOMPARE(count("nowhere"), qint64(0));

        LogCount lines(files, std::nullopt);
        QVERIFY(lines.countOn(cancelled, progress));
        QCOMPARE(lines.total(), qint64(3 + 400'000 + 8));
        LogCount hits(files, QRegularExpression(QStringLiteral("7\\b")));
        QVERIFY(hits.countOn(cancelled, progress));
        const qint64 header = 12 + 15 + 5;
        const LogPosition place{header + qint64(numbered(0, 300'000).size()), 0};
        QCOMPARE(lines.before(place, cancelled), qint64(300'003));
        QCOMPARE(hits.before(place, cancelled), qint64(30'003));
        QCOMPARE(hits.before({0, 0}, cancelled), qint64(0));

        folder.append("0", " and 7\n7");
        QVERIFY(hits.countOn(cancelled, progress));
        QCOMPARE(hits.total(), qint64(3 + 40'000 + 1 + 2));
        folder.write("0", "7\n");
        QVERIFY(hits.countOn(cancelled, progress));
        QCOMPARE(hits.total(), qint64(2));

        const std::atomic<bool> stopped = true;
        LogCount never(files, QRegularExpression(QStringLiteral("7")));
        QVERIFY(!never.countOn(stopped, progress));
    }

    void readerFarBehindContinuesNearTheEnd()
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

    void logCreatedLaterIsFound()
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

    void onlyTheEndIsReadAndTheRestOnDemand()
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

    void progressBarsShowTheirLastState()
    {
        LogFolder folder;
        folder.write("log", "10%\r20%\r30%\nwindows\r\n 1/9\r 2/9\r");
        LogTail tail(folder.path("log"), 100);
        const LogChunk chunk = tail.poll(100);
        QCOMPARE(bytesOf(chunk), (Lines{"30%", "windows"}));
        QCOMPARE(chunk.partial, std::string(" 2/9"));
    }

    void textThatIsNotWhollyOverwrittenStays()
    {
        QCOMPARE(visibleText("epoch 1 loss=0.5\r progress"), std::string("epoch 1 loss=0.5  progress"));
        QCOMPARE(visibleText("epoch 1\r 10%\r 20%\r done"), std::string("epoch 1  done"));
        QCOMPARE(visibleText("10 %\r\x1b[31m20 %\x1b[0m"), std::string("\x1b[31m20 %\x1b[0m"));
        QCOMPARE(visibleText("größer\rsmallé"), std::string("smallé"));
        QCOMPARE(visibleText("epoch 1 loss=0.5\r\x1b[K10%"), std::string("\x1b[K10%"));
        QCOMPARE(visibleText("epoch 1\r\r"), std::string("epoch 1"));
        QCOMPARE(visibleText("\r\r"), std::string());
    }

    void endlessLineIsSplit()
    {
        LogFolder folder;
        folder.write("log", QByteArray(100'000, 'x'));
        LogTail tail(folder.path("log"), 100);
        const LogChunk chunk = tail.poll(100);
        QVERIFY(chunk.lines.size() >= 5);
        QVERIFY(chunk.partial.size() <= 16 * 1024);
    }

    void ansiColorsBecomeSpansAndOtherSequencesAreRemoved()
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
        // A style continues on the next line, as on a terminal.
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

SWEEPSCOPE_TEST(LogFilesTest)
#include "tst_logfiles.moc"
