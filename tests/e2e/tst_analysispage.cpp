#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "ui/analysis/analysispage.h"
#include "ui/analysis/frontpanel.h"
#include "ui/analysis/importancepanel.h"
#include "ui/analysis/mappanel.h"
#include "ui/analysis/parallelview.h"
#include "ui/analysis/trialscatter.h"
#include "ui/models/trialrows.h"
#include "ui/plot/picturedialog.h"
#include "ui/plot/picturesaver.h"
#include "ui/theme/textsize.h"
#include "ui/trials/trialtable.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollArea>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::AnalysisPage;
using ui::MainWindow;
using ui::ParallelView;
using ui::TrialScatter;

/// The Analysis page of a window with a real engine.
class AnalysisPageTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

    AnalysisPage *page() const { return m_window->findChild<AnalysisPage *>(); }
    ParallelView *view() const { return m_window->findChild<ParallelView *>(); }
    TrialScatter *plot(const QString &name) const { return find<TrialScatter>(name); }
    QString label(const QString &name) const { return find<QLabel>(name)->text(); }
    /// Trial n has reported the losses 0 … n - 1: the best is always 0, the last n - 1.
    void runSweep(int count)
    {
        QVERIFY(
            waitForState(launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, count, 4), sweep::SweepState::Completed));
        openWindow();
        m_window->selection().selectSweep(client().sweeps()[0].id);
        find<QAction>(u"showAnalysisPageAction"_s)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(page()->isVisible() && page()->isSettled(), patience);
    }
    /// Runs a sweep file whose trials report the losses 0 … n - 1, and opens the page.
    void runFile(const QString &sections)
    {
        const std::size_t before = client().sweeps().size();
        client().launchSweep(u"[sweep]\nname = \"searched\"\nobjective = \"loss\"\ngoal = \"maximize\"\n\n"
                             "[space]\nn = { int = [1, 300] }\nwidth = { float = [0, 1] }\n\n"
                             "[run]\ncommand = [\"%1\", \"{n}\", \"{width}\"]\n\n"
                             "[devices]\nkind = \"cpu\"\nconcurrent = 4\ncpu_slots = 8\n\n%2"_s.arg(
                                 tests::WorkspaceEngine::clientProgram(u"reportspoints"_s), sections),
                             m_engine->path(u"."_s));
        QTRY_VERIFY_WITH_TIMEOUT(client().sweeps().size() > before, patience);
        const qint64 id = client().sweeps().back().id;
        QVERIFY(waitForState(id, sweep::SweepState::Completed));
        openWindow();
        m_window->selection().selectSweep(id);
        m_window->showPage(MainWindow::Page::Analysis);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isVisible() && page()->isSettled(), patience);
    }
    void chooseTarget(const QString &id)
    {
        auto *targets = find<QComboBox>(u"analysisTarget"_s);
        const int index = targets->findData(id);
        QVERIFY(index >= 0);
        targets->setCurrentIndex(index);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled(), patience);
    }

    void selectNothing() { QTest::mouseClick(find<QPushButton>(u"analysisClear"_s), Qt::LeftButton); }

private Q_SLOTS:
    void init() { QVERIFY2(startEngine(), qPrintable(client().errorText())); }
    void cleanup() { closeAll(); }

    void pickedTrialsAreTheSameOnBothPages()
    {
        runSweep(8);
        chooseTarget(u"last"_s);
        view()->setRange(u"n"_s, 0.5, 1);
        const std::vector<int> within = m_window->selection().brushed();
        QVERIFY(within.size() > 1 && within.size() < 8);
        m_window->showPage(MainWindow::Page::Trials);
        auto *table = find<QTableView>(u"trialsTable"_s);
        QTRY_COMPARE(table->selectionModel()->selectedRows().size(), std::ssize(within));
        // Rows that are picked out there replace the ranges here, until they are given up.
        table->selectionModel()->select(table->model()->index(0, 0),
                                        QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        table->selectionModel()->select(table->model()->index(1, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QCOMPARE(m_window->selection().brushed(), std::vector<int>({1, 2}));
        m_window->showPage(MainWindow::Page::Analysis);
        QTRY_VERIFY2(label(u"analysisSummary"_s).startsWith(u"2 of 8 trials with a value, selected in Trials"_s),
                     qPrintable(label(u"analysisSummary"_s)));
        QVERIFY(!find<QPushButton>(u"analysisShowTrials"_s)->isEnabled());
        selectNothing();
        QTRY_VERIFY2(label(u"analysisSummary"_s).startsWith(u"%1 of 8 trials with a value"_s.arg(within.size())),
                     qPrintable(label(u"analysisSummary"_s)));
        selectNothing();
        QTRY_VERIFY2(label(u"analysisSummary"_s).startsWith(u"8 trials with a value"_s),
                     qPrintable(label(u"analysisSummary"_s)));
        m_window->showPage(MainWindow::Page::Trials);
        QTRY_COMPARE(table->selectionModel()->selectedRows().size(), 1);
    }

    void showsResultsOfTheTrials()
    {
        runSweep(24);
        QVERIFY(page()->isVisible());
        QCOMPARE(page()->property("busy"), QVariant(false));
        view()->clearRanges();
        QCOMPARE(page()->property("busy"), QVariant(true));  // a picture of the page waits for the lines
        QTRY_COMPARE(page()->property("busy"), QVariant(false));
        QVERIFY(view()->hasFocus());  // the keyboard can be used immediately
        chooseTarget(u"last"_s);
        QCOMPARE(view()->order(), (QStringList{u"n"_s, QString()}));
        QCOMPARE(page()->figure()->values.values.front(), 0.0);
        QCOMPARE(page()->figure()->values.values.back(), 23.0);
        QVERIFY2(label(u"analysisSummary"_s).startsWith(u"24 trials with a value"_s),
                 qPrintable(label(u"analysisSummary"_s)));
        QVERIFY(page()->findChild<ui::ImportancePanel *>()->message().startsWith(u"This sweep varies only n."_s));
        QCOMPARE(page()->figure()->importance.shares, std::vector<double>{1.0});
        QCOMPARE(plot(u"slicePlot"_s)->points().size(), std::size_t(24));
        QCOMPARE(plot(u"historyPlot"_s)->content().line.size(), std::size_t(24));
    }

    void searchIsComparedWithRandomSearch()
    {
        runFile(u"[search]\nmethod = \"gp\"\ntrials = 14\n"_s);
        const auto isCompared = [this] {
            return plot(u"historyPlot"_s)->markLegend()->names().contains(u"Random search"_s);
        };
        QVERIFY(isCompared());
        const QPointF legend = plot(u"historyPlot"_s)->markLegend()->placeOf(u"Random search"_s).center();
        QVERIFY(plot(u"historyPlot"_s)->textAt(legend).contains(u"random search"_s));
        // Another value than the objective is not what the search was for.
        chooseTarget(u"last"_s);
        QTRY_VERIFY(!isCompared());
        chooseTarget(u"best"_s);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled() && isCompared(), patience);
    }

    void mapIsMeasuredOrPredicted()
    {
        runFile(u"[search]\nmethod = \"random\"\ntrials = 14\n"_s);
        find<QTabBar>(u"parameterTabs"_s)->setCurrentIndex(1);
        auto *map = page()->findChild<ui::MapPanel *>();
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled() && !map->plot()->cells().empty(), patience);
        QVERIFY(map->isVisible() && map->hasPlot());
        QCOMPARE(find<QComboBox>(u"mapX"_s)->currentText(), u"n"_s);
        QCOMPARE(find<QComboBox>(u"mapY"_s)->currentText(), u"width"_s);
        QCOMPARE(map->plot()->points().size(), std::size_t(14));
        // A prediction is computed when the user asks for it.
        find<QComboBox>(u"mapValue"_s)->setCurrentIndex(3);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled() && map->plot()->map().columns > 0, patience);
        QVERIFY(map->plot()->cells().empty());
        QCOMPARE(map->plot()->points().size(), std::size_t(14));
        const ui::MapPlot::Map &shown = map->plot()->map();
        QVERIFY(shown.units[shown.columns - 1] > shown.units[0] + 100);  // n is the value
        QVERIFY(!shown.isLowBest);
        map->plot()->replot();
        QTest::mouseClick(map->plot(), Qt::LeftButton, {}, map->plot()->placeOf(3).toPoint());
        QCOMPARE(m_window->selection().current().trial, 3);
        QCOMPARE(plot(u"historyPlot"_s)->selectedTrial(), 3);
        map->plot()->setFocus();
        QVERIFY(page()->pictures()->title().contains(u"map"_s));
        // The card takes all the room and gives it back.
        QTest::keyClick(map->plot(), Qt::Key_M);
        QTRY_VERIFY(!view()->isVisible() && !plot(u"historyPlot"_s)->isVisible() && map->isVisible());
        QTest::keyClick(map->plot(), Qt::Key_M);
        QTRY_VERIFY(view()->isVisible() && plot(u"historyPlot"_s)->isVisible());
    }

    void distributionIsComparedWithSweepsOfTheSameObjective()
    {
        const qint64 first = launch(u"first"_s, {u"reportspoints"_s, u"{n}"_s}, 9);
        QVERIFY(waitForState(first, sweep::SweepState::Completed));
        const qint64 second = launch(u"second"_s, {u"reportspoints"_s, u"{n}"_s}, 5);
        QVERIFY(waitForState(second, sweep::SweepState::Completed));
        openWindow();
        m_window->selection().selectSweep(second);
        m_window->showPage(MainWindow::Page::Analysis);
        chooseTarget(u"last"_s);
        find<QTabBar>(u"progressTabs"_s)->setCurrentIndex(1);
        const TrialScatter *distribution = plot(u"distributionPlot"_s);
        QVERIFY(distribution->isVisible());
        QCOMPARE(distribution->points().size(), std::size_t(5));
        QCOMPARE(distribution->content().otherLines.size(), std::size_t(1));
        QVERIFY(distribution->content().otherLines[0].name.startsWith(u"first"_s));
        // Which sweeps are compared can be chosen, until the window is closed.
        auto *compared = find<QPushButton>(u"comparedSweeps"_s);
        QVERIFY(compared->isVisible() && compared->isEnabled());
        const auto choose = [compared](int place) {
            Q_EMIT compared->menu()->aboutToShow();
            compared->menu()->actions()[place]->trigger();
        };
        choose(0);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled() && distribution->content().otherLines.empty(), patience);
        m_window->selection().selectSweep(first);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled() && distribution->content().otherLines.size() == 1, patience);
        m_window->selection().selectSweep(second);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled() && distribution->content().otherLines.empty(), patience);
        choose(0);
        QTRY_COMPARE_WITH_TIMEOUT(distribution->content().otherLines.size(), std::size_t(1), patience);
    }

    void rangesOutlastALookAtAnotherSweep()
    {
        runSweep(8);
        chooseTarget(u"last"_s);
        view()->setRange(u"n"_s, 0.5, 1);
        const qint64 first = client().sweeps()[0].id;
        const qint64 other = launch(u"other"_s, {u"reportspoints"_s, u"{n}"_s}, 3);
        QVERIFY(waitForState(other, sweep::SweepState::Completed));
        m_window->selection().selectSweep(other);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled(), patience);
        QVERIFY(view()->ranges().empty());
        m_window->showPage(MainWindow::Page::Trials);
        m_window->selection().selectSweep(first);
        m_window->showPage(MainWindow::Page::Analysis);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled(), patience);
        QCOMPARE(view()->ranges().size(), std::size_t(1));
        QVERIFY(find<QPushButton>(u"analysisShowTrials"_s)->isEnabled());
        // Also when the window is closed and opened again.
        openWindow();
        m_window->selection().selectSweep(first);
        m_window->showPage(MainWindow::Page::Analysis);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled(), patience);
        QCOMPARE(view()->ranges().size(), std::size_t(1));
    }

    void frontOfSeveralObjectivesIsShown()
    {
        runFile(u"[search]\nmethod = \"random\"\ntrials = 12\n\n[objectives]\nloss2 = \"minimize\"\n"_s);
        auto *tabs = find<QTabBar>(u"progressTabs"_s);
        QStringList shown;
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->isTabVisible(i))
                shown << tabs->tabText(i);
        }
        QCOMPARE(shown, (QStringList{u"History"_s, u"EDF"_s, u"Pareto front"_s, u"Hypervolume"_s}));
        tabs->setCurrentIndex(3);
        QVERIFY(page()->findChild<ui::FrontPanel *>()->isVisible());
        QCOMPARE(plot(u"frontPlot"_s)->points().size(), std::size_t(0));  // no trial reported the second one
    }

    void rangesFilterTheTable()
    {
        runSweep(12);
        chooseTarget(u"last"_s);
        auto *show = find<QPushButton>(u"analysisShowTrials"_s);
        QVERIFY(!show->isEnabled());
        const ui::ParallelPlaces places = view()->places();
        const auto at = [&](double position) { return QPointF(places.xs[0], places.yOf(position)).toPoint(); };
        QTest::mousePress(view(), Qt::LeftButton, {}, at(0.5));
        QTest::mouseMove(view(), at(0.7));
        QTest::mouseMove(view(), at(0.99));
        QTest::mouseRelease(view(), Qt::LeftButton, {}, at(0.99));
        const auto chosen = std::ranges::count(view()->within(), 1);
        QVERIFY(chosen > 2 && chosen < 12);
        QVERIFY(show->isEnabled());
        QVERIFY(show->text().contains(QString::number(chosen)));
        // The others fade in the plots below, too.
        QTRY_COMPARE(
            std::ranges::count(plot(u"slicePlot"_s)->points(), ui::PointKind::Completed, &ui::TrialPoint::kind),
            chosen);
        QTest::mouseClick(show, Qt::LeftButton);
        auto *table = m_window->findChild<ui::TrialTable *>();
        QTRY_VERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), static_cast<int>(chosen));
        std::vector<int> expected;
        for (std::size_t row = 0; row < view()->within().size(); ++row) {
            if (view()->within()[row])
                expected.push_back(page()->figure()->values.trials[row]);
        }
        std::vector<int> shown = static_cast<ui::TrialRows *>(table->model())->fittingTrials();
        std::ranges::sort(shown);
        QCOMPARE(shown, expected);

        m_window->showPage(MainWindow::Page::Analysis);
        QTest::mouseClick(find<QPushButton>(u"analysisClear"_s), Qt::LeftButton);
        QVERIFY(view()->ranges().empty());
        QVERIFY(!show->isEnabled());
    }

    void trialIsSelectedOnAllPagesAndOpened()
    {
        runSweep(6);
        chooseTarget(u"last"_s);
        TrialScatter *slice = plot(u"slicePlot"_s);
        slice->replot();
        QTest::mouseClick(slice, Qt::LeftButton, {}, slice->placeOf(4).toPoint());
        QCOMPARE(m_window->findChild<ui::TrialTable *>()->currentTrial(), 4);
        QTest::mouseDClick(plot(u"historyPlot"_s), Qt::LeftButton, {}, plot(u"historyPlot"_s)->placeOf(5).toPoint());
        QTRY_VERIFY(find<QWidget>(u"trialPage"_s)->isVisible());
        // A selection in the table selects here.
        m_window->selection().selectTrial(client().sweeps()[0].id, 2);
        m_window->showPage(MainWindow::Page::Analysis);
        QTRY_VERIFY(page()->isSettled());
    }

    void everyPlotIsSavedAndCopied()
    {
        runSweep(5);
        for (ui::PictureSaver *saver : page()->allPictures()) {
            for (const QString &ending : {u"png"_s, u"svg"_s, u"pdf"_s}) {
                const QString file = m_engine->path(u"plot."_s + ending);
                saver->save(file);
                QTRY_VERIFY_WITH_TIMEOUT(QFileInfo(file).size() > 500, patience);
                QVERIFY(QFile::remove(file));
            }
            QGuiApplication::clipboard()->clear();
            saver->copy();
            QTRY_VERIFY(!QGuiApplication::clipboard()->image().isNull());
        }
        // The window's command acts on the plot that has the focus, which only an active window gives.
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        plot(u"historyPlot"_s)->setFocus();
        QCOMPARE(page()->pictures(), page()->allPictures()[3]);
        find<QAction>(u"savePlotAction"_s)->trigger();
        auto *dialog = m_window->findChild<ui::PictureDialog *>(u"pictureDialog"_s);
        QVERIFY(dialog);
        QVERIFY(page()->isVisible());
        dialog->close();
    }

    void followsEndingTrialsAlsoReadOnly()
    {
        const qint64 id = launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, 8);
        openWindow();
        client().setReadOnly(true);
        m_window->selection().selectSweep(id);
        m_window->showPage(MainWindow::Page::Analysis);
        QTRY_VERIFY_WITH_TIMEOUT(page()->figure() && page()->figure()->values.size() == 8 && page()->isSettled(),
                                 patience);
        // From the keyboard to the table.
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Down);
        QVERIFY(find<QPushButton>(u"analysisShowTrials"_s)->isEnabled());
        find<QPushButton>(u"analysisShowTrials"_s)->click();
        QVERIFY(!find<QLineEdit>(u"trialsFilter"_s)->text().isEmpty());
    }

    void viewOfASweepIsRemembered()
    {
        runSweep(6);
        chooseTarget(u"last"_s);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(view()->order(), (QStringList{QString(), u"n"_s}));
        find<QCheckBox>(u"analysisLog"_s)->setChecked(true);
        const qint64 other = launch(u"other"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(other, sweep::SweepState::Completed));
        m_window->selection().selectSweep(other);
        QTRY_VERIFY_WITH_TIMEOUT(page()->figure() && page()->figure()->values.size() == 2, patience);
        QCOMPARE(find<QComboBox>(u"analysisTarget"_s)->currentData().toString(), u"best"_s);
        QCOMPARE(view()->order(), (QStringList{u"n"_s, QString()}));
        QVERIFY(!find<QCheckBox>(u"analysisLog"_s)->isChecked());

        openWindow();
        m_window->selection().selectSweep(client().sweeps()[0].id);
        m_window->showPage(MainWindow::Page::Analysis);
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled(), patience);
        QCOMPARE(find<QComboBox>(u"analysisTarget"_s)->currentData().toString(), u"last"_s);
        QCOMPARE(view()->order(), (QStringList{QString(), u"n"_s}));
        QVERIFY(find<QCheckBox>(u"analysisLog"_s)->isChecked());
    }

    void actionsNeverApplyToAnotherSweep()
    {
        runSweep(6);
        chooseTarget(u"last"_s);
        const qint64 other = launch(u"other"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(other, sweep::SweepState::Completed));
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Up);
        auto *show = find<QPushButton>(u"analysisShowTrials"_s);
        QVERIFY(show->isEnabled());
        m_window->selection().selectSweep(other);  // its figure does not exist yet
        QVERIFY(!page()->figure());
        QVERIFY(!show->isEnabled());
        QVERIFY(label(u"analysisSummary"_s).isEmpty());
        for (const QString &name : {u"slicePlot"_s, u"historyPlot"_s}) {
            QVERIFY(plot(name)->points().empty());
            QTest::keyClick(plot(name), Qt::Key_Home);
            QTest::mouseDClick(plot(name), Qt::LeftButton, {}, plot(name)->rect().center());
        }
        Q_EMIT show->clicked();  // as from a request that was already under way
        QVERIFY(!page()->figure());
        QTRY_VERIFY_WITH_TIMEOUT(page()->isSettled(), patience);
        QCOMPARE(page()->figure()->values.size(), std::size_t(2));
        QTRY_COMPARE(plot(u"slicePlot"_s)->points().size(), std::size_t(2));
    }

    void theAxisOfTheValueStaysChosen()
    {
        runSweep(6);
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_End);
        QCOMPARE(view()->chosenAxis(), QString());
        chooseTarget(u"last"_s);
        QCOMPARE(view()->chosenAxis(), QString());
    }

    void everythingIsReachableWithLargeFonts()
    {
        runSweep(3);
        const auto usual = qScopeGuard([this] { m_theme->setTextSize(ui::usualTextSize); });
        for (const auto &[size, window] :
             {std::pair(150, QSize(1280, 720)), std::pair(175, QSize(1450, 900)), std::pair(200, QSize(1450, 900))}) {
            m_theme->setTextSize(size);
            m_window->resize(window);
            QTRY_VERIFY(page()->isSettled());
            auto *area = find<QScrollArea>(u"analysisArea"_s);
            const std::initializer_list<QWidget *> plots{view(), page()->findChild<ui::ImportancePanel *>(),
                                                         plot(u"slicePlot"_s), plot(u"historyPlot"_s)};
            for (QWidget *plot : plots) {
                QTRY_VERIFY(plot->height() >= plot->minimumSizeHint().height());
                area->ensureWidgetVisible(plot);
                QTRY_COMPARE(plot->visibleRegion().boundingRect().height(), plot->height());
            }
        }
    }

    void namesWhatIsMissing()
    {
        openWindow();
        m_window->showPage(MainWindow::Page::Analysis);
        const auto says = [this](const QString &text) {
            return std::ranges::any_of(page()->findChildren<QLabel *>(), [&text](const QLabel *label) {
                return label->isVisible() && label->text().contains(text);
            });
        };
        QTRY_VERIFY(says(u"No sweeps yet"_s));
        // A failed trial has no value to judge it by.
        const qint64 id = launch(u"failing"_s, {u"exits"_s, u"7"_s, u"all"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(id, sweep::SweepState::Failed));
        m_window->selection().selectSweep(id);
        m_window->showPage(MainWindow::Page::Analysis);  // opening the first sweep has left the page
        QTRY_VERIFY(says(u"No completed trials"_s));
    }
};

SWEEPSCOPE_TEST(AnalysisPageTest)
#include "tst_analysispage.moc"
