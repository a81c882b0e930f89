#include "e2e/workspaceengine.h"
#include "ui/mainwindow.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

using namespace sweepscope;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

namespace {

constexpr int patience = 60'000;

QString writeFile(const QString &path, const QString &content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content.toUtf8()) < 0)
        qFatal("cannot write %s", qUtf8Printable(path));
    return path;
}

QString textOf(const MainWindow &window, const QString &name)
{
    const auto *label = window.findChild<QLabel *>(name);
    return label ? label->text() : QString();
}

}  // namespace

/// The Devices page on an engine with simulated GPUs.
class DevicesPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void runningTrialIsSeenOnItsGpu()
    {
        QTemporaryDir folder;
        qputenv("SWEEPSCOPE_NVML", SWEEPSCOPE_TEST_BIN_DIR "/clients/libfakenvml.so");
        qputenv("SWEEPSCOPE_LEASE_FOLDER", folder.filePath(u"leases"_s).toUtf8());
        qputenv("FAKE_NVML_SCRIPT", writeFile(folder.filePath(u"gpus.json"_s),
                                              u"{\"gpus\": [{\"uuid\": \"GPU-a\", \"name\": \"Pretend\", \"bus\": "
                                              "\"00000000:3B:00.0\", \"memory\": 137438953472, \"utilization\": 42, "
                                              "\"temperature\": 61, \"throttle_reasons\": 64}]}"_s)
                                        .toUtf8());
        WorkspaceEngine engine;
        QVERIFY2(engine.connect(), qPrintable(engine.client().errorText()));
        ui::Theme theme(qApp);
        MainWindow window(&engine.client(), &theme, &engine.settings());
        window.begin({});
        window.show();
        window.findChild<QAction *>(u"showDevicesPageAction"_s)->trigger();
        QTRY_COMPARE(textOf(window, u"deviceTitle"_s), u"GPU 0"_s);
        // No sweep runs, but somebody looks.
        QTRY_COMPARE_WITH_TIMEOUT(textOf(window, u"utilization"_s), u"42 %"_s, patience);
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"devicesState"_s).startsWith(u"Live"_s), patience);
        QCOMPARE(textOf(window, u"power"_s), u"not known"_s);
        // Nobody is on it: the next thing that keys can do is its menu.
        window.activateWindow();
        auto *cards = window.findChild<QWidget *>(u"deviceCards"_s);
        cards->setFocus();
        QTRY_VERIFY(cards->hasFocus());
        QTest::keyClick(cards, Qt::Key_Tab);
        auto *menu = qobject_cast<QToolButton *>(QApplication::focusWidget());
        QVERIFY(menu && cards->isAncestorOf(menu) && menu->menu());

        const QString toml =
            u"[sweep]\nname = \"held\"\nobjective = \"loss\"\ngoal = \"minimize\"\n[search]\nmethod = "
            "\"grid\"\n[space]\nn = [1]\n[run]\ncommand = [\"%1\", \"{n}\", \"until-stop\"]\nranks = 1\n"
            "[devices]\nkind = \"gpu\"\n"_s.arg(WorkspaceEngine::clientProgram(u"reportspoints"_s));
        engine.client().launchSweep(toml, folder.path());
        QTRY_COMPARE_WITH_TIMEOUT(engine.client().sweeps().size(), std::size_t(1), patience);
        window.findChild<QAction *>(u"showDevicesPageAction"_s)->trigger();  // the first sweep has taken it away
        QTRY_COMPARE_WITH_TIMEOUT(textOf(window, u"utilization"_s), u"42 %"_s, patience);
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"devicesState"_s).startsWith(u"Live"_s), patience);
        QTRY_COMPARE(textOf(window, u"temperature"_s), u"61 °C"_s);
        QCOMPARE(textOf(window, u"power"_s), u"not known"_s);
        QTRY_COMPARE(textOf(window, u"throttle"_s), u"hardware thermal slowdown"_s);
        QVERIFY(window.findChild<QLabel *>(u"simulated"_s)->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"holders"_s).contains(u"held trial 1"_s), patience);

        // From the GPU to what runs on it.
        auto *holders = window.findChild<QLabel *>(u"holders"_s);
        QTRY_VERIFY(holders->width() > 20);
        QTest::mouseClick(holders, Qt::LeftButton, {}, QPoint(12, holders->fontMetrics().height() / 2));
        const auto *pages = window.findChild<QTabWidget *>(u"pages"_s);
        QTRY_COMPARE(pages->currentIndex(), static_cast<int>(MainWindow::Page::Trial));
        QTRY_COMPARE(window.shownSweep(), engine.client().sweeps().front().id);
    }
};

QTEST_MAIN(DevicesPageTest)
#include "tst_devicespage.moc"
