#include "e2e/workspaceengine.h"
#include "ui/mainwindow.h"
#include "ui/models/trialrows.h"
#include "ui/theme/theme.h"
#include "ui/trials/trialtable.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

namespace {

constexpr int patience = 30'000;

}  // namespace

/// A window that looks on while a real engine runs a sweep.
class ReadOnlyTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<WorkspaceEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;

    template <typename Widget>
    Widget *find(const QString &name) const
    {
        return m_window->findChild<Widget *>(name);
    }
    client::EngineClient &client() const { return m_engine->client(); }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_engine = std::make_unique<WorkspaceEngine>();
        QVERIFY2(m_engine->connect(), qPrintable(client().errorText()));
        QFile file(m_engine->writeSweep(
            u"points"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, 2));
        QVERIFY(file.open(QIODevice::ReadOnly));
        client().launchSweep(QString::fromUtf8(file.readAll()), m_engine->path({}));
        QTRY_VERIFY_WITH_TIMEOUT(!client().sweeps().empty() && !client().trials(client().sweeps()[0].id).empty()
                                     && client().trials(client().sweeps()[0].id)[0].state == sweep::TrialState::Running,
                                 patience);
        m_window = std::make_unique<MainWindow>(&client(), m_theme.get(), &m_engine->settings());
        m_window->begin({});
        m_window->show();
        m_window->showSweep(client().sweeps()[0].id);
    }
    void cleanup()
    {
        client().setReadOnly(false);
        m_window.reset();
        m_engine.reset();
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
        QVERIFY(!find<QPushButton>(u"start"_s)->isEnabled());
        for (const QString &name : {u"trialNote"_s, u"trialClone"_s, u"trialRetry"_s, u"trialStop"_s})
            QVERIFY2(!find<QPushButton>(name)->isEnabled(), qPrintable(name));

        m_window->showPage(MainWindow::Page::Trials);
        auto *table = m_window->findChild<ui::TrialTable *>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        table->selectTrial(1);
        Q_EMIT table->customContextMenuRequested(table->visualRect(table->model()->index(0, 0)).center());
        QTRY_VERIFY(find<QMenu>(u"trialMenu"_s));
        for (const QString &name : {u"starTrials"_s, u"markTrials"_s, u"pauseTrials"_s, u"resumeTrials"_s,
                                    u"prioritizeTrials"_s, u"retryTrials"_s, u"stopTrials"_s})
            QVERIFY2(!find<QAction>(name)->isEnabled(), qPrintable(name));
        find<QMenu>(u"trialMenu"_s)->close();
        QVERIFY(find<QAction>(u"exportAction"_s)->isEnabled());

        // Whatever part of the window asks all the same: the line to the engine refuses.
        QSignalSpy failed(&client(), &client::EngineClient::requestFailed);
        client().stopSweep(client().sweeps()[0].id);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][1].toString().contains(u"read-only"_s));
        QVERIFY(client().sweeps()[0].state == sweep::SweepState::Running);

        m_window->close();  // asks nothing: it could stop nothing
        QVERIFY(!m_window->isVisible());
    }

    void switchedOffAllIsAsBefore()
    {
        QTRY_VERIFY(find<QAction>(u"stopAction"_s)->isEnabled());
        find<QAction>(u"readOnlyAction"_s)->trigger();
        QVERIFY(!find<QAction>(u"stopAction"_s)->isEnabled());
        find<QAction>(u"readOnlyAction"_s)->trigger();
        QVERIFY(find<QAction>(u"stopAction"_s)->isEnabled());
        QVERIFY(!m_window->windowTitle().contains(u"read-only"_s));
        client().stopSweep(client().sweeps()[0].id);
        QTRY_VERIFY_WITH_TIMEOUT(client().sweeps()[0].state == sweep::SweepState::Stopped, patience);
    }
};

QTEST_MAIN(ReadOnlyTest)
#include "tst_readonly.moc"
