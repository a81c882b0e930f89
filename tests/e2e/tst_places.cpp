#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "ui/examination/findingsmodel.h"
#include "ui/shell/mainwindow.h"
#include "ui/timeline/timelineview.h"

#include <QAction>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

namespace {

int pageOf(const MainWindow &window)
{
    return window.findChild<QStackedWidget *>(u"pages"_s)->currentIndex();
}

}  // namespace

/// The pages of a sweep other than curves, table and logs, on a real engine.
class PlacesTest : public QObject, private WindowOnEngine {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { closeAll(); }

    void sweepHasATimelineAndFindings()
    {
        QVERIFY2(startEngine(), qPrintable(client().errorText()));
        openWindow();
        MainWindow &window = *m_window;
        window.findChild<QAction *>(u"showTimelinePageAction"_s)->trigger();
        QVERIFY(window.findChild<ui::TimelineView *>(u"timelineView"_s)->timeline().isEmpty());
        // Each empty page leads to the first step.
        for (const QString &page : {u"live"_s, u"logs"_s, u"timeline"_s, u"findings"_s, u"media"_s}) {
            window.showPage(page);
            const auto firstStep = [&window] {
                const QWidget *shown = window.findChild<QStackedWidget *>(u"pages"_s)->currentWidget();
                const auto buttons = shown->findChildren<QPushButton *>(u"emptyAction"_s);
                const auto seen = std::ranges::find_if(buttons, &QWidget::isVisible);
                return seen == buttons.end() ? nullptr : *seen;
            };
            QTRY_VERIFY2(firstStep(), qPrintable(page));
            QTest::mouseClick(firstStep(), Qt::LeftButton);
            QCOMPARE(pageOf(window), static_cast<int>(MainWindow::Page::Sweep));
        }

        QFile file(m_engine->writeSweep(
            u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 3));
        QVERIFY(file.open(QIODevice::ReadOnly));
        client().launchSweep(QString::fromUtf8(file.readAll()), m_engine->path(u"."_s));
        QTRY_COMPARE_WITH_TIMEOUT(client().sweeps().size(), std::size_t(1), patience);
        const qint64 sweepId = client().sweeps().front().id;
        window.selection().selectSweep(sweepId);
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(sweepId)[0].state == sweep::TrialState::Running, patience);

        // The running trial is a growing bar, the others are listed with their reason.
        window.findChild<QAction *>(u"showTimelinePageAction"_s)->trigger();
        auto *view = window.findChild<ui::TimelineView *>(u"timelineView"_s);
        QTRY_VERIFY_WITH_TIMEOUT(!view->rectOf(1, 1).isEmpty(), patience);
        const WallNs end = view->timeline().to;
        QTRY_VERIFY_WITH_TIMEOUT(view->timeline().to > end, patience);
        auto *waiting = window.findChild<QTableView *>(u"waitingTrials"_s);
        QTRY_COMPARE_WITH_TIMEOUT(waiting->model()->rowCount(), 2, patience);
        QVERIFY(!waiting->model()->index(0, 1).data().toString().isEmpty());
        QTRY_VERIFY(textOf(window, u"timelineSummary"_s).startsWith(u"1 attempt on 1 device"_s));
        QTRY_VERIFY(view->rectOf(1, 1).width() > 20);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->rectOf(1, 1).center());
        QTRY_COMPARE(pageOf(window), static_cast<int>(MainWindow::Page::Trial));

        // Nothing is wrong with it; the page lists the rules without a verdict.
        window.findChild<QAction *>(u"showFindingsPageAction"_s)->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(textOf(window, u"findingsProgress"_s), u"1 attempt checked"_s, patience);
        auto *rules = window.findChild<QTableView *>(u"rulesTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(rules->model()->index(0, 1).data().toString() != u"not checked yet"_s, patience);

        window.findChild<QAction *>(u"showTimelinePageAction"_s)->trigger();
        QTRY_VERIFY(waiting->isVisible());
        client().stopSweep(sweepId);
        QTRY_VERIFY_WITH_TIMEOUT(!waiting->isVisible(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!view->timeline().rows[0].bars[0].continues, patience);
    }
};

SWEEPSCOPE_TEST(PlacesTest)
#include "tst_places.moc"
