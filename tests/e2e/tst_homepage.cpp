#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "sweep/singlerun.h"
#include "sweep/sweepfile.h"
#include "ui/actions/trialcommands.h"
#include "ui/actions/trialundo.h"
#include "ui/models/sweeplistmodel.h"
#include "ui/models/sweeptablemodel.h"
#include "ui/shell/mainwindow.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;

/// Archiving and deleting ended sweeps from Home, on a real engine.
class HomePageTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

    using Column = ui::SweepTableModel::Column;

    QTableView *table() const { return find<QTableView>(u"homeTable"_s); }
    int rowOf(const QString &name) const
    {
        const QAbstractItemModel *model = table()->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->index(row, 0).data().toString() == name)
                return row;
        }
        return -1;
    }
    QString stateOf(const QString &name) const
    {
        return table()->model()->index(rowOf(name), static_cast<int>(Column::State)).data().toString();
    }
    /// Returns whether the sidebar lists it.
    bool isBeside(qint64 sweepId) const
    {
        const auto *list = find<QListView>(u"sweepList"_s);
        const auto *model = static_cast<const ui::SweepListModel *>(list->model());
        return !list->isRowHidden(model->rowOf(sweepId));
    }
    /// Opens the row's menu and returns one of its actions.
    QAction *menuAction(const QString &sweep, const QString &name) const
    {
        const QPoint place = table()->visualRect(table()->model()->index(rowOf(sweep), 0)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, place, table()->viewport()->mapToGlobal(place));
        QApplication::sendEvent(table()->viewport(), &event);
        const auto menus = m_window->findChildren<QMenu *>(u"homeMenu"_s);
        return menus.isEmpty() ? nullptr : menus.last()->findChild<QAction *>(name);
    }
    void choose(const QString &sweep, const QString &name) const
    {
        QAction *action = menuAction(sweep, name);
        QVERIFY(action && action->isEnabled());
        action->trigger();
        if (QWidget *menu = QApplication::activePopupWidget())  // a dialog closes it
            menu->close();
    }

private Q_SLOTS:
    void init()
    {
        QVERIFY2(startEngine(), qPrintable(client().errorText()));
        openWindow();
        m_window->showPage(MainWindow::Page::Home);
    }
    void cleanup() { closeAll(); }

    void examplesHaveDescriptions()
    {
        auto *menu = find<QMenu>(u"exampleMenu"_s);
        Q_EMIT menu->aboutToShow();
        const QList<QAction *> actions = menu->actions();
        QCOMPARE(actions.size(), 5);
        for (const QAction *action : actions) {
            const QString file = QFileInfo(action->toolTip()).completeBaseName();
            QVERIFY2(action->text() != file && action->text().contains(u' '), qPrintable(action->text()));
        }
        QCOMPARE(actions[0]->toolTip(), u"digits-mlp.toml"_s);  // the first one recommended
        actions[2]->trigger();
        QCOMPARE(actions[2]->text(), u"Your own script (Python)"_s);
        QCOMPARE(find<QLineEdit>(u"sweep.name"_s)->text(), u"command"_s);
    }

    void failedSweepIsShownAsFailed()
    {
        const qint64 bad = launch(u"bad"_s, {u"exits"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(bad, sweep::SweepState::Failed));
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(u"bad"_s), u"Failed · exit code 1, and 1 other cause"_s, patience);
    }

    void archivedSweepIsHiddenAndCanBeRestored()
    {
        const qint64 old = launch(u"old"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(old, sweep::SweepState::Completed));
        const qint64 recent = launch(u"recent"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(recent, sweep::SweepState::Completed));
        m_window->selection().selectSweep(recent);
        m_window->showPage(MainWindow::Page::Home);
        auto *archived = find<QPushButton>(u"homeArchived"_s);
        QTRY_VERIFY(rowOf(u"old"_s) >= 0 && !archived->isVisible());

        choose(u"old"_s, u"archiveSweep"_s);
        QTRY_COMPARE_WITH_TIMEOUT(rowOf(u"old"_s), -1, patience);
        QVERIFY(!isBeside(old) && isBeside(recent));
        QVERIFY(archived->isVisible());
        archived->click();
        QCOMPARE(stateOf(u"old"_s), u"Completed, archived"_s);
        choose(u"old"_s, u"archiveSweep"_s);
        QTRY_VERIFY_WITH_TIMEOUT(isBeside(old), patience);
        QTRY_VERIFY(!archived->isVisible());

        // Archiving can be undone like anything else.
        choose(u"recent"_s, u"archiveSweep"_s);
        QTRY_VERIFY_WITH_TIMEOUT(client().sweep(recent)->archived, patience);
        QTRY_VERIFY(!isBeside(recent));  // although it is the selected one
        m_window->activateWindow();
        table()->setFocus();
        QTRY_VERIFY(table()->hasFocus());
        QTest::keyClick(table(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!client().sweep(recent)->archived, patience);
    }

    void cloneHasAUniqueName()
    {
        const qint64 first = launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(first, sweep::SweepState::Completed));
        m_window->selection().selectSweep(first);
        m_window->showPage(MainWindow::Page::Home);
        choose(u"points"_s, u"cloneSweep"_s);
        auto *name = find<QLineEdit>(u"sweep.name"_s);
        QTRY_COMPARE(name->text(), u"points 2"_s);
        QVERIFY(name->isVisible());
    }

    void deletedSweepIsDeselected()
    {
        const qint64 other = launch(u"other"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(other, sweep::SweepState::Completed));
        const qint64 shown = launch(u"shown"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 1);
        QTRY_VERIFY_WITH_TIMEOUT(client().sweep(shown) && rowOf(u"shown"_s) >= 0, patience);
        m_window->selection().selectSweep(shown);
        QVERIFY(!menuAction(u"shown"_s, u"deleteSweep"_s)->isEnabled());  // it runs
        QApplication::activePopupWidget()->close();
        client().stopSweep(shown);
        QVERIFY(waitForState(shown, sweep::SweepState::Stopped));
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(u"shown"_s), u"Stopped"_s, patience);

        choose(u"shown"_s, u"deleteSweep"_s);
        auto *question = find<QMessageBox>(u"deleteDialog"_s);
        QVERIFY(question && question->informativeText().contains(u"cannot undo this"_s));
        QTest::keyClick(question, Qt::Key_Return);  // the default is to keep it
        QTRY_VERIFY(!find<QMessageBox>(u"deleteDialog"_s));
        QVERIFY(client().sweep(shown));
        auto *table = find<QTableView>(u"homeTable"_s);
        table->setCurrentIndex(table->model()->index(rowOf(u"shown"_s), 0));
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Delete);
        QTest::mouseClick(find<QPushButton>(u"confirmDeleteButton"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!client().sweep(shown), patience);
        QTRY_VERIFY(m_window->selection().current().sweepId != shown);  // another one, or none
        QCOMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Home));
        QCOMPARE(rowOf(u"shown"_s), -1);
        for (const QString &page : m_window->pageNames())  // each shows its empty state
            m_window->showPage(page);
        m_window->selection().selectSweep(other);
        QCOMPARE(find<QTableView>(u"trialsTable"_s)->model()->rowCount(), 1);
    }

    void searchFindsSweepsByNameNumberAndState()
    {
        const qint64 first = launch(u"baseline-lr"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(first, sweep::SweepState::Completed));
        const qint64 second = launch(u"baseline-depth"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 1);
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 2, patience);
        auto *search = find<QLineEdit>(u"homeFilter"_s);
        for (const auto &[text, rows] : std::initializer_list<std::pair<QString, int>>{{u"base"_s, 2},
                                                                                       {u"LR"_s, 1},
                                                                                       {u"base depth"_s, 1},
                                                                                       {u"#1"_s, 1},
                                                                                       {u"completed"_s, 1},
                                                                                       {u"nothing"_s, 0}}) {
            search->setText(text);
            QTRY_VERIFY2(table()->model()->rowCount() == rows, qPrintable(text));
        }
        QTRY_VERIFY(find<QPushButton>(u"emptyAction"_s));
        search->clear();
        QCOMPARE(table()->model()->rowCount(), 2);
        client().stopSweep(second);
    }

    void sweepsAreMarkedRenamedAndGrouped()
    {
        const qint64 first = launch(u"first"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        const qint64 second = launch(u"second"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        const qint64 third = launch(u"third"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        for (const qint64 sweep : {first, second, third})
            QVERIFY(waitForState(sweep, sweep::SweepState::Completed));
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 3, patience);
        QVERIFY(table()->isColumnHidden(static_cast<int>(Column::Tags)));

        m_window->activateWindow();
        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(rowOf(u"first"_s), 0));
        table()->selectionModel()->select(table()->model()->index(rowOf(u"second"_s), 0),
                                          QItemSelectionModel::Select | QItemSelectionModel::Rows);
        QVERIFY(!menuAction(u"first"_s, u"renameSweep"_s));
        QApplication::activePopupWidget()->close();
        QTest::keyClick(table(), Qt::Key_S);
        QTRY_VERIFY_WITH_TIMEOUT(client().sweep(first)->mark.starred && client().sweep(second)->mark.starred, patience);
        QVERIFY(!client().sweep(third)->mark.starred);
        QTest::keyClick(table(), Qt::Key_N);
        auto *dialog = find<QDialog>(u"markDialog"_s);
        QVERIFY(dialog);
        QCOMPARE(dialog->windowTitle(), u"Note and tags of 2 sweeps"_s);
        QTest::keyClicks(find<QLineEdit>(u"markTags"_s), u"cifar, wide"_s);
        QTest::keyClick(find<QLineEdit>(u"markTags"_s), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(client().sweep(second)->mark.tags == (std::vector<std::string>{"cifar", "wide"}),
                                 patience);
        QTRY_VERIFY(!table()->isColumnHidden(static_cast<int>(Column::Tags)));
        QCOMPARE(table()->selectionModel()->selectedRows().size(), 2);

        // Groups have rows of their own, which fold.
        auto *view = find<QMenu>(u"homeViewMenu"_s);
        Q_EMIT view->aboutToShow();
        view->findChild<QAction *>(u"groupBy-tags"_s)->trigger();
        QTRY_COMPARE(table()->model()->rowCount(), 8);  // in the group of each of its tags
        QCOMPARE(table()->model()->index(0, 0).data().toString(), u"cifar (2)"_s);
        QCOMPARE(table()->model()->index(3, 0).data().toString(), u"wide (2)"_s);
        QCOMPARE(table()->model()->index(6, 0).data().toString(), u"No tags (1)"_s);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(table()->model()->index(0, 0)).center());
        QTRY_COMPARE(table()->model()->rowCount(), 6);
        find<QLineEdit>(u"homeFilter"_s)->setText(u"wide"_s);
        QTRY_COMPARE(table()->model()->rowCount(), 4);
        find<QLineEdit>(u"homeFilter"_s)->clear();

        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(rowOf(u"third"_s), 0));
        QTest::keyClick(table(), Qt::Key_F2);
        auto *rename = find<QDialog>(u"renameDialog"_s);
        QVERIFY(rename);
        auto *name = rename->findChild<QLineEdit *>();
        name->selectAll();
        QTest::keyClicks(name, u"a/b"_s);
        QVERIFY(!rename->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok)->isEnabled());
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(rename->isVisible());
        name->selectAll();
        QTest::keyClicks(name, u"baseline"_s);
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(client().sweep(third)->name), u"baseline"_s, patience);
        QTRY_VERIFY(rowOf(u"baseline"_s) >= 0 && rowOf(u"third"_s) < 0);
        view->findChild<QAction *>(u"groupBy-nothing"_s)->trigger();
    }

    void severalSweepsAreArchivedAndDeletedAtOnce()
    {
        const qint64 first = launch(u"first"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        const qint64 second = launch(u"second"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        const qint64 third = launch(u"third"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        for (const qint64 sweep : {first, second, third})
            QVERIFY(waitForState(sweep, sweep::SweepState::Completed));
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 3, patience);
        m_window->activateWindow();
        table()->setFocus();
        table()->selectAll();
        choose(u"first"_s, u"archiveSweep"_s);
        QTRY_VERIFY_WITH_TIMEOUT(client().sweep(first)->archived && client().sweep(second)->archived
                                     && client().sweep(third)->archived,
                                 patience);
        QTRY_VERIFY(find<QPushButton>(u"emptyAction"_s));
        const auto message = [this] { return m_window->statusBar()->currentMessage(); };
        QTRY_COMPARE_WITH_TIMEOUT(message(), u"Archived 3 sweeps. Press Ctrl+Z to undo."_s, patience);
        find<QPushButton>(u"homeArchived"_s)->setChecked(true);
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        table()->setCurrentIndex(table()->model()->index(rowOf(u"first"_s), 0));
        table()->selectionModel()->select(table()->model()->index(rowOf(u"second"_s), 0),
                                          QItemSelectionModel::Select | QItemSelectionModel::Rows);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Delete);
        auto *question = find<QMessageBox>(u"deleteDialog"_s);
        QVERIFY(question);
        QCOMPARE(question->text(), u"Delete 2 sweeps?"_s);
        QTest::mouseClick(find<QPushButton>(u"confirmDeleteButton"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!client().sweep(first) && !client().sweep(second), patience);
        QVERIFY(client().sweep(third));
    }

    void sweepsAreJoinedInADialog()
    {
        const qint64 first = launch(u"first"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        const qint64 second = launch(u"second"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        const qint64 running = launch(u"running"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 1);
        for (const qint64 sweep : {first, second})
            QVERIFY(waitForState(sweep, sweep::SweepState::Completed));
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 3, patience);
        table()->setCurrentIndex(table()->model()->index(rowOf(u"first"_s), 0));
        choose(u"first"_s, u"joinSweeps"_s);
        auto *dialog = find<QDialog>(u"joinDialog"_s);
        QVERIFY(dialog);
        auto *sweeps = find<QListWidget>(u"joinSweeps"_s);
        auto *join = find<QPushButton>(u"joinButton"_s);
        const auto *problem = find<QLabel>(u"joinProblem"_s);
        const auto *summary = find<QLabel>(u"joinSummary"_s);
        QCOMPARE(sweeps->count(), 3);
        QCOMPARE(sweeps->item(2)->checkState(), Qt::Checked);
        QVERIFY(!join->isEnabled());
        QVERIFY(problem->isHidden());  // nothing is wrong yet
        QCOMPARE(summary->text(), u"Choose at least two sweeps."_s);
        sweeps->item(0)->setCheckState(Qt::Checked);
        QCOMPARE(summary->text(), u"The new sweep has 2 trials. 1 trial that has not ended is left out."_s);
        sweeps->item(0)->setCheckState(Qt::Unchecked);
        sweeps->item(1)->setCheckState(Qt::Checked);
        QVERIFY(problem->isHidden());
        QCOMPARE(summary->text(), u"The new sweep has 3 trials."_s);
        auto *name = find<QLineEdit>(u"joinName"_s);
        QCOMPARE(name->placeholderText(), u"first + second"_s);
        name->setText(u"both"_s);
        QTest::mouseClick(join, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!find<QDialog>(u"joinDialog"_s), patience);
        const qint64 both = m_window->selection().current().sweepId;
        QVERIFY(both > running);
        const sweep::SweepRecord *record = client().sweep(both);
        QCOMPARE(QString::fromStdString(record->name), u"both"_s);
        QVERIFY(record->state == sweep::SweepState::Completed);
        QTRY_COMPARE_WITH_TIMEOUT(client().trials(both).size(), std::size_t{3}, patience);
        QCOMPARE(client().trials(both).back().mark.note, std::string("second, trial 1"));
        QVERIFY(find<QWidget>(u"trialsPage"_s)->isVisible());

        QMenu menu;
        ui::TrialUndo undo(&client());
        const ui::TrialCommands commands = ui::addTrialCommands(&menu, &client(), &undo, both, {1}, nullptr);
        const QString why = u"An imported or joined sweep has no program to run; set run.command first"_s;
        for (const QAction *action : {commands.retry, menu.findChild<QAction *>(u"continueTrials"_s)}) {
            QVERIFY(!action->isEnabled());
            QCOMPARE(action->toolTip(), why);
        }
    }

    void commandsAreAboutTheSweepThatIsSeen()
    {
        const qint64 ended = launch(u"ended"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(ended, sweep::SweepState::Completed));
        const qint64 running = launch(u"running"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 1);
        m_window->selection().selectSweep(ended);
        QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), 2, patience);
        const auto *stop = find<QAction>(u"stopAction"_s);
        QTRY_VERIFY(!stop->isEnabled());
        // The row that is clicked on Home.
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(table()->model()->index(rowOf(u"running"_s), 0)).center());
        QCOMPARE(m_window->selection().current().sweepId, running);
        QTRY_VERIFY(stop->isEnabled());
        // A search that leaves it out chooses no other one.
        find<QLineEdit>(u"homeFilter"_s)->setText(u"ended"_s);
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        QCOMPARE(m_window->selection().current().sweepId, running);
        QVERIFY(!table()->currentIndex().isValid());
        QTest::keyClick(find<QLineEdit>(u"homeFilter"_s), Qt::Key_Escape);
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        QCOMPARE(table()->currentIndex().row(), rowOf(u"running"_s));
        // No sweep is seen on Devices.
        m_window->showPage(MainWindow::Page::Devices);
        QTRY_VERIFY(!stop->isEnabled());
        m_window->showPage(MainWindow::Page::Trials);
        QTRY_VERIFY(stop->isEnabled());
        client().stopSweep(running);
    }

    void runIsApartFromSweepsAndHasNoPagesThatCompareTrials()
    {
        const qint64 ended = launch(u"ended"_s, {u"reportspoints"_s, u"{n}"_s}, 2);
        QVERIFY(waitForState(ended, sweep::SweepState::Completed));
        const auto *runs = find<QListView>(u"runList"_s);
        QVERIFY(!runs->isVisible());
        const sweep::SweepSpec alone =
            sweep::makeRun("alone", {WorkspaceEngine::clientProgram(u"reportspoints"_s).toStdString(), "1"}, {});
        client().launchSweep(QString::fromStdString(sweep::toToml(alone)), m_engine->path(u"."_s));
        QTRY_COMPARE_WITH_TIMEOUT(client().sweeps().size(), 2U, patience);
        const qint64 run = client().sweeps().back().id;
        QVERIFY(waitForState(run, sweep::SweepState::Completed));

        m_window->showPage(MainWindow::Page::Home);
        QTRY_COMPARE(table()->model()->rowCount(), 4);
        QVERIFY(rowOf(u"Runs (1)"_s) >= 0 && rowOf(u"Sweeps (1)"_s) >= 0);
        QTRY_VERIFY(runs->isVisible());
        QVERIFY(isBeside(ended) && !isBeside(run));
        const int row = static_cast<const ui::SweepListModel *>(runs->model())->rowOf(run);
        QTest::mouseClick(runs->viewport(), Qt::LeftButton, {},
                          runs->visualRect(runs->model()->index(row, 0)).center());
        QTRY_COMPARE(m_window->selection().current().sweepId, run);
        QCOMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Trial));
        for (const QString &button : {u"trialsPageButton"_s, u"analysisPageButton"_s})
            QVERIFY(!find<QToolButton>(button)->isVisible());
        QVERIFY(find<QToolButton>(u"logsPageButton"_s)->isVisible());
        QVERIFY2(std::ranges::none_of(m_window->findChildren<QSpinBox *>(u"trialNumber"_s),
                                      [](const QSpinBox *number) { return number->isVisible(); }),
                 "its only trial needs no number");
        QCOMPARE(find<QAction>(u"editAction"_s)->text().remove(u'&'), u"Edit run"_s);
        m_window->showPage(MainWindow::Page::Sweep);
        QCOMPARE(find<QPushButton>(u"definitionEdit"_s)->text(), u"Edit run"_s);
        QTest::mouseClick(find<QPushButton>(u"definitionEdit"_s), Qt::LeftButton);
        QTRY_COMPARE(find<QPushButton>(u"start"_s)->text().remove(u'&'), u"Start as new run"_s);
        QTest::mouseClick(find<QPushButton>(u"cancelEdit"_s), Qt::LeftButton);
        m_window->selection().selectSweep(ended);
        QTRY_COMPARE(find<QAction>(u"editAction"_s)->text().remove(u'&'), u"Edit sweep"_s);
        m_window->showPage(MainWindow::Page::Trials);
        QTRY_VERIFY(find<QToolButton>(u"trialsPageButton"_s)->isVisible());
        QVERIFY(!runs->selectionModel()->hasSelection());
        // From a page that a run lacks.
        m_window->selection().selectSweep(run);
        QTRY_COMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Trial));
    }

    void headerNamesTheSweepThatThePageIsAbout()
    {
        const qint64 ended = launch(u"ended"_s, {u"reportspoints"_s, u"{n}"_s}, 1);
        QVERIFY(waitForState(ended, sweep::SweepState::Completed));
        auto *list = find<QListView>(u"sweepList"_s);
        const auto *strip = find<QWidget>(u"sweepStrip"_s);
        const auto *bar = find<QWidget>(u"pageBar"_s);
        m_window->selection().selectSweep(ended);
        m_window->showPage(MainWindow::Page::Devices);
        QTRY_VERIFY(!strip->isVisible() && !bar->isVisible());
        QVERIFY(!list->selectionModel()->hasSelection());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
        QTRY_COMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Trials));
        QVERIFY(strip->isVisible() && bar->isVisible() && list->selectionModel()->hasSelection());
        QCOMPARE(find<QLabel>(u"stripName"_s)->text(), u"ended"_s);
        QTRY_COMPARE(find<QLabel>(u"pageBarTrial"_s)->text(), u"Trial 1"_s);
        QTest::mouseClick(find<QToolButton>(u"logsPageButton"_s), Qt::LeftButton);
        QCOMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Logs));
        find<QAction>(u"new"_s)->trigger();
        QTRY_COMPARE(find<QLabel>(u"stripName"_s)->text(), u"New sweep"_s);
        QVERIFY(!list->selectionModel()->hasSelection());
        QVERIFY(!find<QToolButton>(u"logsPageButton"_s)->isVisible());
        // From a page of the sweep, its own definition is opened.
        m_window->showPage(MainWindow::Page::Trials);
        QTest::mouseClick(find<QToolButton>(u"sweepPageButton"_s), Qt::LeftButton);
        QTRY_COMPARE(find<QLabel>(u"stripName"_s)->text(), u"ended"_s);
        QVERIFY(find<QWidget>(u"sweepDefinition"_s)->isVisible());
    }
};

SWEEPSCOPE_TEST(HomePageTest)
#include "tst_homepage.moc"
