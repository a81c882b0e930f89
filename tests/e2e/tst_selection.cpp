#include "testprogram.h"

#include "e2e/trialsonengine.h"
#include "ui/analysis/analysispage.h"
#include "ui/analysis/parallelview.h"
#include "ui/analysis/trialscatter.h"
#include "ui/live/livepage.h"
#include "ui/timeline/timelineview.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;
using Page = ui::MainWindow::Page;

/// A trial selected on one page of the window is selected on all of them.
class SelectionTest : public QObject, private tests::TrialsOnEngine {
    Q_OBJECT

    QSpinBox *stepper(const QString &page) const
    {
        return find<QWidget>(page)->findChild<QSpinBox *>(u"trialNumber"_s);
    }
    void clickTrial(int number, Qt::KeyboardModifiers keys = {}) const
    {
        m_window->showPage(Page::Trials);
        QTRY_VERIFY(table()->isVisible());
        click(rows()->index(rows()->rowOfTrial(number), 1), keys);
    }
    /// Visits all pages by their tabs.
    void verifyEverywhere(int trial) const
    {
        for (const auto &[page, name] : {std::pair{Page::Trial, u"trialPage"_s}, std::pair{Page::Logs, u"logsPage"_s},
                                         std::pair{Page::Live, u"livePage"_s}}) {
            m_window->showPage(page);
            QTRY_VERIFY(stepper(name)->isVisible());
            QCOMPARE(stepper(name)->value(), trial);
        }
        m_window->showPage(Page::Timeline);
        QCOMPARE(find<ui::TimelineView>(u"timelineView"_s)->selectedTrial(), trial);
        m_window->showPage(Page::Analysis);
        QCOMPARE(m_window->findChild<ui::ParallelView *>()->selectedTrial(), trial);
        QCOMPARE(find<ui::TrialScatter>(u"slicePlot"_s)->selectedTrial(), trial);
        QCOMPARE(find<ui::TrialScatter>(u"historyPlot"_s)->selectedTrial(), trial);
        m_window->showPage(Page::Trials);
        QCOMPARE(table()->currentTrial(), trial);
    }
    void step(const QString &page, Qt::Key key) const
    {
        stepper(page)->setFocus();
        QTest::keyClick(stepper(page), key);
    }

private Q_SLOTS:
    void init() { QVERIFY2(startEngine(), qPrintable(client().errorText())); }
    void cleanup() { closeAll(); }

    void trialClickedInTheTableIsSelectedOnEveryPage()
    {
        runSweep(4);
        for (const int trial : {3, 1, 4}) {
            clickTrial(trial);
            verifyEverywhere(trial);
        }
    }

    void trialSelectedOnAnyPageIsSelectedOnAllOthers()
    {
        runSweep(6);
        clickTrial(2);
        m_window->showPage(Page::Trial);
        step(u"trialPage"_s, Qt::Key_Up);
        verifyEverywhere(3);
        m_window->showPage(Page::Logs);
        step(u"logsPage"_s, Qt::Key_Up);
        verifyEverywhere(4);
        m_window->showPage(Page::Live);
        step(u"livePage"_s, Qt::Key_Up);
        verifyEverywhere(5);

        m_window->showPage(Page::Timeline);
        auto *timeline = find<ui::TimelineView>(u"timelineView"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!timeline->rectOf(1, 1).isEmpty(), patience);
        QTest::keyClick(timeline, Qt::Key_Home);
        QTest::keyClick(timeline, Qt::Key_Right);
        const int first = timeline->selectedTrial();
        verifyEverywhere(first);

        m_window->showPage(Page::Analysis);
        auto *analysis = m_window->findChild<ui::AnalysisPage *>();
        QTRY_VERIFY_WITH_TIMEOUT(analysis->isSettled(), patience);
        auto *history = find<ui::TrialScatter>(u"historyPlot"_s);
        history->replot();
        QTest::mouseClick(history, Qt::LeftButton, {}, history->placeOf(6).toPoint());
        verifyEverywhere(6);
    }

    void attemptIsTheSameOnTrialLogsAndTimeline()
    {
        const qint64 sweepId = launch(u"failing"_s, {u"exits"_s, u"7"_s, u"all"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(sweepId, sweep::SweepState::Failed));
        sweep::Control retry;
        retry.action = sweep::Control::Action::Retry;
        const int before = client().trials(sweepId)[0].attempts;
        client().control(sweepId, retry);
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(sweepId)[0].attempts > before, patience);
        QVERIFY(waitForState(sweepId, sweep::SweepState::Failed));
        const int attempts = client().trials(sweepId)[0].attempts;
        openWindow();
        m_window->selection().selectSweep(sweepId);
        m_window->showPage(Page::Logs);
        auto *ofLog = find<QComboBox>(u"attemptChooser"_s);
        QTRY_COMPARE_WITH_TIMEOUT(ofLog->count(), attempts, patience);
        QCOMPARE(ofLog->currentIndex(), attempts - 1);
        QTest::keyClick(ofLog, Qt::Key_Home);
        QCOMPARE(ofLog->currentIndex(), 0);
        m_window->showPage(Page::Trial);
        auto *ofTrial = find<QComboBox>(u"trialAttempt"_s);
        QTRY_COMPARE_WITH_TIMEOUT(ofTrial->count(), attempts, patience);
        QCOMPARE(ofTrial->currentIndex(), 0);
        QTest::keyClick(ofTrial, Qt::Key_End);
        m_window->showPage(Page::Logs);
        QCOMPARE(ofLog->currentIndex(), attempts - 1);
    }

    void newestTrialIsFollowedUntilOneIsSelected()
    {
        const qint64 sweepId = launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 4);
        openWindow();
        m_window->selection().selectSweep(sweepId);
        const auto running = [&](int trial) {
            return client().trials(sweepId).size() == 4
                   && client().trials(sweepId)[static_cast<std::size_t>(trial - 1)].state == sweep::TrialState::Running;
        };
        const auto stop = [&](int trial) {
            sweep::Control control;
            control.action = sweep::Control::Action::Stop;
            control.trials = {trial};
            client().control(sweepId, control);
        };
        auto *follows = find<QWidget>(u"livePage"_s)->findChild<QToolButton *>(u"followNewest"_s);
        QTRY_VERIFY_WITH_TIMEOUT(running(1), patience);
        m_window->showPage(Page::Live);
        QVERIFY(follows->isChecked());
        stop(1);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->selection().current().trial, 2, patience);
        // A selection on another page stays until the user returns to Live.
        m_window->showPage(Page::Trial);
        stop(2);
        QTRY_VERIFY_WITH_TIMEOUT(running(3), patience);
        QCOMPARE(stepper(u"trialPage"_s)->value(), 2);
        m_window->showPage(Page::Live);
        QTRY_COMPARE(stepper(u"livePage"_s)->value(), 3);
        m_window->showPage(Page::Trials);
        QCOMPARE(table()->currentTrial(), 3);

        // A click is a selection, even on the current row.
        clickTrial(3);
        m_window->showPage(Page::Live);
        QVERIFY(!follows->isChecked());
        stop(3);
        QTRY_VERIFY_WITH_TIMEOUT(running(4), patience);
        QCOMPARE(stepper(u"livePage"_s)->value(), 3);
        QTest::mouseClick(follows, Qt::LeftButton);
        QTRY_COMPARE(stepper(u"livePage"_s)->value(), 4);
        client().stopSweep(sweepId);
    }

    void severalSelectedRowsStayWhenTheTrialChanges()
    {
        runSweep(4);
        clickTrial(1);
        clickTrial(3, Qt::ControlModifier);
        verifyEverywhere(3);
        m_window->showPage(Page::Trial);
        step(u"trialPage"_s, Qt::Key_Up);
        QCOMPARE(table()->currentTrial(), 4);
        QCOMPARE(table()->selectedTrials(), std::vector<int>({1, 3}));
    }

    void filteredOutTrialStaysSelected()
    {
        runSweep(4);
        clickTrial(3);
        auto *filter = find<QLineEdit>(u"trialsFilter"_s);
        QTest::keyClicks(filter, u"n=2"_s);
        QTRY_COMPARE(rows()->rowCount(), 1);
        QCOMPARE(table()->currentTrial(), 0);
        QCOMPARE(m_window->selection().current().trial, 3);
        filter->clear();
        QTRY_COMPARE(rows()->rowCount(), 4);
        QTRY_COMPARE(table()->currentTrial(), 3);
    }
};

SWEEPSCOPE_TEST(SelectionTest)
#include "tst_selection.moc"
