#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "ui/home/sweepmenu.h"
#include "ui/live/runningtrialsmodel.h"
#include "ui/live/trialtiles.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFile>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;

/// The page Live on a real engine with concurrent trials.
class LivePageTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

    int shownNumber() const
    {
        return m_window->findChild<QWidget *>(u"livePage"_s)->findChild<QSpinBox *>(u"trialNumber"_s)->value();
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY2(startEngine(), qPrintable(client().errorText()));
        openWindow();
    }
    void cleanup() { closeAll(); }

    void runningTrialsAreTilesAndOneIsSelected()
    {
        auto *tiles = m_window->findChild<ui::TrialTiles *>(u"trialTiles"_s);
        m_window->showPage(MainWindow::Page::Live);
        QVERIFY(!tiles->isVisible());
        const qint64 sweepId = launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 3, 2);
        m_window->selection().selectSweep(sweepId);
        m_window->showPage(MainWindow::Page::Live);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->isVisible() && tiles->model()->rowCount() == 2, patience);
        // Reports of the ranks appear in the tiles.
        QTRY_VERIFY_WITH_TIMEOUT(!tiles->trialsModel()->trial(0).columns.empty(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!tiles->trialsModel()->trial(1).columns.empty(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->trialsModel()->trial(1).pace.has_value(), patience);

        for (const int row : {0, 1, 0}) {
            const QModelIndex tile = tiles->model()->index(row, 0);
            QTest::mouseClick(tiles->viewport(), Qt::LeftButton, {}, tiles->visualRect(tile).center());
            QTRY_COMPARE(shownNumber(), row + 1);
        }
        QTest::keyClick(tiles, Qt::Key_Right);
        QTRY_COMPARE(shownNumber(), 2);

        // One ends: its tile disappears, the next one appears, and the selection stays.
        sweep::Control stop;
        stop.action = sweep::Control::Action::Stop;
        stop.trials = {1};
        client().control(sweepId, stop);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->trialsModel()->rowOf({sweepId, 1}) < 0, patience);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->trialsModel()->rowOf({sweepId, 3}) >= 0, patience);
        QCOMPARE(shownNumber(), 2);
        client().stopSweep(sweepId);
        QTRY_VERIFY_WITH_TIMEOUT(!tiles->isVisible(), patience);
        QCOMPARE(shownNumber(), 2);
    }

    void tileMenuStopsItsTrial()
    {
        auto *tiles = m_window->findChild<ui::TrialTiles *>(u"trialTiles"_s);
        const qint64 sweepId = launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 2, 2);
        m_window->selection().selectSweep(sweepId);
        m_window->showPage(MainWindow::Page::Live);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->isVisible() && tiles->model()->rowCount() == 2, patience);
        const QPoint place = tiles->visualRect(tiles->model()->index(1, 0)).center();
        QContextMenuEvent click(QContextMenuEvent::Mouse, place, tiles->viewport()->mapToGlobal(place));
        QApplication::sendEvent(tiles->viewport(), &click);
        auto *menu = find<QMenu>(u"tileMenu"_s);
        QVERIFY(menu);
        auto *stop = menu->findChild<QAction *>(u"stopTrials"_s);
        QVERIFY(stop && stop->isEnabled());
        stop->trigger();
        menu->close();
        QTRY_VERIFY(find<QPushButton>(u"confirmStopTrialsButton"_s));
        find<QPushButton>(u"confirmStopTrialsButton"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(sweepId)[1].state == sweep::TrialState::Stopped, patience);
        QVERIFY(!sweep::isFinal(client().trials(sweepId)[0].state));
    }

    void stopMayLetTheRunningTrialsFinish()
    {
        const qint64 sweepId = launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 4);
        m_window->selection().selectSweep(sweepId);
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(sweepId)[0].state == sweep::TrialState::Running, patience);
        auto *stopSweep = find<QAction>(u"stopAction"_s);
        QTRY_VERIFY_WITH_TIMEOUT(stopSweep->isEnabled(), patience);
        stopSweep->trigger();
        QTRY_VERIFY(find<QPushButton>(u"finishRunningButton"_s));
        // While the dialog is open, the first trial ends and a waiting one starts.
        sweep::Control stop;
        stop.trials = {1};
        client().control(sweepId, stop);
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(sweepId)[1].state == sweep::TrialState::Running, patience);
        find<QPushButton>(u"finishRunningButton"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(sweepId)[3].state == sweep::TrialState::Stopped, patience);
        QVERIFY(client().trials(sweepId)[2].state == sweep::TrialState::Stopped);
        QVERIFY(client().trials(sweepId)[1].state == sweep::TrialState::Running);
        QTRY_VERIFY(client().sweep(sweepId)->state == sweep::SweepState::Stopping);
        QVERIFY(!client().trials(sweepId)[1].reason);

        // A trial that ends slowly can still be killed from every place that stops it: the whole sweep, or a trial.
        QTRY_VERIFY_WITH_TIMEOUT(stopSweep->isEnabled() && !find<QMessageBox>(u"stopDialog"_s), patience);
        QMenu menu;
        ui::addSweepActions(&menu, {*client().sweep(sweepId)}, false, {});
        QVERIFY(menu.findChild<QAction *>(u"stopSweep"_s)->isEnabled());
        m_window->selection().selectTrial(sweepId, 2);
        m_window->showPage(MainWindow::Page::Trial);
        QTRY_VERIFY(find<QPushButton>(u"trialStop"_s)->isEnabled());
        m_window->selection().selectTrial(sweepId, 3);
        QTRY_VERIFY(!find<QPushButton>(u"trialStop"_s)->isEnabled());
        QCOMPARE(find<QPushButton>(u"trialStop"_s)->toolTip(), u"This trial has ended"_s);
        stopSweep->trigger();
        QTRY_VERIFY(find<QPushButton>(u"confirmStopButton"_s));
        QVERIFY(!find<QPushButton>(u"finishRunningButton"_s));
        find<QPushButton>(u"confirmStopButton"_s)->click();
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(sweepId)[1].state == sweep::TrialState::Stopped, patience);
        QVERIFY(waitForState(sweepId, sweep::SweepState::Stopped));
        QMenu after;
        ui::addSweepActions(&after, {*client().sweep(sweepId)}, false, {});
        QVERIFY(!after.findChild<QAction *>(u"stopSweep"_s)->isEnabled());
        QCOMPARE(after.findChild<QAction *>(u"stopSweep"_s)->toolTip(), u"The sweep has ended"_s);
    }

    void sweepIsPausedAndResumedFromTheMenu()
    {
        auto *pause = find<QAction>(u"pauseAction"_s);
        QVERIFY(!pause->isEnabled());
        const qint64 sweepId = launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 2);
        m_window->selection().selectSweep(sweepId);
        QTRY_VERIFY_WITH_TIMEOUT(pause->isEnabled(), patience);
        QCOMPARE(pause->text(), u"&Pause"_s);
        pause->trigger();
        QVERIFY(waitForState(sweepId, sweep::SweepState::Paused));
        QTRY_COMPARE(pause->text(), u"Resu&me"_s);
        pause->trigger();
        QVERIFY(waitForState(sweepId, sweep::SweepState::Running));
        QTRY_COMPARE(pause->text(), u"&Pause"_s);
    }

    void failedTrialsAreRetriedFromTheMenu()
    {
        auto *retry = find<QAction>(u"retryFailedAction"_s);
        QVERIFY(!retry->isEnabled());
        const qint64 sound = launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(sound, sweep::SweepState::Completed));
        m_window->selection().selectSweep(sound);
        QTRY_COMPARE(retry->toolTip(), u"No trials failed or were lost"_s);
        QVERIFY(!retry->isEnabled());
        const qint64 failing = launch(u"failing"_s, {u"exits"_s, u"7"_s, u"all"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(failing, sweep::SweepState::Failed));
        m_window->selection().selectSweep(failing);
        const auto attempts = [this, failing] {
            int all = 0;
            for (const sweep::TrialRecord &trial : client().trials(failing))
                all += trial.attempts;
            return all;
        };
        const int before = attempts();
        const WallNs ended = *client().sweep(failing)->ended;
        QTRY_VERIFY_WITH_TIMEOUT(retry->isEnabled(), patience);
        retry->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(attempts() >= before + 2, patience);
        QVERIFY(waitForState(failing, sweep::SweepState::Failed));
        // The time in which nothing ran does not count.
        const sweep::SweepRecord again = *client().sweep(failing);
        QVERIFY(again.rested > 0 && again.rested < *again.ended - ended);
    }

    void shortcutOfAPageFocusesItsContent()
    {
        const qint64 sweepId = launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(sweepId, sweep::SweepState::Completed));
        m_window->selection().selectSweep(sweepId);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        for (const auto &[action, name] : {std::pair{u"showTrialsPageAction"_s, u"trialsTable"_s},
                                           std::pair{u"showHomePageAction"_s, u"homeTable"_s},
                                           std::pair{u"showTrialPageAction"_s, u"trialParameters"_s},
                                           std::pair{u"showTimelinePageAction"_s, u"timelineView"_s}}) {
            QTRY_VERIFY(find<QAction>(action));
            find<QAction>(action)->trigger();
            QTRY_VERIFY2(QApplication::focusWidget() && QApplication::focusWidget()->objectName() == name,
                         qPrintable(name));
        }
    }
};

SWEEPSCOPE_TEST(LivePageTest)
#include "tst_livepage.moc"
