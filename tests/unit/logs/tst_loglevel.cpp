#include "testprogram.h"
#include "ui/logs/loglevel.h"

#include <QTest>

#include <string>
#include <utility>
#include <vector>

using namespace sweepscope::ui;

namespace {

/// 'E' and 'W' for the first line of an error or warning, 'e' and 'w' for further lines, '.' for others.
QString levelsOf(const std::vector<std::string> &lines)
{
    LevelReader reader;
    QString levels;
    for (const std::string &line : lines) {
        const LineLevel level = reader.read(line);
        const QChar letter = level.level == LogLevel::Error ? u'e' : level.level == LogLevel::Warning ? u'w' : u'.';
        levels += level.begins ? letter.toUpper() : letter;
    }
    return levels;
}

}  // namespace

class LogLevelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void levelOfALineIsRecognised_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("level");
        const auto row = [](const char *line, const char *level) {
            QTest::newRow(line) << QByteArray(line) << QString::fromLatin1(level);
        };
        row("WARNING:root:slow", "W");
        row("ERROR:trainer:lost", "E");
        row("CRITICAL:trainer:lost", "E");
        row("INFO:trainer:no error: all fine", ".");
        row("2026-11-22 01:02:03,123 - trainer - WARNING - slow", "W");
        row("2026-11-22 01:02:03,123 - trainer - ERROR - lost", "E");
        row("2026-11-22 01:02:03,123 - trainer - INFO - RuntimeError: retried", ".");
        row("2026-11-22 01:02:03.123 | WARNING  | __main__:main:12 - slow", "W");
        row("2026-11-22 01:02:03.123 | SUCCESS  | __main__:main:12 - error: none", ".");
        row("\x1b[32m2026-11-22\x1b[0m | \x1b[31m\x1b[1mERROR   \x1b[0m | lost", "E");
        row("2026-11-22 01:02:03 [warning  ] slow", "W");
        row("2026-11-22 01:02:03 [error    ] lost", "E");
        row("ts=1 level=warning msg=slow", "W");
        row("{\"level\": \"error\", \"msg\": \"lost\"}", "E");
        row("W1122 01:02:03.456789 1234 socket.cpp:12] slow", "W");
        row("E1122 01:02:03.456789 1234 socket.cpp:12] lost", "E");
        row("I1122 01:02:03.456789 1234 socket.cpp:12] ERROR none", ".");
        row("[rank0]:[W1122 01:02:03.456789 ProcessGroupNCCL.cpp:1250] slow", "W");
        row("[rank12]:[E1122 01:02:03.456789 ProcessGroupNCCL.cpp:616] lost", "E");
        row("node1:1234:1250 [0] NCCL INFO error: none", ".");
        row("node1:1234:1250 [0] NCCL WARN slow", "W");
        row("/a/train.py:12: UserWarning: slow", "W");
        row("warning: slow", "W");
        row("ValueError: bad", "E");
        row("error: bad", "E");
        row("Segmentation fault (core dumped)", "E");
        row("step 1 val_error=0.2 err 3", ".");
        row("the warnings are off", ".");
        row("[rank0]: all fine", ".");
        row("", ".");
    }
    void levelOfALineIsRecognised()
    {
        QFETCH(QByteArray, line);
        QFETCH(QString, level);
        QCOMPARE(levelsOf({line.toStdString()}), level);
    }

    void tracebackBelongsToTheErrorThatItFollows()
    {
        const std::vector<std::string> traceback{"Traceback (most recent call last):", "  File \"a.py\", line 1",
                                                 "    raise ValueError(\"x\")", "ValueError: x"};
        QCOMPARE(levelsOf(traceback), QStringLiteral("Eeee"));
        std::vector<std::string> lines{"step 1", "ERROR: lost"};
        lines.insert(lines.end(), traceback.begin(), traceback.end());
        lines.emplace_back("step 2");
        QCOMPARE(levelsOf(lines), QStringLiteral(".Eeeee."));
    }

    void exceptionWithAnUnknownNameEndsATraceback()
    {
        QCOMPARE(
            levelsOf({"Traceback (most recent call last):", "  File \"a.py\", line 1", "mine.Stop: enough", "next"}),
            QStringLiteral("Eee."));
    }

    void chainedExceptionsAreOneError()
    {
        QCOMPARE(levelsOf({"Traceback (most recent call last):", "  File \"a.py\"", "KeyError: 1", "",
                           "During handling of the above exception, another exception occurred:", "",
                           "Traceback (most recent call last):", "  File \"b.py\"", "ValueError: 2", "step 1"}),
                 QStringLiteral("Eee.e.eee."));
    }

    void tracebackWithThePrefixOfARankIsRecognised()
    {
        QCOMPARE(levelsOf({"[rank1]: Traceback (most recent call last):", "[rank1]:   File \"a.py\", line 1",
                           "[rank1]: mine.Stop: enough", "step 1"}),
                 QStringLiteral("Eee."));
    }

    void indentedLinesAndFramesContinueAMessage()
    {
        QCOMPARE(levelsOf({"a.py:1: UserWarning: slow", "  warnings.warn(text)", "step 1", "  step 2"}),
                 QStringLiteral("Ww.."));
        QCOMPARE(levelsOf({"[rank0]:[E1122 01:02:03.456789 a.cpp:1] lost", "frame #0: c10::Error::Error(int)",
                           "frame #1: main", "step 1"}),
                 QStringLiteral("Eee."));
        QCOMPARE(levelsOf({"a.py:1: UserWarning: slow", "  ERROR: lost"}), QStringLiteral("WE"));
    }

    void anythingIsAcceptedAsALine()
    {
        QCOMPARE(levelsOf({std::string("\0\xff ERROR \0", 10), std::string(1'000'000, ' '), "\x1b[", "[rank0]:", "]:"}),
                 QStringLiteral("E...."));
    }
};

SWEEPSCOPE_TEST(LogLevelTest)
#include "tst_loglevel.moc"
