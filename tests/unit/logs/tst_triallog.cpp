#include "logfolder.h"
#include "testprogram.h"
#include "ui/logs/errorpattern.h"
#include "ui/logs/logview.h"
#include "ui/logs/triallog.h"
#include "ui/models/missinglog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QToolButton>

#include <utility>
#include <vector>

using namespace sweepscope;
using namespace sweepscope::ui;

using tests::LogFolder;
using tests::numbered;

/// Files, search and the widget together.
class TrialLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void searchResultMovesNoButton()
    {
        LogFolder folder;
        folder.write("rank-0.log", numbered(0, 300));
        TrialLog log;
        log.resize(1000, 400);
        log.showAttempt(folder.path(""), 1);
        log.show();
        QTRY_COMPARE(log.view()->lineCount(), 300);
        auto *button = log.findChild<QToolButton *>(QStringLiteral("logExpression"));
        auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        const QRect before = button->geometry();
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        for (const QString &text : {QStringLiteral("line"), QStringLiteral("nothing"), QStringLiteral("line 299")}) {
            field->setText(text);
            QTRY_VERIFY(!result->text().isEmpty());
            QTest::qWait(1);  // layouts are updated in the event loop
            QCOMPARE(button->geometry(), before);
        }
    }

    void searchOptionsAreRemembered()
    {
        QTemporaryDir dir;
        QSettings settings(dir.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        const auto buttons = [](const TrialLog &log) {
            std::vector<QToolButton *> found;
            for (const QString &name :
                 {QStringLiteral("logExpression"), QStringLiteral("logCase"), QStringLiteral("logWrap")})
                found.push_back(log.findChild<QToolButton *>(name));
            return found;
        };
        {
            TrialLog log;
            log.keepIn(&settings);
            for (QToolButton *button : buttons(log)) {
                QVERIFY(!button->isChecked());
                button->click();
            }
        }
        TrialLog next;
        next.keepIn(&settings);
        for (const QToolButton *button : buttons(next))
            QVERIFY(button->isChecked());
        QVERIFY(next.view()->lineWrapMode() != QPlainTextEdit::NoWrap);
    }

    void unstartedAttemptIsNotSearched()
    {
        LogFolder folder;
        folder.write("rank-0.log", numbered(0, 300));
        TrialLog log;
        log.show();
        log.setEmptyText(QStringLiteral("not started"));
        QCOMPARE(log.view()->placeholderText(), QStringLiteral("not started"));
        log.showAttempt(folder.path(""), 1);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        field->setText(QStringLiteral("line 7"));
        QTRY_VERIFY(result->text().endsWith(QLatin1String("matches")));
        log.showAttempt({}, 0);
        QTest::qWait(1);
        QCOMPARE(result->text(), QString());
        QCOMPARE(log.view()->placeholderText(), QStringLiteral("not started"));
        log.showAttempt(folder.path(""), 1);
        QTRY_VERIFY(result->text().endsWith(QLatin1String("matches")));
    }

    void emptyLogSaysWhyItIsEmpty_data()
    {
        using State = sweep::TrialState;
        QTest::addColumn<sweep::TrialState>("state");
        QTest::addColumn<facts::Fact>("reason");
        QTest::addColumn<int>("attempts");
        QTest::addColumn<int>("attempt");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("hasLog");
        const facts::Fact noRank = facts::Fact(facts::Code::RankNotStarted).with(facts::Field::Rank, 0);
        const auto row = [](const char *name, State state, const facts::Fact &reason, int attempts, int attempt,
                            const char *text, bool hasLog) {
            QTest::newRow(name) << state << reason << attempts << attempt << QString::fromLatin1(text) << hasLog;
        };
        const char *none = "The log is empty: the attempt wrote no output.";
        row("queued", State::Queued, facts::Code::Queued, 0, 0,
            "The trial has not started. Its log appears here when it runs.", false);
        row("paused", State::Paused, facts::Code::PausedBeforeStart, 0, 0,
            "The trial is paused and has not started. Its log appears here when it runs.", false);
        row("stopped before its start", State::Stopped, facts::Code::SweepStoppedBeforeStart, 0, 0,
            "The trial did not start, so it has no log.", false);
        row("running", State::Running, {}, 1, 1, "The log is empty. Output appears here as the process writes it.",
            true);
        row("silent", State::Completed, {}, 1, 1, none, true);
        row("command not found", State::Failed, noRank, 1, 1, "The attempt did not start, so its log is empty.", false);
        row("not retried", State::Failed, facts::Fact(facts::Code::NotRetried).dueTo(noRank), 1, 1,
            "The attempt did not start, so its log is empty.", false);
        row("an earlier attempt", State::Failed, noRank, 2, 1, none, false);
    }

    void emptyLogSaysWhyItIsEmpty()
    {
        QFETCH(const sweep::TrialState, state);
        QFETCH(const facts::Fact, reason);
        QFETCH(const int, attempts);
        QFETCH(const int, attempt);
        sweep::TrialRecord trial;
        trial.state = state;
        trial.reason = reason;
        trial.attempts = attempts;
        QTEST(emptyLogText(trial, attempt), "text");
        QTEST(hasLog(trial), "hasLog");
    }

    void reasonOfAnEmptyLogFollowsTheTrial()
    {
        LogFolder folder;
        TrialLog log;
        log.show();
        log.setEmptyText(QStringLiteral("runs"));
        log.showAttempt(folder.path(""), 1);
        QTRY_COMPARE(log.view()->placeholderText(), QStringLiteral("runs"));
        log.setEmptyText(QStringLiteral("has ended"));
        QCOMPARE(log.view()->placeholderText(), QStringLiteral("has ended"));
        log.chooser()->setCurrentIndex(log.chooser()->count() - 1);
        QTRY_COMPARE(log.view()->placeholderText(), QStringLiteral("The log of the agent is empty."));
    }

    void textThatLooksLikeAnExpressionGetsAHint()
    {
        LogFolder folder;
        folder.write("rank-0.log", numbered(0, 300));
        TrialLog log;
        log.showAttempt(folder.path(""), 1);
        log.show();
        QTRY_COMPARE(log.view()->lineCount(), 300);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        for (const auto &[text, isTold] :
             {std::pair{QStringLiteral("line 7|line 8"), true}, std::pair{QStringLiteral("line \\d"), true},
              std::pair{QStringLiteral("nothing (here) 1.5"), false}, std::pair{QStringLiteral("nothing|("), false}}) {
            field->setText(text);
            QTRY_VERIFY(result->text().startsWith(QLatin1String("Not found")));
            QCOMPARE(result->text().contains(QLatin1String(".*")), isTold);
        }
        log.findChild<QToolButton *>(QStringLiteral("logExpression"))->click();
        field->setText(QStringLiteral("nothing|nowhere"));
        QTRY_COMPARE(result->text(), QStringLiteral("Not found in the file"));
    }

    void textThatOnlyOtherTrialsHaveIsNoProblem()
    {
        LogFolder folder;
        folder.write("rank-0.log", numbered(0, 300));
        TrialLog log;
        log.showAttempt(folder.path(""), 1);
        log.show();
        QTRY_COMPARE(log.view()->lineCount(), 300);
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        auto *result = log.findChild<QLabel *>(QStringLiteral("logSearchResult"));
        field->setText(QStringLiteral("nothing"));
        QTRY_COMPARE(result->text(), QStringLiteral("Not found in the file"));
        const QColor problem = result->palette().color(QPalette::WindowText);
        log.setFoundElsewhere(QStringLiteral("14 lines in 3 trials"));
        QCOMPARE(result->text(), QStringLiteral("Not in this log; 14 lines in 3 trials"));
        QVERIFY(result->palette().color(QPalette::WindowText) != problem);
        field->setText(QStringLiteral("nowhere"));
        QTRY_COMPARE(result->text(), QStringLiteral("Not found in the file"));
        QCOMPARE(result->palette().color(QPalette::WindowText), problem);
        log.setFoundElsewhere(QStringLiteral("1 line in 1 trial"));
        field->setText(QStringLiteral("line 7"));
        QTRY_VERIFY(result->text().contains(QLatin1String("matches")));
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
        QCOMPARE(errorLinePattern().match(line).hasMatch(), error);
        // Anywhere in a line, whatever surrounds it.
        for (const QString &beside : {QStringLiteral("x"), QStringLiteral(" "), QStringLiteral("_"),
                                      QStringLiteral("9."), QStringLiteral("Error "), QStringLiteral("My")}) {
            for (const QString &text : {beside + line, line + beside, line.sliced(1) + beside + line})
                QCOMPARE(errorLinePattern().match(text).hasMatch(), errorPattern().match(text).hasMatch());
        }
    }

    void allRanksAreShownWithTheirNumber()
    {
        LogFolder folder;
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

    void linesOfAllRanksAreOrderedByTime()
    {
        LogFolder folder;
        folder.write("rank-0.log", "a\nd\n");
        folder.write("rank-0.times", "2 100\n4 400\n");
        folder.write("rank-1.log", "b\nc\ne\n");
        folder.write("rank-1.times", "4 200\n");  // the last line is too new to be listed
        TrialLog log;
        log.showAttempt(folder.dir.path().toStdString(), 2);
        log.show();
        QTRY_COMPARE(log.view()->toPlainText(),
                     QStringLiteral("[rank 0] a\n[rank 1] b\n[rank 1] c\n[rank 0] d\n[rank 1] e"));
    }

    void longLogsOfAllRanksAreOrderedByTime()
    {
        // More than one batch of each rank, and rank 1 has ten times as many lines.
        LogFolder folder;
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

    void firstErrorIsShownOnceItIsRead()
    {
        LogFolder folder;
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

    void missingErrorIsReportedOnlyOnRequest()
    {
        LogFolder folder;
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
        QCOMPARE(result->text(), QStringLiteral("No error lines found"));
    }

    void lettersInTheLogTriggerTheButtons()
    {
        LogFolder folder;
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
        // In the search field they are letters.
        auto *field = log.findChild<QLineEdit *>(QStringLiteral("logSearch"));
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("we"));
        QCOMPARE(field->text(), QStringLiteral("we"));
        QVERIFY(log.view()->isAtEnd());
    }

    void invalidPatternIsReportedAtTheField()
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

SWEEPSCOPE_TEST(TrialLogTest)
#include "tst_triallog.moc"
