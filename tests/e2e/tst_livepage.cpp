#include "e2e/workspaceengine.h"
#include "ui/live/runningtrialsmodel.h"
#include "ui/live/trialtiles.h"
#include "ui/mainwindow.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QSpinBox>
#include <QTest>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

namespace {

constexpr int patience = 60'000;

}  // namespace

/// The page Live on a real engine with trials that run beside each other.
class LivePageTest : public QObject {
    Q_OBJECT

    std::unique_ptr<ui::Theme> m_theme;
    std::unique_ptr<WorkspaceEngine> m_engine;
    std::unique_ptr<MainWindow> m_window;

    /// Trials that report until they are told to stop, so many at a time.
    qint64 launch(int trials, int concurrent)
    {
        const QString path = m_engine->writeSweep(
            u"endless"_s, {WorkspaceEngine::clientProgram(u"reportspoints"_s), u"{n}"_s, u"until-stop"_s}, trials);
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return 0;
        const QString toml = QString::fromUtf8(file.readAll())
                                 .replace(u"concurrent = 1"_s, u"concurrent = %1\ncpu_slots = 8"_s.arg(concurrent));
        m_engine->client().launchSweep(toml, m_engine->path(u"."_s));
        return QTest::qWaitFor([this] { return !m_engine->client().sweeps().empty(); }, patience)
                   ? m_engine->client().sweeps().front().id
                   : 0;
    }
    int shownNumber() const
    {
        return m_window->findChild<QWidget *>(u"livePage"_s)->findChild<QSpinBox *>(u"trialNumber"_s)->value();
    }

private Q_SLOTS:
    void initTestCase() { m_theme = std::make_unique<ui::Theme>(qApp); }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
        m_engine = std::make_unique<WorkspaceEngine>();
        QVERIFY2(m_engine->connect(), qPrintable(m_engine->client().errorText()));
        m_window = std::make_unique<MainWindow>(&m_engine->client(), m_theme.get(), &m_engine->settings());
        m_window->begin({});
        m_window->show();
    }
    void cleanup()
    {
        if (m_window)
            m_window->hide();
        m_window.reset();
        m_engine.reset();
    }

    void runningTrialsAreTilesAndOneIsChosen()
    {
        auto *tiles = m_window->findChild<ui::TrialTiles *>(u"trialTiles"_s);
        m_window->showPage(MainWindow::Page::Live);
        QVERIFY(!tiles->isVisible());
        const qint64 sweepId = launch(3, 2);
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
        m_engine->client().control(sweepId, stop);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->trialsModel()->rowOf({sweepId, 1}) < 0, patience);
        QTRY_VERIFY_WITH_TIMEOUT(tiles->trialsModel()->rowOf({sweepId, 3}) >= 0, patience);
        QCOMPARE(shownNumber(), 2);
        m_engine->client().stopSweep(sweepId);
        QTRY_VERIFY_WITH_TIMEOUT(!tiles->isVisible(), patience);
        QCOMPARE(shownNumber(), 2);
    }
};

QTEST_MAIN(LivePageTest)
#include "tst_livepage.moc"
