#include "testprogram.h"

#include "e2e/trialsonengine.h"
#include "ui/plot/liveplot.h"
#include "ui/plot/picturedialog.h"
#include "ui/trials/trialtable.h"

#include <QAction>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QIcon>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyleHints>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace sweepscope;
using namespace Qt::StringLiterals;

namespace {

/// Returns the middle between the first and the last line of pixels that contain text.
double inkMiddle(const QImage &image)
{
    int first = image.height();
    int last = -1;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (std::abs(qGray(image.pixel(x, y)) - qGray(image.pixel(0, 0))) > 60) {
                first = std::min(first, y);
                last = y;
            }
        }
    }
    return (first + last + 1) / 2.0;
}

}  // namespace

/// Several trials side by side, chosen in the table of a sweep that has run.
class ComparisonTest : public QObject, private tests::TrialsOnEngine {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY2(startEngine(), qPrintable(client().errorText())); }
    void cleanup() { closeAll(); }

    void selectedTrialsAreCompared()
    {
        runSweep(3);
        auto *button = find<QToolButton>(u"trialsCurves"_s);
        QTest::mouseClick(button, Qt::LeftButton);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        click(rows()->index(1, 0));
        click(rows()->index(2, 0), Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(2), patience);
        QCOMPARE(plot->frame().main.curves[0].name, u"trial 2"_s);
        QCOMPARE(plot->frame().main.curves[1].color, 2);  // the colour that the trial has everywhere
        QTRY_VERIFY(plot->frame().main.curves[1].columns.size() >= 3);
        const QAbstractItemModel *differences = find<QTableView>(u"comparisonTable"_s)->model();
        QCOMPARE(differences->columnCount(), 2);
        QStringList titles;
        for (int row = 0; row < differences->rowCount(); ++row)
            titles << differences->headerData(row, Qt::Vertical).toString();
        QCOMPARE(titles, QStringList({u"n"_s, u"State"_s, u"Best loss"_s, u"Last loss"_s, u"Duration"_s}));
        // All rows differ; a trial compared with itself would have none.
        QVERIFY(!find<QLabel>(u"comparisonSame"_s)->isVisible());
        // By time all begin at zero.
        auto *axis = find<QWidget>(u"comparisonPlots"_s)->findChild<QComboBox *>(u"xScale"_s);
        axis->setCurrentIndex(1 - axis->currentIndex());
        QTRY_VERIFY_WITH_TIMEOUT(
            plot->frame().main.curves.size() == 2 && plot->frame().main.curves[1].columns.front().x < 60, patience);
        // It can fill the page, and in a narrow window its halves alternate.
        m_window->resize(1400, 800);
        QTRY_VERIFY(find<QTableView>(u"comparisonTable"_s)->isVisible());
        auto *alone = find<QToolButton>(u"comparisonAlone"_s);
        QTest::mouseClick(alone, Qt::LeftButton);
        QVERIFY(!table()->isVisible());
        QTest::mouseClick(alone, Qt::LeftButton);
        QVERIFY(table()->isVisible());
        auto *compared = find<QTableView>(u"comparisonTable"_s);
        QVERIFY(plot->isVisible() && compared->isVisible());
        // The title of a line is in the middle of its line.
        const int line = compared->rowHeight(1);
        const double middle = inkMiddle(compared->verticalHeader()->grab(QRect(0, line, 120, line)).toImage());
        QVERIFY2(std::abs(middle - line / 2.0) <= 2.5, qPrintable(QString::number(middle)));
        m_window->resize(1280, 800);
        QTRY_VERIFY(!find<QTableView>(u"comparisonTable"_s)->isVisible());
        QTRY_VERIFY2(plot->width() > m_window->width() / 2, qPrintable(QString::number(plot->width())));
        QTest::mouseClick(find<QToolButton>(u"comparisonDifferences"_s), Qt::LeftButton);
        QVERIFY(!plot->isVisible() && find<QTableView>(u"comparisonTable"_s)->isVisible());
        QTest::mouseClick(alone, Qt::LeftButton);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!find<QWidget>(u"comparison"_s)->isVisible());
        QVERIFY(table()->isVisible());  // in whatever state the comparison was
    }

    void allTrialsOfTheTableAreShown()
    {
        runSweep(3);
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(3), patience);
        // The current trial's curve is emphasized.
        click(rows()->index(1, 0));
        QTRY_COMPARE(plot->emphasized(), u"curves/trial 2"_s);
        // The filter applies to the curves, too.
        find<QLineEdit>(u"trialsFilter"_s)->setText(u"n >= 2"_s);
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(2), patience);
        // The best one is drawn above the others.
        auto *colors = find<QComboBox>(u"comparisonColors"_s);
        QCOMPARE(colors->currentText(), u"Color: trial"_s);
        colors->setCurrentIndex(1);
        Q_EMIT colors->activated(1);
        QTRY_VERIFY_WITH_TIMEOUT(plot->frame().main.curves[0].tint && plot->frame().main.curves[1].tint, patience);
        QTRY_COMPARE(find<QLabel>(u"comparisonKey"_s)->isVisible(), true);
        // One value of a parameter can be isolated, also with the keyboard, and the others again.
        colors->setCurrentIndex(2);
        Q_EMIT colors->activated(2);
        auto *value = find<QToolButton>(u"colorKey1"_s);  // of those in the table
        QTRY_VERIFY_WITH_TIMEOUT(value->isVisible(), patience);
        QCOMPARE(value->text(), u"3"_s);
        const auto faint = [plot] {
            std::vector<int> trials;
            for (const ui::PlotCurve &curve : plot->frame().main.curves) {
                if (curve.isFaint)
                    trials.push_back(curve.trial);
            }
            return trials;
        };
        value->setFocus();
        QTest::keyClick(value, Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(faint(), std::vector<int>{2}, patience);
        QCOMPARE(plot->frame().main.curves.back().trial, 3);  // on top
        QTest::keyClick(value, Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(faint(), std::vector<int>(), patience);
        // A click on a curve opens its trial.
        find<QLineEdit>(u"trialsFilter"_s)->setText(u"n = 3"_s);
        QTRY_VERIFY_WITH_TIMEOUT(plot->frame().main.curves.size() == 1 && plot->frame().main.curves[0].trial == 3,
                                 patience);
        const QCPAxisRect *area = plot->panes()[0]->area();
        const auto *x = area->axis(QCPAxis::atBottom);
        const auto *y = area->axis(QCPAxis::atLeft);
        QTRY_VERIFY(x->range().contains(1) && y->range().contains(1));
        const QPoint place(static_cast<int>(x->coordToPixel(1)), static_cast<int>(y->coordToPixel(1)));
        QTest::mouseMove(plot, place + QPoint(0, 1));
        // A double click shows everything again, and opens nothing.
        QTest::mouseDClick(plot, Qt::LeftButton, {}, place);
        QTest::qWait(2 * QGuiApplication::styleHints()->mouseDoubleClickInterval());
        QCOMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(ui::MainWindow::Page::Trials));
        QTest::mouseClick(plot, Qt::LeftButton, {}, place);
        QTRY_COMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(ui::MainWindow::Page::Trial));
        QCOMPARE(m_window->selection().current().trial, 3);
    }

    void equalParametersAreNamed()
    {
        const qint64 id = launch(u"failing"_s, {u"exits"_s, u"7"_s, u"all"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(id, sweep::SweepState::Failed));
        client().enqueueTrial(id, {{"n", "2"}});
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(id).size() == 3, patience);
        QVERIFY(waitForState(id, sweep::SweepState::Failed));
        openWindow();
        m_window->resize(1400, 800);
        m_window->selection().selectSweep(id);
        m_window->showPage(ui::MainWindow::Page::Trials);
        QTRY_VERIFY(table()->isVisible() && rows()->rowCount() == 3);
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        click(rows()->index(1, 0));
        click(rows()->index(2, 0), Qt::ControlModifier);
        auto *same = find<QLabel>(u"comparisonSame"_s);
        QTRY_COMPARE(same->text(), u"All parameters equal: n 2"_s);
        QVERIFY(same->isVisible() && same->toolTip().contains(u"n 2"_s));
        click(rows()->index(0, 0), Qt::ControlModifier);
        QTRY_VERIFY(!same->isVisible());
    }

    void squaresOfTheTableHaveTheColorsOfCurves()
    {
        runSweep(3);
        const QAbstractItemModel *trials = rows()->sourceModel();
        const auto square = [trials](int row) {
            return trials->index(row, 0).data(Qt::DecorationRole).value<QIcon>().pixmap(16, 16).toImage().pixel(8, 8);
        };
        const QRgb own = square(2);
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(3), patience);
        auto *colors = find<QComboBox>(u"comparisonColors"_s);
        colors->setCurrentIndex(2);
        Q_EMIT colors->activated(2);
        QTRY_VERIFY_WITH_TIMEOUT(plot->frame().main.curves.size() == 3 && plot->frame().main.curves[0].tint, patience);
        for (const ui::PlotCurve &curve : plot->frame().main.curves)
            QCOMPARE(square(curve.trial - 1), *curve.tint);
        QVERIFY(square(2) != own);
        find<QLineEdit>(u"trialsFilter"_s)->setText(u"n <= 2"_s);
        QTRY_COMPARE_WITH_TIMEOUT(qAlpha(square(2)), 0, patience);  // without a curve
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        QCOMPARE(square(2), own);
    }

    void savedPictureShowsTheComparison()
    {
        runSweep(3);
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        click(rows()->index(0, 0));
        click(rows()->index(2, 0), Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(2), patience);
        find<QAction>(u"savePlotAction"_s)->trigger();
        auto *dialog = m_window->findChild<ui::PictureDialog *>(u"pictureDialog"_s);
        QVERIFY(dialog);
        const QString file = dialog->findChild<QLineEdit *>(u"pictureFile"_s)->text();
        QVERIFY2(file.contains(u"points-trials-1-3"_s), qPrintable(file));
        QVERIFY(table()->isVisible());  // the page did not change
        dialog->close();
    }

    void mediansOfGroupsAreShown()
    {
        runSweep(3);
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(3), patience);
        auto *groups = find<QComboBox>(u"comparisonGroups"_s);
        groups->setFocus();
        QTest::keyClick(groups, Qt::Key_Down);
        QCOMPARE(groups->currentText(), u"Median of all"_s);
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(1), patience);
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves[0].columns.front().count, std::uint64_t(3), patience);
        QVERIFY(!find<QComboBox>(u"comparisonColors"_s)->isVisible());
        QTest::keyClick(groups, Qt::Key_Down);
        QCOMPARE(groups->currentText(), u"Median by n"_s);
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(3), patience);
        QCOMPARE(plot->frame().main.curves[0].name, u"n 1"_s);
    }

    void keptTrialsAreComparedWithThoseOfAnotherSweep()
    {
        runSweep(2);
        const qint64 first = m_window->selection().current().sweepId;
        click(rows()->index(1, 0));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(table(), Qt::Key_K);
        QVERIFY(find<QWidget>(u"comparison"_s)->isVisible());
        QCOMPARE(m_window->statusBar()->currentMessage(), u"Trial 2 kept for comparison."_s);
        QTest::keyClick(table(), Qt::Key_K);
        QCOMPARE(m_window->statusBar()->currentMessage(), u"Trial 2 removed from the comparison."_s);
        m_window->showPage(MainWindow::Page::Analysis);
        QVERIFY2(m_window->statusBar()->currentMessage().isEmpty(), "it is about the page before");
        m_window->showPage(MainWindow::Page::Trials);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_K);
        const qint64 other = launch(u"later"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(other, sweep::SweepState::Completed));
        m_window->selection().selectSweep(other);
        QTRY_COMPARE(rows()->rowCount(), 2);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(3), patience);
        QCOMPARE(plot->frame().main.curves[2].name, u"points #%1 · trial 2"_s.arg(first));
        click(rows()->index(0, 0));
        click(rows()->index(1, 0), Qt::ControlModifier);
        const QAbstractItemModel *differences = find<QTableView>(u"comparisonTable"_s)->model();
        QTRY_COMPARE(differences->columnCount(), 3);
        QVERIFY(differences->headerData(2, Qt::Horizontal).toString().startsWith(u"points #"_s));
        // A click on its column opens it.
        auto *header = find<QTableView>(u"comparisonTable"_s)->horizontalHeader();
        Q_EMIT header->sectionClicked(2);
        QTRY_COMPARE(m_window->selection().current().sweepId, first);
        QCOMPARE(m_window->selection().current().trial, 2);
    }

    void curvesInABoxAreSelectedInTheTable()
    {
        runSweep(3);
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(3), patience);
        QTRY_COMPARE(plot->frame().missingCurves, 0);
        const QRect area = plot->panes()[0]->area()->rect();
        QTest::mousePress(plot, Qt::LeftButton, Qt::ControlModifier, area.topLeft());
        QTest::mouseMove(plot, area.center());
        QTest::mouseRelease(plot, Qt::LeftButton, Qt::ControlModifier, area.bottomRight());
        QTRY_COMPARE(table()->selectedTrials().size(), std::size_t(3));
        auto *all = find<QToolButton>(u"comparisonAll"_s);
        QTRY_VERIFY(all->isVisible());
        all->click();
        QCOMPARE(table()->selectedTrials().size(), std::size_t(1));
    }

    void selectedGroupShowsTheCurvesOfItsTrials()
    {
        runSweep(3);
        QTest::mouseClick(find<QToolButton>(u"trialsCurves"_s), Qt::LeftButton);
        auto *plot = find<QWidget>(u"comparisonPlots"_s)->findChild<ui::LivePlot *>();
        auto *group = find<QComboBox>(u"trialsGroup"_s);
        group->setCurrentIndex(group->findText(u"By n"_s));
        QTRY_VERIFY(rows()->group(1));
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(3), patience);
        const int state = static_cast<const ui::TrialTableModel *>(rows()->sourceModel())
                              ->section(ui::TrialTableModel::Column::State);
        // A click on the name of a group only expands it.
        click(rows()->index(0, 0));
        QCOMPARE(rows()->rowCount(), 4);
        QVERIFY(!table()->isGroupChosen());
        click(rows()->index(0, 0));
        QCOMPARE(rows()->rowCount(), 3);
        QVERIFY(!table()->isGroupChosen());
        click(rows()->index(1, state));
        QCOMPARE(rows()->rowCount(), 3);
        QCOMPARE(table()->trialsOfSelection(), std::vector<int>{2});
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves.size(), std::size_t(1), patience);
        QCOMPARE(plot->frame().main.curves[0].trial, 2);
        click(rows()->index(0, 0));
        QCOMPARE(table()->trialsOfSelection(), std::vector<int>{2});
        click(rows()->index(0, 0));
        click(rows()->index(1, state));
        QTest::keyClick(table(), Qt::Key_Up);  // the next one by keyboard
        QTRY_COMPARE_WITH_TIMEOUT(plot->frame().main.curves[0].trial, 1, patience);
        group->setCurrentIndex(0);
    }

    void exportIsOfferedWhereAPlotIs()
    {
        runSweep(2);
        const auto *action = find<QAction>(u"savePlotAction"_s);
        const auto *copy = find<QAction>(u"copyPlotAction"_s);
        m_window->showPage(ui::MainWindow::Page::Logs);
        QVERIFY(!action->isEnabled() && !copy->isEnabled());
        m_window->showPage(ui::MainWindow::Page::Timeline);
        QVERIFY(action->isEnabled() && copy->isEnabled());
        find<QAction>(u"savePlotAction"_s)->trigger();
        auto *dialog = m_window->findChild<ui::PictureDialog *>(u"pictureDialog"_s);
        QVERIFY(dialog);
        const QString file = dialog->findChild<QLineEdit *>(u"pictureFile"_s)->text();
        QVERIFY2(file.contains(u"points-timeline"_s), qPrintable(file));
        delete dialog;
        m_window->showPage(ui::MainWindow::Page::Trials);
        QVERIFY(action->isEnabled());
        find<QAction>(u"savePlotAction"_s)->trigger();  // the curves are hidden
        QVERIFY(table()->isVisible());
        QVERIFY(!m_window->findChild<ui::PictureDialog *>(u"pictureDialog"_s));
        QVERIFY(m_window->statusBar()->currentMessage().contains(u"No plot to export"_s));
    }
};

SWEEPSCOPE_TEST(ComparisonTest)
#include "tst_comparison.moc"
