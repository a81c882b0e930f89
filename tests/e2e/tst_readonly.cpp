#include "testprogram.h"

#include "e2e/windowonengine.h"
#include "ui/models/trialrows.h"
#include "ui/trials/trialtable.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using ui::MainWindow;

/// A read-only window while a real engine runs a sweep.
class ReadOnlyTest : public QObject, private tests::WindowOnEngine {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QVERIFY2(startEngine(), qPrintable(client().errorText()));
        QVERIFY(launch(u"points"_s, {u"reportspoints"_s, u"{n}"_s, u"until-stop"_s}, 2) != 0);
        QTRY_VERIFY_WITH_TIMEOUT(!client().trials(client().sweeps()[0].id).empty()
                                     && client().trials(client().sweeps()[0].id)[0].state == sweep::TrialState::Running,
                                 patience);
        openWindow();
        m_window->selection().selectSweep(client().sweeps()[0].id);
    }
    void cleanup()
    {
        client().setReadOnly(false);
        closeAll();
    }

    void nothingCanBeStartedStoppedOrEdited()
    {
        QTRY_VERIFY(find<QAction>(u"stopAction"_s)->isEnabled());
        find<QAction>(u"readOnlyAction"_s)->trigger();
        QVERIFY(client().isReadOnly());
        QVERIFY(m_window->windowTitle().contains(u"read-only"_s));
        QVERIFY(find<QWidget>(u"engineState"_s)->accessibleName().contains(u"Read-only"_s));
        QVERIFY(!find<QAction>(u"stopAction"_s)->isEnabled());
        QVERIFY(!find<QAction>(u"startAction"_s)->isEnabled());
        QVERIFY(!find<QPushButton>(u"newSweepButton"_s)->isEnabled());
        QCOMPARE(find<QPushButton>(u"newSweepButton"_s)->toolTip(), u"This window is read-only"_s);
        QVERIFY(!find<QAction>(u"new"_s)->isEnabled());
        QVERIFY(!find<QPushButton>(u"start"_s)->isEnabled());
        // The definition of the sweep can be viewed but not edited.
        auto *nameField = find<QLineEdit>(u"sweep.name"_s);
        const QString before = nameField->text();
        m_window->showPage(MainWindow::Page::Sweep);
        QTest::mouseClick(nameField, Qt::LeftButton);
        QTest::keyClicks(nameField, u"other"_s);
        QCOMPARE(nameField->text(), before);
        QVERIFY(!nameField->isEnabled() && !find<QAbstractItemView>(u"space.table"_s)->isEnabled());
        m_window->showPage(MainWindow::Page::Trial);
        for (const QString &name : {u"trialNote"_s, u"trialClone"_s, u"trialRetry"_s, u"trialStop"_s, u"trialTrace"_s})
            QVERIFY2(!find<QPushButton>(name)->isEnabled(), qPrintable(name));

        m_window->showPage(MainWindow::Page::Trials);
        auto *table = m_window->findChild<ui::TrialTable *>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        table->setCurrentTrial(1);
        Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(0, 0)).center());
        QTRY_VERIFY(find<QMenu>(u"trialMenu"_s));
        for (const QString &name : {u"starTrials"_s, u"markTrials"_s, u"pauseTrials"_s, u"resumeTrials"_s,
                                    u"prioritizeTrials"_s, u"retryTrials"_s, u"traceTrials"_s, u"stopTrials"_s})
            QVERIFY2(!find<QAction>(name)->isEnabled(), qPrintable(name));
        find<QMenu>(u"trialMenu"_s)->close();
        QVERIFY(find<QAction>(u"exportAction"_s)->isEnabled());

        // The connection to the engine refuses every change, whichever part of the window requests it.
        QSignalSpy failed(&client(), &protocol::EngineClient::requestFailed);
        client().stopSweep(client().sweeps()[0].id);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][1].value<facts::Fact>().code == facts::Code::WindowIsReadOnly);
        QVERIFY(client().sweeps()[0].state == sweep::SweepState::Running);

        m_window->close();  // without a question, because it could not stop anything
        QVERIFY(!m_window->isVisible());
    }

    void withoutAnEngineFilesAreRead()
    {
        const qint64 sweepId = client().sweeps()[0].id;
        m_window->showPage(MainWindow::Page::Devices);
        auto *state = find<QLabel>(u"devicesState"_s);
        QTRY_VERIFY_WITH_TIMEOUT(state->text().startsWith(u"Updated every second"_s),
                                 patience);  // the engine has read them
        client().stopSweep(sweepId);
        QVERIFY(waitForState(sweepId, sweep::SweepState::Stopped));
        client().setReadOnly(true);
        m_engine->startReader();
        client().connectToWorkspace(m_engine->path(u"workspace"_s), true);
        QTRY_VERIFY_WITH_TIMEOUT(client().isReading() && client().sweep(sweepId), patience);
        m_window->selection().selectSweep(sweepId);

        QTRY_VERIFY_WITH_TIMEOUT(state->text().contains(u"no engine is running"_s), patience);
        QVERIFY(state->isVisible() && find<QWidget>(u"deviceCards"_s)->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(find<QLabel>(u"coresUse"_s)->text(), u"Unknown"_s, patience);
        m_window->showPage(MainWindow::Page::Findings);
        QTRY_VERIFY_WITH_TIMEOUT(find<QLabel>(u"findingsProgress"_s)->text().endsWith(u"checked"_s), patience);
        m_window->showPage(MainWindow::Page::Trials);
        QTRY_COMPARE(m_window->findChild<ui::TrialTable *>()->model()->rowCount(), 2);
        find<QAction>(u"exportAction"_s)->trigger();
        find<QLineEdit>(u"exportFolder"_s)->setText(m_engine->path(u"."_s));
        QTest::mouseClick(find<QPushButton>(u"exportButton"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(m_engine->path(u"0001-points-trials.csv"_s)), patience);
        client().connectToWorkspace(m_engine->path(u"workspace"_s), false);  // and looks for no engine at the end
    }

    void leavingReadOnlyModeRestoresEverything()
    {
        QTRY_VERIFY(find<QAction>(u"stopAction"_s)->isEnabled());
        find<QAction>(u"readOnlyAction"_s)->trigger();
        QVERIFY(!find<QAction>(u"stopAction"_s)->isEnabled());
        find<QAction>(u"readOnlyAction"_s)->trigger();
        QVERIFY(find<QAction>(u"stopAction"_s)->isEnabled());
        QVERIFY(find<QLineEdit>(u"sweep.name"_s)->isEnabled());
        QVERIFY(find<QPushButton>(u"newSweepButton"_s)->isEnabled() && find<QAction>(u"new"_s)->isEnabled());
        QVERIFY(!m_window->windowTitle().contains(u"read-only"_s));
        client().stopSweep(client().sweeps()[0].id);
        QTRY_VERIFY_WITH_TIMEOUT(client().sweeps()[0].state == sweep::SweepState::Stopped, patience);
    }
};

SWEEPSCOPE_TEST(ReadOnlyTest)
#include "tst_readonly.moc"
