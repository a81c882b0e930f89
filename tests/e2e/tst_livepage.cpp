#include "e2e/windowonengine.h"
#include "ui/live/runningtrialsmodel.h"
#include "ui/live/trialtiles.h"

#include <QApplication>
#include <QFile>
#include <QSpinBox>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;

/// The page Live on a real engine with trials that run beside each other.
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

    void runningTrialsAreTilesAndOneIsChosen()
    {
        auto *tiles = m_window->findChild<ui::TrialTiles *>(u"trialTiles"_s);
        m_window->showPage(MainWindow::Page::Live);
        QVERIFY(!tiles->isVisible());
        const qint64 sweepId = launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 3, 2);
        m_window->showSweep(sweepId);
        m_window->showPage(MainWindow::Page::Live);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->isVisible() && tiles->model()->rowCount() == 2, patience);
        // What the ranks report arrives in the tiles.
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

        // One ends: its tile goes, the next one's comes, and the person goes on looking at what they chose.
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
};

QTEST_MAIN(LivePageTest)
#include "tst_livepage.moc"
