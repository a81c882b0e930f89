#include "testprogram.h"

#include "e2e/workspaceengine.h"
#include "ui/actions/continuedialog.h"
#include "ui/examination/findingsmodel.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/plotpane.h"
#include "ui/shell/checkpointremoval.h"
#include "ui/shell/mainwindow.h"
#include "ui/theme/textsize.h"
#include "ui/theme/theme.h"
#include "ui/theme/trialcolors.h"
#include "ui/timeline/timelineview.h"
#include "ui/trial/checkpointdialog.h"
#include "ui/trial/commandview.h"
#include "unit/live/pixels.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDirIterator>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

/// One window on one real engine, as the user sees the page of one trial.
class TrialPageTest : public QObject {
    Q_OBJECT

    template <typename Widget>
    Widget *find(const QString &name) const
    {
        return m_window->findChild<Widget *>(name);
    }
    template <typename Widget>
    Widget *onPage(const QString &name) const
    {
        return find<QWidget>(u"trialPage"_s)->findChild<Widget *>(name);
    }
    MainWindow::Page page() const
    {
        return static_cast<MainWindow::Page>(find<QStackedWidget>(u"pages"_s)->currentIndex());
    }
    QStringList column(const QString &table, int section) const
    {
        const QAbstractItemModel *model = onPage<QTableView>(table)->model();
        QStringList texts;
        for (int row = 0; row < model->rowCount(); ++row)
            texts << model->index(row, section).data().toString();
        return texts;
    }
    const std::vector<sweep::TrialRecord> &trials() const
    {
        return m_engine->client().trials(m_window->selection().current().sweepId);
    }
    bool allAre(sweep::TrialState state) const
    {
        return !trials().empty()
               && std::ranges::all_of(trials(), [state](const auto &trial) { return trial.state == state; });
    }
    void open(const QString &sweepFile)
    {
        m_engine = std::make_unique<WorkspaceEngine>();
        QVERIFY2(m_engine->connect(), qPrintable(m_engine->client().errorText()));
        m_window = std::make_unique<MainWindow>(&m_engine->client(), m_theme.get(), &m_engine->settings());
        m_window->begin(sweepFile);
        m_window->show();
    }
    void start(const QString &name, const QStringList &command, int trialCount)
    {
        open({});
        m_window->openFile(m_engine->writeSweep(name, command, trialCount));
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>(u"start"_s)->isEnabled(), patience);
        QTest::mouseClick(find<QPushButton>(u"start"_s), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(static_cast<int>(trials().size()), trialCount, patience);
    }
    /// By a double click in the table.
    void activateTrial(int row)
    {
        m_window->showPage(MainWindow::Page::Trials);
        auto *table = find<QTableView>(u"trialsTable"_s);
        QTRY_VERIFY(table->isVisible() && table->model()->rowCount() > row);
        const QPoint place = table->visualRect(table->model()->index(row, 1)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(table->viewport(), Qt::LeftButton, {}, place);
        QTRY_COMPARE(page(), MainWindow::Page::Trial);
    }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init() { QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s)); }
    void cleanup()
    {
        if (m_window)
            m_window->hide();
        m_window.reset();
        m_engine.reset();
    }

    void pageWithoutATrialShowsTheNextStep()
    {
        open({});
        m_window->showPage(MainWindow::Page::Trial);
        QTRY_VERIFY(onPage<QLabel>(u"emptyTitle"_s)->isVisible());
    }

    void failedTrialIsDescribedCompletely()
    {
        start(u"failing"_s, {WorkspaceEngine::clientProgram(u"exits"_s), u"7"_s, u"all"_s, u"{n}"_s}, 2);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Failed), patience);
        activateTrial(1);
        QCOMPARE(onPage<QSpinBox>(u"trialNumber"_s)->value(), 2);
        QTRY_COMPARE(column(u"trialParameters"_s, 1), QStringList(u"2"_s));
        // One parameter needs one row; the metrics have the rest.
        QTRY_VERIFY(onPage<QTableView>(u"trialParameters"_s)->height() * 2
                    < onPage<QTableView>(u"trialMetrics"_s)->height());
        QTRY_VERIFY_WITH_TIMEOUT(column(u"trialHistory"_s, 1).contains(u"Failed"_s), patience);
        QVERIFY(column(u"trialHistory"_s, 1).contains(u"Running"_s));
        QVERIFY(column(u"trialHistory"_s, 2).value(column(u"trialHistory"_s, 2).size() - 1).contains(u'7'));
        QTRY_VERIFY_WITH_TIMEOUT(column(u"attemptFiles"_s, 0).contains(u"rank-0.log"_s), patience);
        QVERIFY(column(u"attemptEnvironment"_s, 0).contains(u"SWEEPSCOPE_PARAMS"_s));
        QTRY_VERIFY_WITH_TIMEOUT(column(u"attemptMachine"_s, 0).contains(u"kernel"_s), patience);
        QVERIFY(column(u"attemptPackages"_s, 0).isEmpty());  // it is no Python script
        QVERIFY(onPage<ui::CommandView>(u"attemptCommand"_s)->command().contains(u"client-exits 7 all 2"_s));
        QVERIFY(onPage<QLabel>(u"attemptOutcome"_s)->text().startsWith(u"Failed after"_s));
        // Enlarging the font and back restores the layout.
        auto *command = onPage<ui::CommandView>(u"attemptCommand"_s);
        const int width = command->width();
        const int height = command->height();
        m_theme->setTextSize(200);
        QTRY_VERIFY(command->height() > height);
        m_theme->setTextSize(ui::usualTextSize);
        QTRY_VERIFY(std::abs(command->width() - width) < width / 10);
        QTRY_COMPARE(command->height(), height);
        QVERIFY(onPage<QPushButton>(u"trialRetry"_s)->isEnabled());
        QVERIFY(!onPage<QPushButton>(u"trialStop"_s)->isEnabled());
        // The keyboard selects the other trial, and the other pages of a trial follow.
        auto *number = onPage<QSpinBox>(u"trialNumber"_s);
        number->setFocus();
        QTest::keyClick(number, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(column(u"trialParameters"_s, 1), QStringList(u"1"_s), patience);
        QTest::mouseClick(onPage<QPushButton>(u"noticeAction"_s), Qt::LeftButton);
        QCOMPARE(page(), MainWindow::Page::Logs);
        // Its log names the trial and can switch to the next; the page of the trial follows.
        auto *ofLog = find<QWidget>(u"logsPage"_s)->findChild<QSpinBox *>(u"trialNumber"_s);
        QCOMPARE(ofLog->value(), 1);
        ofLog->setFocus();
        QTest::keyClick(ofLog, Qt::Key_Up);
        QCOMPARE(page(), MainWindow::Page::Logs);
        m_window->showPage(MainWindow::Page::Trial);
        QTRY_COMPARE(number->value(), 2);
    }

    void metricsAreAggregatedOverTheRanks()
    {
        start(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 3);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(2);
        QTRY_COMPARE_WITH_TIMEOUT(column(u"trialMetrics"_s, 0).value(0), u"loss"_s, patience);
        QTRY_COMPARE_WITH_TIMEOUT(column(u"trialMetrics"_s, 3).value(0), u"2"_s, patience);
        QCOMPARE(column(u"trialMetrics"_s, 2).value(0), u"0"_s);
    }

    void withoutAnEngineOnlyTheTrialsOwnFilesAreShown()
    {
        start(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 3);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(2);
        QTRY_VERIFY_WITH_TIMEOUT(!column(u"trialHistory"_s, 1).isEmpty(), patience);
        m_engine->endEngine();
        QTRY_VERIFY_WITH_TIMEOUT(!m_engine->client().isConnected(), patience);
        auto *number = onPage<QSpinBox>(u"trialNumber"_s);
        number->setFocus();
        QTest::keyClick(number, Qt::Key_Down);
        QTRY_COMPARE_WITH_TIMEOUT(onPage<QLabel>(u"attemptOutcome"_s)->text(), u"Waiting for the engine…"_s, patience);
        QVERIFY(column(u"trialHistory"_s, 1).isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(column(u"trialMetrics"_s, 0).value(0), u"loss"_s, patience);
    }

    void curveIsDrawnAtItsValues()
    {
        start(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 9);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(8);
        auto *plot = onPage<QWidget>(u"trialCurves"_s)->findChild<ui::LivePlot *>();
        QTRY_VERIFY_WITH_TIMEOUT(plot->isVisible() && plot->frame().main.curves.size() == 1, patience);
        const ui::PlotCurve &curve = plot->frame().main.curves[0];
        QCOMPARE(plot->frame().main.id, u"loss"_s);
        QCOMPARE(curve.name, u"rank 0"_s);
        QCOMPARE(curve.columns.back().x, 8.0);  // over steps
        QCOMPARE(curve.columns.back().max, 8.0);
        const ui::PlotPane &pane = *plot->panes().front();
        const auto isDrawnAt = [&](double step, double value) {
            const QPointF place(pane.xAxis()->coordToPixel(step), pane.yAxis()->coordToPixel(value));
            return tests::isColored(plot->grab().toImage(), place, ui::rankColor(0), 2);
        };
        QTRY_VERIFY(isDrawnAt(4, 4));
        QVERIFY(!isDrawnAt(4, 6));
        QVERIFY(!onPage<QLabel>(u"trialCurvesWord"_s)->isVisible());
    }

    void curveGrowsWhileTheTrialRuns()
    {
        start(u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"300"_s, u"until-stop"_s, u"{n}"_s},
              1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Running), patience);
        activateTrial(0);
        auto *plot = onPage<QWidget>(u"trialCurves"_s)->findChild<ui::LivePlot *>();
        QTRY_VERIFY_WITH_TIMEOUT(plot->isVisible() && !plot->frame().main.curves.empty()
                                     && plot->frame().main.curves[0].columns.back().x >= 299,
                                 patience);
        QVERIFY(onPage<QLabel>(u"trialFindingsSummary"_s)->isVisible());
    }

    void textReplacesThePlotWithoutValues()
    {
        start(u"silent"_s, {WorkspaceEngine::clientProgram(u"ok"_s), u"{n}"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(0);
        auto *word = onPage<QLabel>(u"trialCurvesWord"_s);
        QTRY_COMPARE_WITH_TIMEOUT(word->text(), u"No values reported."_s, patience);
        QVERIFY(word->isVisible());
        QVERIFY(!onPage<QWidget>(u"trialCurves"_s)->findChild<ui::LivePlot *>()->isVisible());
    }

    void findingOpensTheFindingsPage()
    {
        start(u"nan"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}0"_s, u"nan"_s}, 2);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(0);
        const QString rule = u"Value is NaN or infinite"_s;
        QTRY_COMPARE_WITH_TIMEOUT(column(u"trialFindings"_s, 1).filter(rule).size(), 1, patience);
        const auto row = static_cast<int>(column(u"trialFindings"_s, 1).indexOf(rule));
        QCOMPARE(column(u"trialFindings"_s, 0)[row], u"Problem"_s);
        auto *table = onPage<QTableView>(u"trialFindings"_s);
        QVERIFY(table->model()->index(row, 0).data(Qt::ToolTipRole).toString().contains(u"Hint: "_s));
        // For this trial only.
        QVERIFY(!table->model()->index(row, 0).data(Qt::ToolTipRole).toString().contains(u"Trial 2"_s));
        table->setCurrentIndex(table->model()->index(row, 0));
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(page(), MainWindow::Page::Findings);
        auto *list = find<QTreeView>(u"findingsList"_s);
        QTRY_VERIFY_WITH_TIMEOUT(list->currentIndex().isValid(), patience);
        const auto *chosen =
            list->currentIndex().data(ui::FindingsModel::FindingRole).value<const ui::ShownFinding *>();
        QVERIFY(chosen);
        QCOMPARE(chosen->finding.trial, 1);
        QCOMPARE(chosen->finding.rule, "not-finite");
        QVERIFY(list->hasFocus());
    }

    void trialWithoutFindingsNamesMissingData()
    {
        start(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(0);
        auto *summary = onPage<QLabel>(u"trialFindingsSummary"_s);
        QTRY_VERIFY_WITH_TIMEOUT(summary->text().startsWith(u"No problems found"_s), patience);
        QVERIFY(summary->text().contains(u"of 9 rules"_s));
        QVERIFY(summary->toolTip().contains(u"Missing data:\n"_s));
        QVERIFY(summary->toolTip().contains(u"Waiting for data: "_s));
        QVERIFY(!onPage<QTableView>(u"trialFindings"_s)->isVisible());
    }

    void trialThatDidNotStartHasNoLog()
    {
        QTemporaryDir folder;
        QFile script(folder.filePath(u"train"_s));
        QVERIFY(script.open(QIODevice::WriteOnly) && script.write("#!/no/such/interpreter\n") > 0);
        script.close();
        QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        start(u"absent"_s, {script.fileName(), u"{n}"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Failed), patience);
        activateTrial(0);
        QVERIFY(onPage<QPushButton>(u"noticeAction"_s)->isHidden());
        m_window->showPage(MainWindow::Page::Logs);
        const auto *log = find<QWidget>(u"logsPage"_s)->findChild<QPlainTextEdit *>();
        QTRY_COMPARE(log->placeholderText(), u"The attempt did not start, so its log is empty."_s);
    }

    void restoringTheFontSizeRestoresTheLayout()
    {
        start(u"sizes"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 2);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(0);
        QTRY_VERIFY_WITH_TIMEOUT(column(u"trialHistory"_s, 1).contains(u"Completed"_s), patience);
        const auto lengths = [this] {
            QList<int> all{find<QWidget>(u"sweepSideBar"_s)->width()};
            for (const QString &line :
                 {u"attemptCommand"_s, u"attemptFolder"_s, u"attemptSource"_s, u"attemptDevices"_s})
                all << onPage<QWidget>(line)->height();
            return all;
        };
        QTest::qWait(100);  // for delayed layout
        const QList<int> before = lengths();
        for (int step = 0; step < 5; ++step)
            find<QAction>(u"largerTextAction"_s)->trigger();
        QTRY_VERIFY(lengths()[0] > before[0] && lengths()[1] > before[1]);
        QTest::qWait(200);
        find<QAction>(u"usualTextAction"_s)->trigger();
        QTRY_COMPARE(lengths(), before);
    }

    void retryStartsAnotherAttempt()
    {
        start(u"failing"_s, {WorkspaceEngine::clientProgram(u"exits"_s), u"7"_s, u"all"_s, u"{n}"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Failed), patience);
        activateTrial(0);
        QTRY_COMPARE_WITH_TIMEOUT(onPage<QComboBox>(u"trialAttempt"_s)->count(), trials()[0].attempts, patience);
        const int before = trials()[0].attempts;
        QTest::mouseClick(onPage<QPushButton>(u"trialRetry"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(trials()[0].attempts > before && allAre(sweep::TrialState::Failed), patience);
        QTRY_COMPARE_WITH_TIMEOUT(onPage<QComboBox>(u"trialAttempt"_s)->count(), trials()[0].attempts, patience);
        QCOMPARE(onPage<QComboBox>(u"trialAttempt"_s)->currentIndex(), trials()[0].attempts - 1);
        // An earlier attempt is a bar in the timeline, which leads to it.
        m_window->showPage(MainWindow::Page::Timeline);
        auto *timeline = find<ui::TimelineView>(u"timelineView"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!timeline->rectOf(1, 1).isEmpty(), patience);
        QTest::keyClick(timeline, Qt::Key_Home);
        QTest::keyClick(timeline, Qt::Key_Right);
        QTest::keyClick(timeline, Qt::Key_Return);
        QCOMPARE(page(), MainWindow::Page::Trial);
        QTRY_COMPARE_WITH_TIMEOUT(onPage<QComboBox>(u"trialAttempt"_s)->currentIndex(), 0, patience);
    }

    void cloneWithAnotherValueRuns()
    {
        start(u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(0);
        QTest::mouseClick(onPage<QPushButton>(u"trialClone"_s), Qt::LeftButton);
        QTRY_VERIFY(find<QLineEdit>(u"clone.n"_s));
        // The form shows the engine's refusal.
        find<QLineEdit>(u"clone.n"_s)->selectAll();
        QTest::keyClicks(find<QLineEdit>(u"clone.n"_s), u"many"_s);
        QTest::mouseClick(find<QPushButton>(u"cloneAdd"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"cloneProblem"_s)->isVisible(), patience);
        find<QLineEdit>(u"clone.n"_s)->selectAll();
        QTest::keyClicks(find<QLineEdit>(u"clone.n"_s), u"5"_s);
        QVERIFY(!find<QLabel>(u"cloneProblem"_s)->isVisible());
        QTest::keyClick(find<QLineEdit>(u"clone.n"_s), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!find<QWidget>(u"cloneDialog"_s), patience);
        QTRY_COMPARE_WITH_TIMEOUT(trials().size(), std::size_t(2), patience);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        QCOMPARE(std::get<std::int64_t>(trials()[1].parameters[0].second), 5);
        // An added trial is selected.
        QTRY_COMPARE_WITH_TIMEOUT(onPage<QSpinBox>(u"trialNumber"_s)->value(), 2, patience);
        QTRY_COMPARE_WITH_TIMEOUT(column(u"trialParameters"_s, 1), QStringList(u"5"_s), patience);
    }

    void traceAsksForTheNumberOfSteps()
    {
        start(u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Running), patience);
        activateTrial(0);
        QTRY_VERIFY(onPage<QPushButton>(u"trialTrace"_s)->isEnabled());
        QTest::mouseClick(onPage<QPushButton>(u"trialTrace"_s), Qt::LeftButton);
        QTRY_VERIFY(find<QInputDialog>(u"traceTrialsDialog"_s));
        auto *dialog = find<QInputDialog>(u"traceTrialsDialog"_s);
        QCOMPARE(dialog->intValue(), 10);
        dialog->setIntValue(25);
        dialog->accept();
        const auto isRequested = [this] {
            return QDirIterator(m_engine->client().workspace(), {u"trace-request"_s}, QDir::Files,
                                QDirIterator::Subdirectories)
                .hasNext();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRequested(), patience);
    }

    void checkpointIsCopied()
    {
        const QString script =
            u"d=$(dirname $SWEEPSCOPE_PARAMS_FILE)/checkpoint; mkdir $d; printf 123456 > $d/state.pt"_s;
        start(u"saved"_s, {u"/bin/sh"_s, u"-c"_s, script, u"{n}"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        activateTrial(0);
        QTRY_VERIFY_WITH_TIMEOUT(onPage<QPushButton>(u"trialCheckpoint"_s)->isEnabled(), patience);
        QTemporaryDir target;
        const protocol::EngineClient &client = m_engine->client();
        ui::CheckpointDialog dialog(client, client.sweeps().front(), 1, SWEEPSCOPE_BIN_DIR "/sweepctl", m_window.get());
        dialog.open();
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"checkpointPlace"_s)->text().contains(u"1 file, 6 B"_s), patience);
        find<QLineEdit>(u"checkpointFolder"_s)->setText(u"relative"_s);
        find<QPushButton>(u"checkpointCopy"_s)->click();
        QVERIFY(find<QLabel>(u"checkpointProblem"_s)->isVisible());
        find<QLineEdit>(u"checkpointFolder"_s)->setText(target.filePath(u"best"_s));
        find<QPushButton>(u"checkpointCopy"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"checkpointCopied"_s)->isVisible(), patience);
        QFile copied(target.filePath(u"best/state.pt"_s));
        QVERIFY(copied.open(QIODevice::ReadOnly));
        QCOMPARE(copied.readAll(), QByteArray("123456"));
        // What is in a folder already is neither replaced nor mixed with it.
        find<QPushButton>(u"checkpointCopy"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"checkpointProblem"_s)->text().contains(u"is not empty"_s), patience);
        QVERIFY(!find<QLabel>(u"checkpointCopied"_s)->isVisible());
    }

    void trialContinuesFromACheckpoint()
    {
        const QString script =
            u"d=$(dirname $SWEEPSCOPE_PARAMS_FILE)/checkpoint; mkdir $d; printf 123456 > $d/state.pt"_s;
        start(u"saved"_s, {u"/bin/sh"_s, u"-c"_s, script, u"{n}"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        protocol::EngineClient &client = m_engine->client();
        (new ui::ContinueDialog(&client, client.sweeps().front(), {1}, m_window.get()))->open();
        QTRY_VERIFY(find<QLineEdit>(u"continue.n"_s));
        QCOMPARE(find<QLineEdit>(u"continue.n"_s)->placeholderText(), u"1"_s);
        QTest::keyClicks(find<QLineEdit>(u"continue.n"_s), u"many"_s);
        QTest::mouseClick(find<QPushButton>(u"continueAdd"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"continueProblem"_s)->isVisible(), patience);
        find<QLineEdit>(u"continue.n"_s)->selectAll();
        QTest::keyClicks(find<QLineEdit>(u"continue.n"_s), u"5"_s);
        QTest::keyClick(find<QLineEdit>(u"continue.n"_s), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!find<QWidget>(u"continueDialog"_s), patience);
        QTRY_COMPARE_WITH_TIMEOUT(trials().size(), std::size_t(2), patience);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        QCOMPARE(std::get<std::int64_t>(trials()[1].parameters[0].second), 5);
        QCOMPARE(sweep::parentOf(trials()[1].chosen), 1);
    }

    void checkpointsOfAllButTheBestAreRemoved()
    {
        const QString script =
            u"d=$(dirname $SWEEPSCOPE_PARAMS_FILE)/checkpoint; mkdir $d; printf 123456 > $d/state.pt"_s;
        start(u"saved"_s, {u"/bin/sh"_s, u"-c"_s, script, u"{n}"_s}, 2);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Completed), patience);
        const protocol::EngineClient &client = m_engine->client();
        (new ui::CheckpointRemoval(client, client.sweeps().front(), SWEEPSCOPE_BIN_DIR "/sweepctl", m_window.get()))
            ->open();
        // Without a value, no trial is the best.
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"checkpointsSize"_s)->text().contains(u"2 trials (12 B)"_s), patience);
        const auto saved = [&client] {
            QDirIterator files(client.workspace(), {u"state.pt"_s}, QDir::Files, QDirIterator::Subdirectories);
            return files.hasNext();
        };
        QVERIFY(saved());
        find<QPushButton>(u"checkpointsRemove"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"checkpointsSize"_s)->text().startsWith(u"Removed"_s), patience);
        QVERIFY(!find<QPushButton>(u"checkpointsRemove"_s)->isEnabled());
        QVERIFY(!saved());
        find<QDialog>(u"checkpointRemoval"_s)->close();
    }

    void stopAsksFirst()
    {
        start(u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Running), patience);
        activateTrial(0);
        QTRY_VERIFY(onPage<QPushButton>(u"trialStop"_s)->isEnabled());
        QTRY_VERIFY(onPage<QLabel>(u"attemptOutcome"_s)->text().startsWith(u"running"_s));
        QTest::mouseClick(onPage<QPushButton>(u"trialStop"_s), Qt::LeftButton);
        QTRY_VERIFY(find<QMessageBox>(u"stopTrialsDialog"_s));
        QVERIFY(allAre(sweep::TrialState::Running));
        QTest::mouseClick(find<QPushButton>(u"confirmStopTrialsButton"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(allAre(sweep::TrialState::Stopped), patience);
        QTRY_VERIFY_WITH_TIMEOUT(column(u"trialHistory"_s, 1).contains(u"Stopped"_s), patience);
    }

private:
    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<WorkspaceEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;
};

SWEEPSCOPE_TEST(TrialPageTest)
#include "tst_trialpage.moc"
