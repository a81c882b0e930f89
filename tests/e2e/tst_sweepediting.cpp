#include "testprogram.h"

// Edits the definition of a running sweep in the window: by mouse and keyboard, on a real engine.
#include "e2e/windowonengine.h"
#include "ui/editor/editorpage.h"
#include "ui/editor/placedproblem.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using sweep::TrialState;
using ui::MainWindow;
using ui::SpaceColumn;

class SweepEditingTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

    void clickButton(const QString &name) const
    {
        auto *button = find<QPushButton>(name);
        QVERIFY2(button && button->isVisible() && button->isEnabled(), qPrintable(name));
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void clickTab(MainWindow::Page page) const
    {
        QTest::mouseClick(find<QToolButton>(m_window->pageNames().at(static_cast<int>(page)) + u"PageButton"_s),
                          Qt::LeftButton);
    }
    /// Activates the window, as a desktop does after a dialog.
    void activate() const
    {
        QTRY_VERIFY(!QApplication::activeModalWidget());
        m_window->activateWindow();
        QTRY_VERIFY(QApplication::activeWindow() == m_window.get());
    }
    /// Types into the cell with the values of n.
    void typeValues(const QString &text) const
    {
        activate();
        auto *space = find<QTableView>(u"space.table"_s);
        const QModelIndex index = space->model()->index(0, static_cast<int>(SpaceColumn::From));
        QTest::mouseClick(space->viewport(), Qt::LeftButton, {}, space->visualRect(index).center());
        QWidget *cell = QApplication::focusWidget();
        QVERIFY(cell && cell->objectName() == u"cellEditor"_s);
        QTest::keyClick(cell, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(cell, text);
        QTest::keyClick(cell, Qt::Key_Return);
        QTRY_COMPARE(index.data().toString(), text);
        QTRY_VERIFY(!QApplication::focusWidget() || QApplication::focusWidget()->objectName() != u"cellEditor"_s);
    }
    void typeConcurrent(int trials) const
    {
        auto *box = find<QSpinBox>(u"devices.concurrent"_s);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(box, QString::number(trials));
        QTest::keyClick(box, Qt::Key_Tab);
        QCOMPARE(box->value(), trials);
    }
    QString values() const
    {
        return find<QTableView>(u"space.table"_s)
            ->model()
            ->index(0, static_cast<int>(SpaceColumn::From))
            .data()
            .toString();
    }
    QString title() const { return find<QLabel>(u"documentTitle"_s)->text(); }
    QString notice() const
    {
        const auto *text = find<QLabel>(u"notice.text"_s);
        return text->isVisible() ? text->text() : QString();
    }
    QMessageBox *question() const { return find<QMessageBox>(u"editDialog"_s); }
    bool canApply() const { return find<QPushButton>(u"apply"_s)->isEnabled(); }
    const sweep::SweepRecord &record() const { return *client().sweep(1); }
    TrialState state(int trial) const
    {
        const auto &trials = client().trials(1);
        return trial <= static_cast<int>(trials.size()) ? trials[static_cast<std::size_t>(trial - 1)].state
                                                        : TrialState::Lost;
    }
    QString sweepctl(const QStringList &arguments) const
    {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral(SWEEPSCOPE_BIN_DIR "/sweepctl"),
                      arguments + QStringList{u"--workspace"_s, m_engine->path(u"workspace"_s)});
        process.waitForFinished(patience);
        return QString::fromUtf8(process.readAll());
    }
    /// n = 1 … 4, of which the first runs and the others wait.
    void openOnARunningSweep()
    {
        QCOMPARE(launch(u"endless"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 4), 1);
        QTRY_VERIFY_WITH_TIMEOUT(state(1) == TrialState::Running, patience);
        openWindow();
        activate();
    }
    void editTheRunningSweep()
    {
        openOnARunningSweep();
        clickTab(MainWindow::Page::Sweep);
        QVERIFY2(find<QWidget>(u"sweepDefinition"_s)->isVisible(), "what is seen is of the sweep above it");
        clickButton(u"definitionEdit"_s);
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QTRY_COMPARE(find<QPushButton>(u"apply"_s)->toolTip(), u"No changes yet"_s);
        QVERIFY(!canApply());
    }

private Q_SLOTS:
    void init() { QVERIFY2(startEngine(), qPrintable(client().errorText())); }
    void cleanup() { closeAll(); }

    void changesAreAppliedToARunningSweep()
    {
        editTheRunningSweep();
        QCOMPARE(find<QPushButton>(u"start"_s)->text().remove(u'&'), u"Start as new sweep"_s);
        typeValues(u"1, 4, 5, 6"_s);
        typeConcurrent(2);
        QCOMPARE(title(), u"Changes to #1 endless"_s);
        QTRY_VERIFY(canApply());
        QCOMPARE(find<QPushButton>(u"apply"_s)->text().remove(u'&'), u"Apply to #1"_s);

        // It asks first, with the engine's message, and declining changes nothing.
        const std::string before = record().toml;
        clickButton(u"apply"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QCOMPARE(question()->text(), u"Apply changes to #1 endless?"_s);
        const QString consequence = question()->informativeText();
        QVERIFY2(consequence.startsWith(u"2 trials added. 2 queued trials removed."_s), qPrintable(consequence));
        QVERIFY2(consequence.contains(u"devices.concurrent changed from 1 to 2"_s), qPrintable(consequence));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(!question());
        QCOMPARE(record().toml, before);
        QVERIFY(canApply());

        activate();
        QTRY_VERIFY2(find<QPushButton>(u"apply"_s)->hasFocus(), "the keys are where they were");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QTest::keyClick(question(), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(record().edits == 1 && record().trialsTotal == 6, patience);
        QTRY_VERIFY(m_window->statusBar()->currentMessage().startsWith(u"2 trials added. 2 queued trials removed."_s));
        QTRY_VERIFY_WITH_TIMEOUT(state(2) == TrialState::Stopped && state(3) == TrialState::Stopped, patience);
        QTRY_VERIFY_WITH_TIMEOUT(state(4) == TrialState::Running, patience);  // two at a time now
        QVERIFY(state(1) == TrialState::Running);
        QCOMPARE(client().trials(1).front().attempts, 1);
        QVERIFY(state(5) == TrialState::Queued && state(6) == TrialState::Queued);
        QCOMPARE(client().sweeps().size(), std::size_t(1));

        // The editor shows the sweep's new definition, without unsaved changes.
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QVERIFY(!canApply());
        activate();
        QVERIFY2(!qobject_cast<QPushButton *>(QApplication::focusWidget()), "nothing else is pressed by the same key");
        QCOMPARE(find<QSpinBox>(u"devices.concurrent"_s)->value(), 2);
        m_window->close();
        QTRY_VERIFY(find<QMessageBox>(u"closeDialog"_s));
        QVERIFY(!find<QMessageBox>(u"unsavedDialog"_s));
    }

    void reportedMetricsAreOfferedAsObjective()
    {
        editTheRunningSweep();
        auto *objective = find<QComboBox>(u"sweep.objective"_s);
        QTRY_COMPARE_WITH_TIMEOUT(objective->count(), 1, patience);
        QCOMPARE(objective->itemText(0), u"loss"_s);
        const auto *note = find<QLabel>(u"sweep.objective.problem"_s);
        QCOMPARE(note->toolTip(), u"Reported by your command"_s);
        objective->setFocus();
        QTest::keyClick(objective, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(objective, u"val_acc"_s);
        QTRY_COMPARE(note->toolTip(), u"Not reported so far. Reported: loss"_s);
    }

    void headerShowsTheSuggestionOfAProbe()
    {
        client().launchSweep(u"[sweep]\nname = \"train-probe\"\nobjective = \"loss\"\ngoal = \"minimize\"\n"
                             "[space]\nbatch_size = [100, 500, 800]\n"
                             "[run]\ncommand = [\"python3\", \"%1\", \"900\"]\n"
                             "[devices]\nkind = \"cpu\"\n[probe]\nmeasure = \"1s\"\n"_s.arg(QStringLiteral(MEASURES)),
                             m_engine->path(u"."_s));
        QVERIFY(waitForState(1, sweep::SweepState::Completed));
        openWindow();
        auto *suggestion = find<QPushButton>(u"stripBest"_s);
        QTRY_COMPARE_WITH_TIMEOUT(suggestion->text(), u"Suggested batch size 500"_s, patience);
        QVERIFY(suggestion->isVisible());
        // Its measurements take the place of the analysis.
        m_window->showPage(MainWindow::Page::Analysis);
        auto *measurements = find<QTableView>(u"probeTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(measurements->isVisible(), patience);
        QCOMPARE(measurements->model()->rowCount(), 3);
        QCOMPARE(measurements->model()->index(0, 0).data().toString(), u"100"_s);
        constexpr int throughput = 1;
        measurements->sortByColumn(throughput, Qt::DescendingOrder);
        QCOMPARE(measurements->model()->index(0, throughput + 1).data().toString(), u"100%"_s);
        QVERIFY(find<QLabel>(u"probeSentence"_s)->text().startsWith(u"Suggested batch_size 500"_s));
        QVERIFY(!find<QWidget>(u"analysisPage"_s)->isVisible());
        m_window->showPage(MainWindow::Page::Trials);
        QTest::mouseClick(suggestion, Qt::LeftButton);
        QTRY_VERIFY(measurements->isVisible());
        // The sweep that it measured is not here: the probe becomes one that trains.
        QTest::mouseClick(find<QPushButton>(u"useSuggestionButton"_s), Qt::LeftButton);
        QTRY_VERIFY(find<QWidget>(u"sweepForm"_s)->isVisible());
        QCOMPARE(find<QLineEdit>(u"sweep.name"_s)->text(), u"train"_s);
        const auto *text = m_window->findChild<ui::EditorPage *>()->findChild<QPlainTextEdit *>(u"toml"_s);
        QTRY_VERIFY2(text->toPlainText().contains(u"batch_size = [500]"_s), qPrintable(text->toPlainText()));
        QVERIFY(!text->toPlainText().contains(u"[probe]"_s));
        m_window->showPage(MainWindow::Page::Trials);
        clickTab(MainWindow::Page::Sweep);
        QTRY_COMPARE_WITH_TIMEOUT(find<QPushButton>(u"probe.accept"_s)->text(), u"Use batch size 500"_s, patience);
    }

    void closingOffersToApplyChanges()
    {
        editTheRunningSweep();
        typeConcurrent(2);
        QTRY_VERIFY(canApply());
        clickTab(MainWindow::Page::Home);
        const auto close = [this] {
            m_window->close();
            QTRY_VERIFY(find<QMessageBox>(u"unappliedDialog"_s));
            QVERIFY(!find<QMessageBox>(u"unsavedDialog"_s));
        };
        close();
        QVERIFY(find<QMessageBox>(u"unappliedDialog"_s)->text().contains(u"#1 endless"_s));
        clickButton(u"cancelUnappliedButton"_s);
        QTRY_VERIFY(!find<QMessageBox>(u"unappliedDialog"_s));
        QVERIFY(m_window->isVisible());
        close();
        clickButton(u"applyUnappliedButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QVERIFY(find<QPushButton>(u"apply"_s)->isVisible());
        clickButton(u"confirmEditButton"_s);
        QTRY_COMPARE_WITH_TIMEOUT(title(), u"#1 endless"_s, patience);
        QVERIFY(record().toml.find("concurrent = 2") != std::string::npos);
        // A change that cannot be applied is not offered.
        typeConcurrent(3);
        QTRY_VERIFY(canApply());
        typeValues(u"1, x, , "_s);
        QTRY_VERIFY(!canApply());
        close();
        QVERIFY(!find<QPushButton>(u"applyUnappliedButton"_s)->isEnabled());
        clickButton(u"discardUnappliedButton"_s);
        QTRY_VERIFY(find<QMessageBox>(u"closeDialog"_s));  // about its trials, as usual
        clickButton(u"closeWindowButton"_s);
        QTRY_VERIFY(!m_window->isVisible());
    }

    void refusalIsShownAtItsFieldAndStartStaysEnabled()
    {
        editTheRunningSweep();
        auto *ranks = find<QSpinBox>(u"run.ranks"_s);
        const int before = ranks->value();
        ranks->setValue(before + 1);
        QTRY_VERIFY(canApply());
        clickButton(u"apply"_s);
        auto *problem = find<QLabel>(u"run.ranks.problem"_s);
        QTRY_VERIFY_WITH_TIMEOUT(problem->text().startsWith(u"The number of ranks cannot be changed"_s), patience);
        QVERIFY(!question());
        QVERIFY(!canApply());
        QVERIFY2(find<QPushButton>(u"start"_s)->isEnabled(), "as a new sweep it can have other ranks");
        ranks->setValue(before);
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QTRY_VERIFY(problem->text().isEmpty());
        QCOMPARE(record().edits, 0);
    }

    void lastEditIsUndone()
    {
        editTheRunningSweep();
        auto *undo = find<QAction>(u"undoEditAction"_s);
        QVERIFY(!undo->isEnabled());
        QCOMPARE(undo->toolTip(), u"The sweep has not been edited"_s);
        typeValues(u"1, 2, 7"_s);
        QTRY_VERIFY(canApply());
        clickButton(u"apply"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        clickButton(u"confirmEditButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(state(3) == TrialState::Stopped && state(5) == TrialState::Queued, patience);
        QTRY_VERIFY(undo->isEnabled());
        QTRY_VERIFY2(notice().startsWith(u"Changes applied to #1 endless"_s), qPrintable(notice()));
        clickButton(u"notice.undoEdit"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QCOMPARE(question()->text(), u"Undo last edit of #1 endless?"_s);
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(!question());

        // From quick search, for users who do not know the menus.
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(find<QLineEdit>(u"quickLine"_s));
        QTest::keyClicks(find<QLineEdit>(u"quickLine"_s), u"undo last"_s);
        QTest::keyClick(find<QLineEdit>(u"quickLine"_s), Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QCOMPARE(question()->text(), u"Undo last edit of #1 endless?"_s);
        QVERIFY(question()->informativeText().contains(u"1 queued trial removed. 2 trials restored."_s));
        clickButton(u"confirmEditButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(state(3) == TrialState::Queued && client().trials(1).size() == 4, patience);
        QTRY_VERIFY(!undo->isEnabled());
        QTRY_COMPARE(values(), u"1, 2, 3, 4"_s);
        QCOMPARE(title(), u"#1 endless"_s);
        QVERIFY(notice().isEmpty());
    }

    void undoOfAnAppliedEditShowsTheCurrentDefinition()
    {
        editTheRunningSweep();
        typeValues(u"1, 2, 3, 4, 0.5, 0"_s);
        QTRY_VERIFY(canApply());
        clickButton(u"apply"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QVERIFY2(question()->informativeText().startsWith(u"2 trials added. space.n"_s),
                 qPrintable(question()->informativeText()));
        clickButton(u"confirmEditButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(1).size() == 6, patience);
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QVERIFY(!canApply());
        const auto *plan = find<QLabel>(u"allocation.head"_s);
        QTRY_VERIFY2(plan->text().startsWith(u"6 trials left"_s), qPrintable(plan->text()));

        clickButton(u"notice.undoEdit"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        clickButton(u"confirmEditButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(record().edits == 0, patience);
        QTRY_COMPARE(values(), u"1, 2, 3, 4"_s);
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QVERIFY(!canApply());
        QTRY_VERIFY2(plan->text().startsWith(u"4 trials left"_s), qPrintable(plan->text()));
        QCOMPARE(client().trials(1).size(), std::size_t(4));
        QCOMPARE(find<QTableView>(u"trialsTable"_s)->model()->rowCount(), 4);
    }

    void undoingAnEditKeepsTypedChangesForCtrlZ()
    {
        editTheRunningSweep();
        typeValues(u"1, 2, 3, 4, 5"_s);
        QTRY_VERIFY(canApply());
        clickButton(u"apply"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        clickButton(u"confirmEditButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(client().trials(1).size() == 5, patience);
        typeConcurrent(3);
        QTRY_VERIFY(canApply());
        clickButton(u"notice.undoEdit"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        clickButton(u"confirmEditButton"_s);
        QTRY_COMPARE_WITH_TIMEOUT(values(), u"1, 2, 3, 4"_s, patience);
        QCOMPARE(title(), u"#1 endless"_s);
        QVERIFY2(notice().contains(u"Ctrl+Z"_s), qPrintable(notice()));
        find<QAction>(u"undo"_s)->trigger();
        QTRY_COMPARE(values(), u"1, 2, 3, 4, 5"_s);
        QCOMPARE(find<QSpinBox>(u"devices.concurrent"_s)->value(), 3);
    }

    void externalChangeIsShownWithoutLosingEdits()
    {
        editTheRunningSweep();
        auto *concurrent = find<QSpinBox>(u"devices.concurrent"_s);
        sweepctl({u"edit"_s, u"1"_s, u"--concurrent"_s, u"2"_s});
        QTRY_COMPARE_WITH_TIMEOUT(concurrent->value(), 2, patience);
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QVERIFY(notice().contains(u"has changed"_s));

        typeValues(u"1, 2, 9"_s);
        QCOMPARE(title(), u"Changes to #1 endless"_s);
        sweepctl({u"edit"_s, u"1"_s, u"--concurrent"_s, u"3"_s});
        QTRY_VERIFY_WITH_TIMEOUT(notice().contains(u"Your changes are kept"_s), patience);
        QCOMPARE(concurrent->value(), 2);
        QCOMPARE(title(), u"Changes to #1 endless"_s);
        QTRY_VERIFY(canApply());
        clickButton(u"notice.showNew"_s);
        QTRY_COMPARE(concurrent->value(), 3);
        QTRY_COMPARE(title(), u"#1 endless"_s);
        find<QAction>(u"undo"_s)->trigger();  // the typed changes come back
        QTRY_COMPARE(title(), u"Changes to #1 endless"_s);
        QCOMPARE(concurrent->value(), 2);
        QTRY_VERIFY(canApply());

        // While the dialog is open: it was about an outdated definition.
        clickButton(u"apply"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        sweepctl({u"edit"_s, u"1"_s, u"--concurrent"_s, u"4"_s});
        QTRY_VERIFY_WITH_TIMEOUT(!question(), patience);
        QTRY_VERIFY(notice().contains(u"Your changes are kept"_s));
        QCOMPARE(record().edits, 3);
    }

    void cancelDiscardsTheChangesAndShowsTheDefinition()
    {
        editTheRunningSweep();
        const std::string before = record().toml;
        typeConcurrent(5);
        QTRY_COMPARE(title(), u"Changes to #1 endless"_s);
        clickButton(u"cancelEdit"_s);
        QTRY_VERIFY(find<QWidget>(u"sweepDefinition"_s)->isVisible());
        QCOMPARE(find<QLabel>(u"stripName"_s)->text(), u"endless"_s);
        QCOMPARE(record().toml, before);
        clickButton(u"definitionEdit"_s);
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QCOMPARE(find<QSpinBox>(u"devices.concurrent"_s)->value(), 1);
        // Undo restores them.
        find<QAction>(u"undo"_s)->trigger();
        find<QAction>(u"undo"_s)->trigger();
        QTRY_COMPARE(title(), u"Changes to #1 endless"_s);
        QCOMPARE(find<QSpinBox>(u"devices.concurrent"_s)->value(), 5);
    }

    void menuOfASweepOpensItsDefinition()
    {
        openOnARunningSweep();
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        QTRY_COMPARE(title(), u"New sweep"_s);
        QVERIFY(find<QPushButton>(u"apply"_s)->isHidden());
        QCOMPARE(find<QPushButton>(u"start"_s)->text().remove(u'&'), u"Start sweep"_s);
        auto *name = find<QLineEdit>(u"sweep.name"_s);
        QTRY_VERIFY(name->hasFocus());
        QTest::keyClicks(name, u"draft"_s);

        auto *list = find<QListView>(u"sweepList"_s);
        const QPoint place = list->visualRect(list->model()->index(0, 0)).center();
        QContextMenuEvent asks(QContextMenuEvent::Mouse, place, list->viewport()->mapToGlobal(place));
        QApplication::sendEvent(list->viewport(), &asks);
        QTRY_VERIFY(find<QMenu>(u"sweepMenu"_s));
        auto *menu = find<QMenu>(u"sweepMenu"_s);
        auto *edit = menu->findChild<QAction *>(u"editSweep"_s);
        QVERIFY(edit->isEnabled());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(edit).center());
        QTRY_COMPARE(title(), u"#1 endless"_s);
        QCOMPARE(name->text(), u"endless"_s);
        QVERIFY(name->isVisible());

        // The other sweep is not lost, and F5 does not start a hidden one.
        find<QAction>(u"undo"_s)->trigger();
        QTRY_COMPARE(title(), u"New sweep"_s);
        QCOMPARE(name->text(), u"draft"_s);
        QVERIFY(!find<QToolButton>(u"livePageButton"_s)->isVisible());  // it has no pages but its definition
        m_window->showPage(MainWindow::Page::Live);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QTRY_VERIFY(name->isVisible());
        QCOMPARE(client().sweeps().size(), std::size_t(1));

        // Beside a new sweep, no command is about the selected one.
        QCOMPARE(find<QLabel>(u"stripName"_s)->text(), u"New sweep"_s);
        QVERIFY(!find<QAction>(u"editAction"_s)->isEnabled() && !find<QAction>(u"stopAction"_s)->isEnabled());

        // Choosing it in the Sweep menu restores the unsaved changes.
        m_window->showPage(MainWindow::Page::Trials);
        QCOMPARE(find<QLabel>(u"stripName"_s)->text(), u"endless"_s);
        find<QAction>(u"editAction"_s)->trigger();
        QTRY_COMPARE(title(), u"#1 endless"_s);
        typeConcurrent(5);
        clickTab(MainWindow::Page::Live);
        find<QAction>(u"editAction"_s)->trigger();
        QTRY_COMPARE(title(), u"Changes to #1 endless"_s);
        QCOMPARE(find<QSpinBox>(u"devices.concurrent"_s)->value(), 5);
    }

    void startedSweepIsEditedNext()
    {
        openWindow();
        activate();
        m_window->openFile(
            m_engine->writeSweep(u"mine"_s, {tests::WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s}, 2));
        QCOMPARE(title(), u"New sweep from mine.toml"_s);
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>(u"start"_s)->isEnabled(), patience);
        clickButton(u"start"_s);
        QVERIFY(waitForState(1, sweep::SweepState::Completed));
        clickTab(MainWindow::Page::Sweep);
        QTRY_COMPARE(title(), u"#1 mine"_s);

        // A sweep that has ended runs again with the added trials.
        typeValues(u"1, 2, 3"_s);
        QTRY_VERIFY(canApply());
        clickButton(u"apply"_s);
        QTRY_VERIFY_WITH_TIMEOUT(question(), patience);
        QVERIFY(question()->informativeText().contains(u"1 trial added."_s));
        clickButton(u"confirmEditButton"_s);
        QTRY_VERIFY_WITH_TIMEOUT(state(3) == TrialState::Completed, patience);
        QVERIFY(waitForState(1, sweep::SweepState::Completed));
        QCOMPARE(client().sweeps().size(), std::size_t(1));

        // If the sweep is deleted, the typed changes stay as a new one.
        typeValues(u"1, 2"_s);
        QCOMPARE(title(), u"Changes to #1 mine"_s);
        sweep::Control deletion;
        deletion.action = sweep::Control::Action::Delete;
        client().control(1, deletion);
        QTRY_VERIFY_WITH_TIMEOUT(!client().sweep(1), patience);
        clickTab(MainWindow::Page::Sweep);
        QTRY_COMPARE(title(), u"New sweep from mine.toml (changed)"_s);
        QVERIFY(find<QPushButton>(u"apply"_s)->isHidden());
        QVERIFY(find<QPushButton>(u"start"_s)->isEnabled());
    }

    void readOnlyWindowChangesNothing()
    {
        editTheRunningSweep();
        typeConcurrent(2);
        QTRY_VERIFY(canApply());
        find<QAction>(u"readOnlyAction"_s)->trigger();
        QVERIFY(!canApply());
        QVERIFY(find<QPushButton>(u"apply"_s)->toolTip().contains(u"read-only"_s));
        QVERIFY(!find<QAction>(u"editAction"_s)->isEnabled() && !find<QAction>(u"undoEditAction"_s)->isEnabled());
        find<QAction>(u"readOnlyAction"_s)->trigger();
        QTRY_VERIFY(canApply());
    }
};

SWEEPSCOPE_TEST(SweepEditingTest)
#include "tst_sweepediting.moc"
