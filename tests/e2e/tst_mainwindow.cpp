#include "testprogram.h"

#include "e2e/workspaceengine.h"
#include "ui/models/trialtablemodel.h"
#include "ui/shell/mainwindow.h"
#include "ui/shell/sweepimport.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

namespace {

/// One window on one engine, as the user sees it.
struct Desk {
    WorkspaceEngine engine;
    std::unique_ptr<MainWindow> window;

    void open(ui::Theme &theme, const QString &sweepFile)
    {
        window = std::make_unique<MainWindow>(&engine.client(), &theme, &engine.settings());
        window->begin(sweepFile);
        window->show();
    }
    template <typename Widget>
    Widget *find(const QString &name) const
    {
        return window->findChild<Widget *>(name);
    }
    /// Empty if there is none (yet).
    QString label(const QString &name) const
    {
        const auto *found = find<QLabel>(name);
        return found ? found->text() : QString();
    }
    void click(const QString &name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    bool canStart() const { return find<QPushButton>(u"start"_s)->isEnabled(); }
    MainWindow::Page page() const
    {
        return static_cast<MainWindow::Page>(find<QStackedWidget>(u"pages"_s)->currentIndex());
    }
    const std::vector<sweep::TrialRecord> &trials()
    {
        return engine.client().trials(window->selection().current().sweepId);
    }
    bool allTrialsAre(sweep::TrialState state)
    {
        return !trials().empty()
               && std::ranges::all_of(trials(), [state](const auto &trial) { return trial.state == state; });
    }
    bool anyTrialIs(sweep::TrialState state)
    {
        return std::ranges::any_of(trials(), [state](const auto &trial) { return trial.state == state; });
    }
    QStringList columnTexts(const QString &title) const
    {
        const QAbstractItemModel *model = find<QTableView>(u"trialsTable"_s)->model();
        QStringList texts;
        for (int section = 0; section < model->columnCount(); ++section) {
            if (model->headerData(section, Qt::Horizontal).toString() != title)
                continue;
            for (int row = 0; row < model->rowCount(); ++row)
                texts << model->index(row, section).data().toString();
        }
        return texts;
    }
};

QList<QByteArray> linesOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QList<QByteArray> lines = file.readAll().split('\n');
    lines.removeIf([](const QByteArray &line) { return line.isEmpty(); });
    return lines;
}

}  // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void emptyWorkspaceShowsTheExample();
    void sweepRunsFromStartToCsv();
    void stopEndsARunningSweep();
    void failedTrialShowsItsCause();
    void equalFailuresAreOneRowAndRetriedTogether();
    void anotherObjectiveIsOfferedFromWhatWasReported();
    void printedMetricsAreReadWithoutADefinition();
    void metricsAreOfferedIfTheReadOnesWereNotPrinted();
    void trialsKeepRunningAfterClosingAndAreShownAgain();
    void cancelledCloseKeepsTheWindowOpen();
    void stopAllAndCloseStopsTheTrials();
    void closingAsksAboutAnUnsavedSweep();
    void selectedSweepShowsItsDefinition();
    void menuSwitchesPagesAndColours();
    void rapidTextSizeChangesAreAppliedOnce();
    void sweepOfAnotherProgramIsImported();
    void sideBarFollowsTheTextSize();
    void allPagesAreReachableWithLargeFonts();
    void longMessageKeepsTheEngineStatusVisible();

private:
    std::unique_ptr<ui::Theme> m_theme;
};

void MainWindowTest::initTestCase()
{
    m_theme = std::make_unique<ui::Theme>(qApp);
}

void MainWindowTest::init()
{
    // The offscreen platform itself warns about features that it lacks.
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void MainWindowTest::emptyWorkspaceShowsTheExample()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme, {});
    QCOMPARE(desk.page(), MainWindow::Page::Sweep);
    QCOMPARE(desk.find<QLineEdit>(u"sweep.name"_s)->text(), u"digits-mlp"_s);
    QCOMPARE(desk.label(u"stripName"_s), u"New sweep"_s);
    QVERIFY(!desk.find<QPushButton>(u"stopButton"_s)->isEnabled());
    QVERIFY(desk.window->close());
}

void MainWindowTest::sweepRunsFromStartToCsv()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme,
              desk.engine.writeSweep(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 3));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);

    desk.click(u"start"_s);
    QTRY_COMPARE_WITH_TIMEOUT(desk.page(), MainWindow::Page::Live, patience);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Completed), patience);

    QTRY_COMPARE(desk.label(u"stripState"_s), u"Completed"_s);
    QTRY_COMPARE(desk.label(u"stripCounts"_s), u"3 of 3 trials completed"_s);
    QCOMPARE(desk.find<QProgressBar>(u"stripProgress"_s)->value(), 1000);
    QTRY_COMPARE(desk.find<QPushButton>(u"stripBest"_s)->text(), u"Best loss 2 in trial 3"_s);
    QCOMPARE(desk.find<QListView>(u"sweepList"_s)->model()->rowCount(), 1);
    QTRY_COMPARE(desk.columnTexts(u"State"_s), QStringList({u"Completed"_s, u"Completed"_s, u"Completed"_s}));
    QCOMPARE(desk.columnTexts(u"n"_s), QStringList({u"1"_s, u"2"_s, u"3"_s}));
    QCOMPARE(desk.columnTexts(u"Best loss"_s), QStringList({u"0"_s, u"1"_s, u"2"_s}));

    const QString folder = desk.engine.path(u"csv"_s);
    QVERIFY(QDir().mkpath(folder));
    desk.find<QAction>(u"exportAction"_s)->trigger();
    QTRY_VERIFY(desk.find<QLineEdit>(u"exportFolder"_s));
    desk.find<QLineEdit>(u"exportFolder"_s)->setText(folder);
    desk.click(u"exportButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.label(u"exportMessage"_s).contains(u"-curves.csv"_s), patience);
    const QStringList files = QDir(folder).entryList(QDir::Files, QDir::Name);
    QCOMPARE(files.size(), 2);
    QVERIFY(files[0].endsWith(u"-points-curves.csv"_s));
    QVERIFY(files[1].endsWith(u"-points-trials.csv"_s));
    QCOMPARE(linesOf(folder + u'/' + files[1]).size(), 4);
    QVERIFY(linesOf(folder + u'/' + files[1]).at(1).contains("completed"));
    QCOMPARE(linesOf(folder + u'/' + files[0]).size(), 1 + (1 + 2 + 3));

    // Exporting again asks before it overwrites the files.
    desk.click(u"exportButton"_s);
    QTRY_VERIFY(desk.find<QMessageBox>(u"overwriteDialog"_s));
    QVERIFY(QFile::remove(folder + u'/' + files[1]));
    desk.click(u"overwriteButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder + u'/' + files[1]), patience);
    QTRY_COMPARE(desk.find<QPushButton>(u"exportClose"_s)->text(), u"Close"_s);
    desk.click(u"exportClose"_s);
}

void MainWindowTest::stopEndsARunningSweep()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme,
              desk.engine.writeSweep(
                  u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 3));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.anyTrialIs(sweep::TrialState::Running), patience);
    QTRY_VERIFY(desk.find<QPushButton>(u"stopButton"_s)->isEnabled());

    // It asks first, and declining changes nothing.
    desk.click(u"stopButton"_s);
    QTRY_VERIFY(desk.find<QMessageBox>(u"stopDialog"_s));
    desk.click(u"cancelStopButton"_s);
    QTRY_VERIFY(!desk.find<QMessageBox>(u"stopDialog"_s));
    QVERIFY(desk.anyTrialIs(sweep::TrialState::Running));

    desk.find<QAction>(u"stopAction"_s)->trigger();
    QTRY_VERIFY(desk.find<QMessageBox>(u"stopDialog"_s));
    desk.click(u"confirmStopButton"_s);

    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Stopped), patience);
    QTRY_COMPARE_WITH_TIMEOUT(desk.label(u"stripState"_s), u"Stopped"_s, patience);
    QVERIFY(!desk.find<QPushButton>(u"stopButton"_s)->isEnabled());
}

void MainWindowTest::failedTrialShowsItsCause()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme, desk.engine.writeSweep(
                            u"failing"_s, {WorkspaceEngine::clientProgram(u"exits"_s), u"7"_s, u"all"_s, u"{n}"_s}, 2));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Failed), patience);
    QTRY_COMPARE(desk.label(u"stripCounts"_s), u"0 of 2 trials completed, 2 failed"_s);
    const QStringList causes = desk.columnTexts(u"Reason"_s);
    QCOMPARE(causes.size(), 2);
    QVERIFY2(causes[0].contains(u'7'), qPrintable(causes[0]));

    // Only matching rows stay, and an empty table offers to clear the filter.
    desk.window->showPage(MainWindow::Page::Trials);
    QTest::keyClicks(desk.find<QLineEdit>(u"trialsFilter"_s), u"n=2"_s);
    QCOMPARE(desk.columnTexts(u"Trial"_s), QStringList(u"2"_s));
    QTest::keyClicks(desk.find<QLineEdit>(u"trialsFilter"_s), u"0"_s);
    QTRY_COMPARE(desk.find<QTableView>(u"trialsTable"_s)->isVisible(), false);
    auto *trialsPage = desk.find<QWidget>(u"trialsPage"_s);
    const QList<QPushButton *> actions = trialsPage->findChildren<QPushButton *>(u"emptyAction"_s);
    const auto clear = std::ranges::find_if(actions, [](const QPushButton *action) { return action->isVisible(); });
    QVERIFY(clear != actions.end());
    QTest::mouseClick(*clear, Qt::LeftButton);
    QCOMPARE(desk.columnTexts(u"Trial"_s).size(), 2);

    // Rows go to the clipboard.
    auto *table = desk.find<QTableView>(u"trialsTable"_s);
    table->selectAll();
    table->setFocus();
    QTest::keySequence(table, QKeySequence::Copy);
    QTRY_COMPARE(QApplication::clipboard()->text().count(u'\n'), 2);
}

void MainWindowTest::equalFailuresAreOneRowAndRetriedTogether()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    const QStringList command{WorkspaceEngine::clientProgram(u"exits"_s),
                              u"1"_s,
                              u"all"_s,
                              u"{n}"_s,
                              u"Traceback (most recent call last):"_s,
                              u"  File \"/home/ann/train.py\", line 6"_s,
                              u"IndexError: index {n} is out of bounds"_s};
    desk.open(*m_theme, desk.engine.writeSweep(u"failing"_s, command, 2));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Failed), patience);
    auto *header = desk.find<QPushButton>(u"stripFailures"_s);
    QTRY_COMPARE(header->text(), u"IndexError in train.py:6"_s);
    QTest::mouseClick(header, Qt::LeftButton);
    QCOMPARE(desk.page(), MainWindow::Page::Findings);
    QTRY_COMPARE_WITH_TIMEOUT(desk.label(u"findingsSummary"_s), u"2 of 2 trials failed"_s, patience);
    QCOMPARE(desk.label(u"failureTitle"_s), u"2 × IndexError in train.py:6"_s);
    const int attempts = desk.trials().front().attempts;
    desk.click(u"failureRetry"_s);
    QTRY_VERIFY_WITH_TIMEOUT(
        std::ranges::all_of(desk.trials(), [attempts](const auto &trial) { return trial.attempts > attempts; }),
        patience);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Failed), patience);
    QTRY_COMPARE_WITH_TIMEOUT(desk.label(u"failureTitle"_s), u"2 × IndexError in train.py:6"_s, patience);
    desk.click(u"failureLog"_s);
    QCOMPARE(desk.page(), MainWindow::Page::Logs);
}

void MainWindowTest::anotherObjectiveIsOfferedFromWhatWasReported()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme,
              desk.engine.writeSweep(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}0"_s}, 2,
                                     u"val_acc"_s));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Completed), patience);
    auto *use = desk.find<QPushButton>(u"stripObjective"_s);
    QTRY_VERIFY(use->isVisible());
    QCOMPARE(use->text(), u"Use loss"_s);
    QTest::mouseClick(use, Qt::LeftButton);
    QTRY_VERIFY(!use->isVisible());
    auto *best = desk.find<QPushButton>(u"stripBest"_s);
    QTRY_COMPARE(best->text(), u"Best loss 0 in trial 1"_s);
    QCOMPARE(desk.trials().front().attempts, 1);
}

void MainWindowTest::printedMetricsAreReadWithoutADefinition()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    const QString script = u"for i in 1 2 3; do echo step $i loss: $((100 - i)); done"_s;
    desk.open(*m_theme, desk.engine.writeSweep(u"prints"_s, {u"sh"_s, u"-c"_s, script + u" # {n}"_s}, 2));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Completed), patience);
    QTRY_COMPARE_WITH_TIMEOUT(desk.label(u"stripState"_s), u"Completed"_s, patience);
    QCOMPARE(desk.trials().front().objectiveBest->value, 99.0);  // maximized
    QCOMPARE(desk.trials().front().step, std::int64_t(3));
    QVERIFY(!desk.find<QPushButton>(u"stripPlotPrinted"_s)->isVisible());
}

void MainWindowTest::metricsAreOfferedIfTheReadOnesWereNotPrinted()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    const QString file = desk.engine.writeSweep(u"mismatch"_s, {u"sh"_s, u"-c"_s, u"echo step 1 loss: 0.{n}"_s}, 2);
    QFile definition(file);
    QVERIFY(definition.open(QIODevice::Append));
    definition.write("[run.metrics]\nseries.loss = 'LOSS=(.*)'\n");
    definition.close();
    desk.open(*m_theme, file);
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Completed), patience);
    QTRY_COMPARE_WITH_TIMEOUT(desk.label(u"stripState"_s), u"Completed, no loss"_s, patience);
    auto *plot = desk.find<QPushButton>(u"stripPlotPrinted"_s);
    QTRY_VERIFY_WITH_TIMEOUT(plot->isVisible(), patience);
    const auto *findings = desk.find<QToolButton>(u"findingsPageButton"_s);
    QTRY_COMPARE_WITH_TIMEOUT(findings->text(), u"Findings (1)"_s, patience);
    QTest::mouseClick(plot, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(desk.label(u"stripState"_s), u"Completed"_s, patience);
    QTRY_COMPARE_WITH_TIMEOUT(findings->text(), u"Findings"_s, patience);
    QCOMPARE(desk.trials().back().objectiveBest->value, 0.2);
    QVERIFY(!plot->isVisible());
}

void MainWindowTest::trialsKeepRunningAfterClosingAndAreShownAgain()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme,
              desk.engine.writeSweep(
                  u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 2));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.anyTrialIs(sweep::TrialState::Running), patience);

    desk.window->close();
    QTRY_VERIFY(desk.find<QMessageBox>(u"closeDialog"_s));
    QCOMPARE(desk.find<QMessageBox>(u"closeDialog"_s)->text(),
             u"Training continues in the background: 1 running, 1 queued."_s);
    QVERIFY(desk.window->isVisible());
    desk.click(u"closeWindowButton"_s);
    QTRY_VERIFY(!desk.window->isVisible());
    const qint64 sweepId = desk.window->selection().current().sweepId;

    desk.open(*m_theme, {});
    QVERIFY(desk.anyTrialIs(sweep::TrialState::Running));
    QCOMPARE(desk.window->selection().current().sweepId, sweepId);
    QCOMPARE(desk.page(), MainWindow::Page::Live);
    QCOMPARE(desk.label(u"stripName"_s), u"endless"_s);
}

void MainWindowTest::cancelledCloseKeepsTheWindowOpen()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme,
              desk.engine.writeSweep(
                  u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 1));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.anyTrialIs(sweep::TrialState::Running), patience);
    desk.window->close();
    QTRY_VERIFY(desk.find<QMessageBox>(u"closeDialog"_s));
    QTest::keyClick(desk.find<QMessageBox>(u"closeDialog"_s), Qt::Key_Escape);
    QTRY_VERIFY(!desk.find<QMessageBox>(u"closeDialog"_s));
    QVERIFY(desk.window->isVisible());
    QVERIFY(desk.anyTrialIs(sweep::TrialState::Running));
}

void MainWindowTest::stopAllAndCloseStopsTheTrials()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme,
              desk.engine.writeSweep(
                  u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 2));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_VERIFY_WITH_TIMEOUT(desk.anyTrialIs(sweep::TrialState::Running), patience);
    desk.window->close();
    QTRY_VERIFY(desk.find<QMessageBox>(u"closeDialog"_s));
    desk.click(u"stopAllButton"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window->isVisible(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Stopped), patience);
}

void MainWindowTest::closingAsksAboutAnUnsavedSweep()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme, {});
    QTest::keyClicks(desk.find<QLineEdit>(u"sweep.name"_s), u"-2"_s);
    desk.window->close();
    QTRY_VERIFY(desk.find<QMessageBox>(u"unsavedDialog"_s));
    desk.click(u"cancelUnsavedButton"_s);
    QTRY_VERIFY(!desk.find<QMessageBox>(u"unsavedDialog"_s));
    QVERIFY(desk.window->isVisible());
    desk.window->close();
    QTRY_VERIFY(desk.find<QMessageBox>(u"unsavedDialog"_s));
    desk.click(u"discardUnsavedButton"_s);
    QTRY_VERIFY(!desk.window->isVisible());
}

void MainWindowTest::selectedSweepShowsItsDefinition()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme,
              desk.engine.writeSweep(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 2));
    QTRY_VERIFY_WITH_TIMEOUT(desk.canStart(), patience);
    desk.click(u"start"_s);
    QTRY_COMPARE_WITH_TIMEOUT(desk.page(), MainWindow::Page::Live, patience);
    QTRY_VERIFY_WITH_TIMEOUT(desk.allTrialsAre(sweep::TrialState::Completed), patience);
    desk.find<QAction>(u"new"_s)->trigger();
    QCOMPARE(desk.page(), MainWindow::Page::Sweep);
    auto *name = desk.find<QLineEdit>(u"sweep.name"_s);
    QTRY_VERIFY(name->hasFocus());
    QTest::keyClicks(name, u"draft"_s);
    QCOMPARE(name->text(), u"draft"_s);

    auto *list = desk.find<QListView>(u"sweepList"_s);
    const auto clickSweep = [list] {
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
    };
    clickSweep();
    QCOMPARE(desk.page(), MainWindow::Page::Sweep);
    QVERIFY(desk.find<QWidget>(u"sweepDefinition"_s)->isVisible());
    QCOMPARE(desk.label(u"definitionTitle"_s), u"points"_s);
    desk.find<QAction>(u"startAction"_s)->trigger();  // a hidden draft is shown rather than started
    QVERIFY(!desk.find<QWidget>(u"sweepDefinition"_s)->isVisible());
    QCOMPARE(name->text(), u"draft"_s);
    QCOMPARE(desk.engine.client().sweeps().size(), std::size_t(1));

    clickSweep();
    desk.click(u"definitionCopy"_s);
    QVERIFY(!desk.find<QWidget>(u"sweepDefinition"_s)->isVisible());
    QCOMPARE(name->text(), u"points 2"_s);
    desk.find<QAction>(u"undo"_s)->trigger();
    QCOMPARE(name->text(), u"draft"_s);
    desk.window->close();
    QTRY_VERIFY(desk.find<QMessageBox>(u"unsavedDialog"_s));
    desk.click(u"discardUnsavedButton"_s);
    QTRY_VERIFY(!desk.window->isVisible());
}

void MainWindowTest::menuSwitchesPagesAndColours()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme, {});
    desk.find<QAction>(u"showTrialsPageAction"_s)->trigger();
    QCOMPARE(desk.page(), MainWindow::Page::Trials);
    desk.find<QAction>(u"darkColorsAction"_s)->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 128);
    desk.window->close();

    // The next window restores it.
    m_theme->setScheme(ui::ColorScheme::System);
    desk.open(*m_theme, {});
    QCOMPARE(m_theme->scheme(), ui::ColorScheme::Dark);
    desk.find<QAction>(u"lightColorsAction"_s)->trigger();
    QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 128);
    desk.find<QAction>(u"searchAction"_s)->trigger();
    QTRY_VERIFY(desk.find<QLineEdit>(u"quickLine"_s));
    QTest::keyClicks(desk.find<QLineEdit>(u"quickLine"_s), u"theme dark"_s);
    QTest::keyClick(desk.find<QLineEdit>(u"quickLine"_s), Qt::Key_Return);
    QTRY_COMPARE(m_theme->scheme(), ui::ColorScheme::Dark);
}

void MainWindowTest::rapidTextSizeChangesAreAppliedOnce()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme, {});
    QSignalSpy changed(m_theme.get(), &ui::Theme::textSizeChanged);
    for (int step = 0; step < 3; ++step)
        desk.find<QAction>(u"largerTextAction"_s)->trigger();
    QTRY_COMPARE(m_theme->textSize(), 150);
    QCOMPARE(changed.size(), 1);
    desk.find<QAction>(u"usualTextAction"_s)->trigger();
    QTRY_COMPARE(m_theme->textSize(), ui::usualTextSize);
}

void MainWindowTest::sweepOfAnotherProgramIsImported()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"grid.yaml"_s);
    const auto write = [&path](const QByteArray &text) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QWidget window;
    ui::SweepImport import(SWEEPSCOPE_BIN_DIR "/sweepctl", &window);
    QSignalSpy imported(&import, &ui::SweepImport::imported);
    QSignalSpy failed(&import, &ui::SweepImport::failed);
    const QByteArray head = "program: train.py\nmetric: {name: loss, goal: minimize}\n";
    QVERIFY(write(head + "method: grid\nparameters: {lr: {values: [0.1, 0.2]}}\n"));
    import.read(path);
    QTRY_COMPARE_WITH_TIMEOUT(imported.size(), 1, patience);
    QCOMPARE(imported[0][0].toString(), path);
    QVERIFY(imported[0][1].toString().contains(u"lr = [0.1, 0.2]"_s));
    QVERIFY(write(head + "method: custom\nparameters: {lr: {values: [0.1, 0.2]}}\n"));
    import.read(path);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY2(failed[0][0].toString().contains(u"grid.yaml:3:"_s), qPrintable(failed[0][0].toString()));
}

void MainWindowTest::sideBarFollowsTheTextSize()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    const auto restore = qScopeGuard([this] { m_theme->setTextSize(ui::usualTextSize); });
    desk.open(*m_theme, {});
    for (int step = 0; step < 4; ++step)
        desk.find<QAction>(u"largerTextAction"_s)->trigger();
    QTRY_COMPARE(m_theme->textSize(), 175);
    desk.window->close();
    // The next window starts with this size.
    desk.open(*m_theme, {});
    desk.window->resize(1600, 900);
    const auto *sideBar = desk.find<QWidget>(u"sweepSideBar"_s);
    QTRY_VERIFY(sideBar->width() > 0);
    const int wide = sideBar->width();
    desk.find<QAction>(u"usualTextAction"_s)->trigger();
    QTRY_COMPARE(m_theme->textSize(), ui::usualTextSize);
    QTRY_VERIFY2(sideBar->width() < wide * 3 / 4, qPrintable(u"%1 of %2"_s.arg(sideBar->width()).arg(wide)));
}

void MainWindowTest::allPagesAreReachableWithLargeFonts()
{
    Desk desk;
    QVERIFY2(desk.engine.connect(), qPrintable(desk.engine.client().errorText()));
    desk.open(*m_theme, {});
    desk.window->resize(1280, 800);
    const auto *bar = desk.find<QWidget>(u"pageBar"_s);
    const auto *last = desk.find<QToolButton>(u"logsPageButton"_s);
    const auto *first = desk.find<QToolButton>(u"sweepPageButton"_s);
    const auto restore = qScopeGuard([this] { m_theme->setTextSize(ui::usualTextSize); });
    for (const int percent : {150, 200}) {
        m_theme->setTextSize(percent);
        for (const QString &page : desk.window->pageNames()) {
            desk.window->showPage(page);
            const auto isIn = [bar](const QWidget *button) {
                return bar->rect().contains(QRect(button->mapTo(bar, QPoint()), button->size()));
            };
            QTRY_VERIFY2(!bar->isVisible() || (isIn(last) && isIn(first)),
                         qPrintable(u"%1 at %2 %"_s.arg(page).arg(percent)));
        }
    }
}

void MainWindowTest::longMessageKeepsTheEngineStatusVisible()
{
    ui::Theme theme(qApp);
    Desk desk;
    QVERIFY(desk.engine.connect());
    desk.open(theme, {});
    desk.window->resize(1280, 800);
    const auto *message = desk.find<QLabel>(u"statusMessage"_s);
    const auto *engine = desk.find<QLabel>(u"engineState"_s);
    QTRY_COMPARE(engine->text(), u"Engine connected"_s);
    QVERIFY(!message->isVisible());
    const QString sentence = QString(u"The sweep has its new definition: 2 trials are left out. "_s).repeated(6);
    desk.window->statusBar()->showMessage(sentence, 60'000);
    QTRY_VERIFY(message->isVisible() && message->width() > 300);
    QCOMPARE(message->text(), sentence);
    QVERIFY(message->fontMetrics().horizontalAdvance(sentence) > message->width());
    const QWidget *bar = desk.window->statusBar();
    const auto placeOf = [bar](const QWidget *widget) { return QRect(widget->mapTo(bar, QPoint()), widget->size()); };
    QTRY_VERIFY(engine->isVisible() && engine->width() >= engine->fontMetrics().horizontalAdvance(engine->text()));
    QTRY_VERIFY(placeOf(engine).right() < placeOf(message).left());
    for (const QString &name : {u"workspacePath"_s, u"devicesNote"_s}) {
        const auto *label = desk.find<QLabel>(name);
        QTRY_VERIFY(label->isVisible() && label->width() >= label->sizeHint().width());
        QVERIFY(bar->rect().contains(placeOf(label)) && placeOf(message).right() < placeOf(label).left());
    }
    theme.setTextSize(150);
    QTRY_VERIFY(engine->font().pointSizeF() > 12 || engine->fontMetrics().height() > 20);
    QTRY_VERIFY(engine->width() >= engine->fontMetrics().horizontalAdvance(engine->text()));
    theme.setTextSize(ui::usualTextSize);
    desk.window->statusBar()->clearMessage();
    QTRY_VERIFY(!message->isVisible());
    QVERIFY(engine->isVisible());
}

SWEEPSCOPE_TEST(MainWindowTest)
#include "tst_mainwindow.moc"
