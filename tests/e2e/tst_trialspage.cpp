#include "testprogram.h"

#include "e2e/trialsonengine.h"
#include "ui/actions/trialundo.h"
#include "ui/models/sweeptablemodel.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;
using ui::TrialTable;

/// The table of trials and the list of sweeps by mouse and keyboard, with a real engine that stores the marks.
class TrialsPageTest : public QObject, private tests::TrialsOnEngine {
    Q_OBJECT

    QString label(const QString &name) const { return find<QLabel>(name)->text(); }
    const std::vector<sweep::TrialRecord> &trials() const
    {
        return client().trials(m_window->selection().current().sweepId);
    }
    int section(const QString &title) const
    {
        for (int section = 0; section < rows()->columnCount(); ++section) {
            if (rows()->headerData(section, Qt::Horizontal).toString() == title)
                return section;
        }
        return -1;
    }
    QString cell(int row, const QString &title) const { return rows()->index(row, section(title)).data().toString(); }
    bool isShown(const QString &title) const { return !table()->isColumnHidden(section(title)); }

private Q_SLOTS:
    void init() { QVERIFY2(startEngine(), qPrintable(client().errorText())); }
    void cleanup() { closeAll(); }

    void engineStoresStarsTagsAndNotes()
    {
        runSweep(3);
        QVERIFY(!isShown(u"Tags"_s));
        click(rows()->index(1, section(u"Star"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(trials()[1].mark.starred, patience);

        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_N);
        QTRY_VERIFY(find<QDialog>(u"markDialog"_s));
        find<QPlainTextEdit>(u"markNote"_s)->setPlainText(u"first line\nsecond"_s);
        QTest::keyClicks(find<QLineEdit>(u"markTags"_s), u"base line, b"_s);
        auto *save = m_window->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save);
        QVERIFY(save->isEnabled());
        QTest::mouseClick(save, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(trials()[1].mark.note, std::string("first line\nsecond"), patience);
        QTRY_COMPARE(cell(1, u"Tags"_s), u"b, base line"_s);
        QCOMPARE(cell(1, u"Note"_s), u"first line"_s);
        QVERIFY(isShown(u"Tags"_s) && isShown(u"Note"_s));  // editing a mark shows its columns

        // Several at once: a tag is added to all of them, different notes stay.
        QTRY_VERIFY(!find<QDialog>(u"markDialog"_s));
        m_window->activateWindow();
        table()->setFocus();
        QTRY_VERIFY(table()->hasFocus());
        table()->selectAll();
        QTest::keyClick(table(), Qt::Key_N);
        QTRY_VERIFY(find<QDialog>(u"markDialog"_s));
        QVERIFY(find<QPlainTextEdit>(u"markNote"_s)->toPlainText().isEmpty());
        QTest::keyClicks(find<QLineEdit>(u"markTags"_s), u"all"_s);
        QTest::mouseClick(m_window->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::all_of(trials(),
                                                     [](const sweep::TrialRecord &trial) {
                                                         return std::ranges::binary_search(trial.mark.tags, "all");
                                                     }),
                                 patience);
        QCOMPARE(trials()[1].mark.note, std::string("first line\nsecond"));

        find<QLineEdit>(u"trialsFilter"_s)->setText(u"star = true and tag = \"base line\""_s);
        QCOMPARE(rows()->rowCount(), 1);
        QCOMPARE(rows()->trialAt(0), 2);
    }

    void invalidFilterShowsItsErrorAndKeepsTheTable()
    {
        runSweep(3);
        auto *filter = find<QLineEdit>(u"trialsFilter"_s);
        QTest::keyClicks(filter, u"n >= 2"_s);
        QCOMPARE(rows()->rowCount(), 2);
        QCOMPARE(label(u"trialsCount"_s), u"2 of 3 trials"_s);
        filter->setText(u"n >= 2 and (best"_s);
        QTRY_VERIFY(find<QLabel>(u"trialsFilterProblem"_s)->isVisible());
        QCOMPARE(rows()->rowCount(), 2);
        QTest::keyClicks(filter, u" > 1)"_s);
        QVERIFY(!find<QLabel>(u"trialsFilterProblem"_s)->isVisible());
        QCOMPARE(rows()->rowCount(), 1);
        filter->setText(u"unheard = 1"_s);
        QVERIFY(label(u"trialsFilterProblem"_s).contains(u"unheard"_s));
        QTRY_VERIFY(!table()->isVisible());
        filter->setText(u"los * 2 > 1"_s);
        const QString problem = label(u"trialsFilterProblem"_s);
        QCOMPARE(problem, u"Filter not applied: Unknown name \"los\". Did you mean \"loss\"?"_s);
    }

    void filterWithAMistakeIsOfItsOwnSweep()
    {
        const qint64 first = launch(u"first"_s, {u"reportspoints"_s, u"{n}"_s}, 3);
        QVERIFY(waitForState(first, sweep::SweepState::Completed));
        const qint64 second = launch(u"second"_s, {u"reportspoints"_s, u"{n}"_s}, 3);
        QVERIFY(waitForState(second, sweep::SweepState::Completed));
        openWindow();
        m_window->showPage(MainWindow::Page::Trials);
        auto *filter = find<QLineEdit>(u"trialsFilter"_s);
        m_window->selection().selectSweep(second);
        filter->setText(u"unheard * 2 > 1"_s);
        QVERIFY(find<QLabel>(u"trialsFilterProblem"_s)->isVisible());
        m_window->selection().selectSweep(first);
        QVERIFY(!find<QLabel>(u"trialsFilterProblem"_s)->isVisible());
        filter->setText(u"n = 2"_s);
        QCOMPARE(rows()->rowCount(), 1);
        m_window->selection().selectSweep(second);
        QVERIFY(find<QLabel>(u"trialsFilterProblem"_s)->isVisible());
        QCOMPARE(rows()->rowCount(), 3);
    }

    void unfinishedConditionIsNoErrorWhileTyping()
    {
        runSweep(3);
        auto *filter = find<QLineEdit>(u"trialsFilter"_s);
        const auto *problem = find<QLabel>(u"trialsFilterProblem"_s);
        m_window->activateWindow();
        filter->setFocus();
        QTRY_VERIFY(filter->hasFocus());
        QTest::keyClicks(filter, u"n > "_s);
        QVERIFY(!problem->isVisible());
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().startsWith(u"Filter not applied: Missing value at the end."_s),
                 qPrintable(problem->text()));
        QTest::keyClicks(filter, u"("_s);
        QVERIFY(!problem->isVisible());
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(problem->isVisible());
        QTest::keyClick(filter, Qt::Key_Backspace);
        QTest::keyClicks(filter, u"2"_s);
        QVERIFY(!problem->isVisible());
        QCOMPARE(rows()->rowCount(), 1);
    }

    void typingNeverEmptiesTheTableTemporarily()
    {
        runSweep(3);
        auto *filter = find<QLineEdit>(u"trialsFilter"_s);
        int emptied = 0;
        connect(rows(), &QAbstractItemModel::modelReset, this, [&] { emptied += rows()->rowCount() == 0; });
        connect(rows(), &QAbstractItemModel::rowsRemoved, this, [&] { emptied += rows()->rowCount() == 0; });
        for (const QChar key : u"state = completed and attempts = 1"_s) {
            QTest::keyClick(filter, key.toLatin1());
            QVERIFY2(rows()->rowCount() == 3 && table()->isVisible(), qPrintable(filter->text()));
        }
        QCOMPARE(emptied, 0);
        QTest::keyClicks(filter, u" zzz"_s);
        QCOMPARE(rows()->rowCount(), 3);
        QTRY_VERIFY(!table()->isVisible());  // no row is left
        filter->clear();
        QTRY_COMPARE(rows()->rowCount(), 3);
        QTest::keyClicks(filter, u"zzz"_s);
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(!table()->isVisible());
        filter->clear();
    }

    void exportShortcutWorksWithFocusInTheFilter()
    {
        runSweep(3);
        QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_E, Qt::ControlModifier);
        key.ignore();
        QCoreApplication::sendEvent(find<QLineEdit>(u"trialsFilter"_s), &key);
        QVERIFY(!key.isAccepted());
    }

    void releasingTheButtonOverTheColumnsTogglesNone()
    {
        runSweep(3);
        auto *menu = find<QMenu>(u"trialsColumnsMenu"_s);
        menu->popup({});
        const QList<QAction *> entries = menu->actions();
        const auto devices = std::ranges::find_if(
            entries, [](const QAction *action) { return action->data().toString() == u"devices"_s; });
        const QPoint at = menu->actionGeometry(*devices).center();
        const bool before = isShown(u"Devices"_s);
        QTest::mouseRelease(menu, Qt::LeftButton, {}, at);
        QCOMPARE(isShown(u"Devices"_s), before);
        QTest::mouseClick(menu, Qt::LeftButton, {}, at);
        QCOMPARE(isShown(u"Devices"_s), !before);
        QVERIFY(menu->isVisible());  // for the next one
        menu->close();
    }

    void tableLayoutIsRestored()
    {
        runSweep(3);
        auto *menu = find<QMenu>(u"trialsColumnsMenu"_s);
        Q_EMIT menu->aboutToShow();
        for (QAction *action : menu->actions()) {
            if (action->data().toString() == u"devices"_s)
                action->setChecked(false);
            if (action->data().toString() == u"step"_s)
                action->setChecked(true);
        }
        QVERIFY(!isShown(u"Devices"_s) && isShown(u"Step"_s));
        table()->horizontalHeader()->moveSection(table()->horizontalHeader()->visualIndex(section(u"Best loss"_s)), 1);
        table()->setColumnWidth(section(u"n"_s), 123);
        table()->sortByColumn(section(u"n"_s), Qt::DescendingOrder);
        find<QLineEdit>(u"trialsFilter"_s)->setText(u"n != 2"_s);

        openWindow();
        m_window->selection().selectSweep(client().sweeps()[0].id);
        m_window->showPage(MainWindow::Page::Trials);
        QTRY_COMPARE(rows()->rowCount(), 2);
        QVERIFY(!isShown(u"Devices"_s) && isShown(u"Step"_s));
        QCOMPARE(table()->horizontalHeader()->visualIndex(section(u"Best loss"_s)), 1);
        QCOMPARE(table()->columnWidth(section(u"n"_s)), 123);
        QCOMPARE(rows()->trialAt(0), 3);
        QCOMPARE(find<QLineEdit>(u"trialsFilter"_s)->text(), u"n != 2"_s);
    }

    void editOfTheObjectiveIsShownAtOnce()
    {
        runSweep(3);
        const auto goal = [this] {
            QString words;
            for (int column = 0; column < rows()->columnCount(); ++column)
                words += rows()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            return words;
        };
        QVERIFY(goal().contains(u"higher is better"_s));
        const sweep::SweepRecord &sweep = client().sweeps()[0];
        QVERIFY(sweep.toml.find("maximize") != std::string::npos);
        client().editSweep(sweep.id, QString::fromStdString(sweep.toml).replace(u"maximize"_s, u"minimize"_s), false);
        QTRY_VERIFY_WITH_TIMEOUT(goal().contains(u"lower is better"_s), patience);
    }

    void groupsCollapseAndExpand()
    {
        runSweep(3);
        auto *group = find<QComboBox>(u"trialsGroup"_s);
        group->setCurrentIndex(group->findData(u"state"_s));
        QCOMPARE(rows()->rowCount(), 1);
        QCOMPARE(cell(0, u"Trial"_s), u"3 trials"_s);
        QCOMPARE(cell(0, u"Best loss"_s), u"2"_s);
        click(rows()->index(0, 0));
        QCOMPARE(rows()->rowCount(), 4);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Left);
        QCOMPARE(rows()->rowCount(), 1);
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(rows()->rowCount(), 4);
        QVERIFY(table()->selectedTrials().empty());
    }

    void changesToTrialsCanBeUndone()
    {
        runSweep(2);
        click(rows()->index(0, section(u"Star"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(trials()[0].mark.starred, patience);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!trials()[0].mark.starred, patience);
        QTest::keyClick(table(), Qt::Key_Z, Qt::ControlModifier);  // the only remaining undo

        // A waiting trial is stopped without a question, and can be queued again.
        const qint64 waiting = launch(u"waiting"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 3);
        m_window->selection().selectSweep(waiting);
        QTRY_VERIFY_WITH_TIMEOUT(trials().size() == 3 && trials()[0].state == sweep::TrialState::Running, patience);
        QTRY_COMPARE_WITH_TIMEOUT(rows()->rowCount(), 3, patience);
        click(rows()->index(2, section(u"State"_s)));
        Q_EMIT table()->customContextMenuRequested(table()->visualRect(rows()->index(2, 1)).center());
        QTRY_VERIFY(find<QMenu>(u"trialMenu"_s));
        find<QAction>(u"stopTrials"_s)->trigger();
        find<QMenu>(u"trialMenu"_s)->close();
        QTRY_VERIFY_WITH_TIMEOUT(trials()[2].state == sweep::TrialState::Stopped, patience);
        QTRY_VERIFY(!find<QMenu>(u"trialMenu"_s));
        Q_EMIT table()->customContextMenuRequested(table()->visualRect(rows()->index(2, 1)).center());
        QTRY_VERIFY(find<QAction>(u"undoTrials"_s));
        QVERIFY(find<QAction>(u"undoTrials"_s)->isEnabled());
        find<QAction>(u"undoTrials"_s)->trigger();
        find<QMenu>(u"trialMenu"_s)->close();
        QTRY_VERIFY_WITH_TIMEOUT(trials()[2].state == sweep::TrialState::Queued, patience);
    }

    void commandsHaveAnUndo()
    {
        std::vector<sweep::TrialRecord> all(4);
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i].number = static_cast<int>(i) + 1;
        all[0].mark = {true, {"a", "b"}, "note"};
        all[1].state = sweep::TrialState::Queued;
        all[1].priority = 3;
        all[2].state = sweep::TrialState::Running;
        sweep::Control mark;
        mark.action = sweep::Control::Action::Mark;
        mark.trials = {1, 2, 3, 9};
        mark.mark = {false, {"b", "c"}, {"a"}, "other"};
        const std::vector<sweep::Control> back = ui::takingBack(mark, all);
        QCOMPARE(back.size(), std::size_t(2));
        QVERIFY(back[0].trials == std::vector<int>{1});
        QVERIFY((back[0].mark == sweep::MarkChange{true, {"a"}, {"c"}, "note"}));
        QVERIFY((back[1].trials == std::vector<int>{2, 3}));
        QVERIFY((back[1].mark == sweep::MarkChange{std::nullopt, {}, {"b", "c"}, ""}));
        sweep::Control stop;
        stop.trials = {2, 3};
        QCOMPARE(ui::takingBack(stop, all).size(), std::size_t(1));  // trials that have run are not restored
        QVERIFY(ui::takingBack(stop, all)[0].trials == std::vector<int>{2});
        QVERIFY(ui::takingBack(stop, all)[0].action == sweep::Control::Action::Retry);
        sweep::Control next;
        next.action = sweep::Control::Action::SetPriority;
        next.priority = 7;
        next.trials = {2, 4};
        QCOMPARE(ui::takingBack(next, all).size(), std::size_t(2));
        QCOMPARE(ui::takingBack(next, all)[0].priority, 3);
        sweep::Control pause;
        pause.action = sweep::Control::Action::Pause;
        pause.trials = {2};
        QVERIFY(ui::takingBack(pause, all).empty());
    }

    void homeListsSweepsAndOpensThem()
    {
        openWindow();
        m_window->showPage(MainWindow::Page::Home);
        auto *home = find<QWidget>(u"homePage"_s);
        auto *example = home->findChild<QPushButton *>(u"emptyAction"_s);
        QTRY_VERIFY(example->isVisible());
        QTest::mouseClick(example, Qt::LeftButton);
        QCOMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Sweep));
        QCOMPARE(find<QLineEdit>(u"sweep.name"_s)->text(), u"digits-mlp"_s);

        runSweep(3);  // in another window
        home = find<QWidget>(u"homePage"_s);
        find<QAction>(u"showHomePageAction"_s)->trigger();
        auto *sweeps = find<QTableView>(u"homeTable"_s);
        QTRY_VERIFY(sweeps->isVisible());
        QCOMPARE(sweeps->model()->rowCount(), 1);
        QStringList texts;
        using Column = ui::SweepTableModel::Column;
        for (int column = 0; column < 4; ++column)
            texts << sweeps->model()->index(0, column).data().toString();
        QTRY_COMPARE(sweeps->model()->index(0, static_cast<int>(Column::Progress)).data().toString(), u"3 of 3"_s);
        QCOMPARE(texts.first(), u"points"_s);
        QTRY_COMPARE(sweeps->model()->index(0, static_cast<int>(Column::Best)).data().toString(), u"2"_s);

        // In a wide window the state is not far from the name.
        const QSize usual = m_window->size();
        m_window->resize(3840, 2160);
        QTRY_VERIFY(sweeps->viewport()->width() > 3000);
        QTRY_VERIFY(sweeps->columnWidth(0) < 800);
        m_window->resize(usual);
        QTRY_VERIFY(sweeps->viewport()->width() < 2000);

        const QPoint place = sweeps->visualRect(sweeps->model()->index(0, 0)).center();
        QTest::mouseClick(home->findChild<QPushButton *>(u"homeClone"_s),
                          Qt::LeftButton);  // the sweep selected on the left
        QCOMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Sweep));
        QTRY_COMPARE(find<QLineEdit>(u"sweep.name"_s)->text(), u"points 2"_s);
        m_window->showPage(MainWindow::Page::Home);
        QTest::mouseClick(sweeps->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(sweeps->viewport(), Qt::LeftButton, {}, place);
        QTRY_COMPARE(find<QStackedWidget>(u"pages"_s)->currentIndex(), static_cast<int>(MainWindow::Page::Trials));
    }
};

SWEEPSCOPE_TEST(TrialsPageTest)
#include "tst_trialspage.moc"
