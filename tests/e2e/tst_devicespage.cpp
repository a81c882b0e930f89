#include "testprogram.h"

#include "clients/fakenvml/fakedriver.h"
#include "e2e/windowonengine.h"
#include "ui/base/noticebanner.h"
#include "ui/models/trialrows.h"
#include "ui/models/trialtablemodel.h"
#include "ui/shell/mainwindow.h"
#include "ui/theme/theme.h"
#include "ui/trials/trialtable.h"
#include "wording/sentence.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

using namespace sweepscope;
using namespace sweepscope::tests;
using namespace Qt::StringLiterals;
using tests::WorkspaceEngine;
using ui::MainWindow;

/// The Devices page on an engine with simulated GPUs.
class DevicesPageTest : public QObject, private WindowOnEngine {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeDriver> m_driver;

    void startWith(const std::string &gpus)
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("SWEEPSCOPE_LEASE_FOLDER", m_folder->filePath(u"leases"_s).toUtf8());
        m_driver = std::make_unique<FakeDriver>(gpus);
        QVERIFY2(startEngine(), qPrintable(client().errorText()));
    }

private Q_SLOTS:
    void cleanup()
    {
        closeAll();
        m_driver.reset();
    }

    void runningTrialIsShownOnItsGpu()
    {
        startWith("{\"gpus\": [{\"uuid\": \"GPU-a\", \"name\": \"Pretend\", \"bus\": "
                  "\"00000000:3B:00.0\", \"memory\": 137438953472, \"utilization\": 42, "
                  "\"temperature\": 61, \"throttle_reasons\": 64}]}");
        openWindow();
        MainWindow &window = *m_window;
        window.findChild<QAction *>(u"showDevicesPageAction"_s)->trigger();
        QTRY_COMPARE(textOf(window, u"deviceTitle"_s), u"GPU 0"_s);
        // No sweep runs, but the page is shown.
        QTRY_COMPARE_WITH_TIMEOUT(textOf(window, u"utilization"_s), u"42%"_s, patience);
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"devicesState"_s).startsWith(u"Updated every second"_s), patience);
        QCOMPARE(textOf(window, u"power"_s), u"unknown"_s);
        // No trial uses it: the next widget by keyboard is its menu.
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
        client().launchSweep(toml, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(client().sweeps().size(), std::size_t(1), patience);
        window.findChild<QAction *>(u"showDevicesPageAction"_s)->trigger();  // opening the first sweep left the page
        QTRY_COMPARE_WITH_TIMEOUT(textOf(window, u"utilization"_s), u"42%"_s, patience);
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"devicesState"_s).startsWith(u"Updated every second"_s), patience);
        QTRY_COMPARE(textOf(window, u"temperature"_s), u"61 °C"_s);
        QCOMPARE(textOf(window, u"power"_s), u"unknown"_s);
        QTRY_COMPARE(textOf(window, u"throttle"_s), u"hardware thermal slowdown"_s);
        QVERIFY(window.findChild<QLabel *>(u"simulated"_s)->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"holders"_s).contains(u"held trial 1"_s), patience);

        // What the machine has besides, and what the ranks of the trial use.
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"hostMemory"_s).contains(u"GiB"_s), patience);
        QVERIFY(textOf(window, u"hostDisk"_s).contains(u"free"_s));
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"hostReceived"_s).endsWith(u"/s"_s), patience);
        const auto *ranks = window.findChild<QTableView *>(u"ranksTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(ranks->isVisible() && ranks->model()->rowCount() == 1, patience);
        QCOMPARE(ranks->model()->index(0, 0).data().toString(), u"held trial 1"_s);
        QTRY_VERIFY_WITH_TIMEOUT(ranks->model()->index(0, 3).data().toString().contains(u"iB"_s), patience);

        // From the GPU to the trial on it.
        auto *holders = window.findChild<QLabel *>(u"holders"_s);
        QTRY_VERIFY(holders->width() > 20);
        QTest::mouseClick(holders, Qt::LeftButton, {}, QPoint(12, holders->fontMetrics().height() / 2));
        const auto *pages = window.findChild<QStackedWidget *>(u"pages"_s);
        QTRY_COMPARE(pages->currentIndex(), static_cast<int>(MainWindow::Page::Trial));
        QTRY_COMPARE(window.selection().current().sweepId, client().sweeps().front().id);
    }

    void energyOfATrialIsShownWhenItHasEnded()
    {
        startWith(R"({"gpus": [{"uuid": "GPU-a", "name": "Pretend", "memory": 137438953472, "power": 360}]})");
        openWindow();
        MainWindow &window = *m_window;
        const QString toml = u"[sweep]\nname = \"metered\"\nobjective = \"loss\"\n[space]\nn = [1]\n[run]\ncommand = "
                             "[\"%1\", \"{n}\", \"until-stop\"]\n[devices]\nkind = \"gpu\"\n"_s.arg(
                                 WorkspaceEngine::clientProgram(u"reportspoints"_s));
        client().launchSweep(toml, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(client().sweeps().size(), std::size_t(1), patience);
        const qint64 sweep = client().sweeps().front().id;
        window.selection().selectTrial(sweep, 1);
        window.findChild<QAction *>(u"showDevicesPageAction"_s)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"power"_s).startsWith(u"360"), patience);
        const auto trial = [&] { return client().trials(sweep).front(); };
        QTRY_VERIFY_WITH_TIMEOUT(trial().state == sweep::TrialState::Running, patience);
        QTRY_VERIFY_WITH_TIMEOUT(wallNow() - trial().attemptStarted.value() > 3'000'000'000, patience);
        window.showPage(MainWindow::Page::Trials);
        QTRY_VERIFY(textOf(window, u"stripTime"_s).contains(u"elapsed"_s));
        QVERIFY(!textOf(window, u"stripTime"_s).contains(u"Wh"_s));
        sweep::Control stop;
        stop.action = sweep::Control::Action::Stop;
        client().control(sweep, stop);
        QTRY_VERIFY_WITH_TIMEOUT(textOf(window, u"stripTime"_s).contains(u"Wh"_s), patience);

        // 360 W are 0.1 Wh each second.
        auto *table = window.findChild<ui::TrialTable *>();
        auto *rows = static_cast<ui::TrialRows *>(table->model());
        const auto *model = static_cast<ui::TrialTableModel *>(rows->sourceModel());
        const int column = model->section(ui::TrialColumn::Energy);
        QVERIFY(table->isColumnHidden(column));
        const double seconds = static_cast<double>(*trial().attemptEnded - *trial().attemptStarted) / 1e9;
        QTRY_VERIFY_WITH_TIMEOUT(model->rawValue(0, column).isValid(), patience);
        const double kilowattHours = model->rawValue(0, column).toDouble();
        QVERIFY2(std::abs(kilowattHours / (seconds * 1e-4) - 1) < 0.01, qPrintable(QString::number(kilowattHours)));
        window.showPage(MainWindow::Page::Trial);
        QTRY_VERIFY_WITH_TIMEOUT(
            textOf(window, u"attemptEnergy"_s).endsWith(u"Wh, integrated from power readings of the GPUs"_s), patience);
    }

    void viewOfManyGpusIsRemembered()
    {
        std::string gpus;
        for (char letter = 'a'; letter <= 'h'; ++letter)
            gpus += std::string(gpus.empty() ? "" : ", ") + "{\"uuid\": \"GPU-" + letter
                    + "\", \"name\": \"Pretend\", \"memory\": 137438953472, \"utilization\": 42"
                    + (letter == 'h' ? ", \"xids\": [79]}" : "}");
        startWith("{\"gpus\": [" + gpus + "]}");
        const auto button = [](const MainWindow &window, const QString &name) {
            return window.findChild<QToolButton *>(name);
        };
        const auto begin = [](MainWindow &window) {
            window.begin({});
            window.show();
            window.findChild<QAction *>(u"showDevicesPageAction"_s)->trigger();
        };
        {
            MainWindow window(&client(), m_theme.get(), &m_engine->settings());
            window.resize(1280, 800);
            begin(window);
            auto *table = window.findChild<QTableView *>(u"deviceTable"_s);
            QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), patience);  // more GPUs than fit as cards
            QVERIFY(button(window, u"showOverview"_s)->isChecked());
            QTRY_COMPARE_WITH_TIMEOUT(table->model()->index(7, 1).data().toString(), u"42%"_s, patience);
            QTest::mouseClick(button(window, u"showCards"_s), Qt::LeftButton);
            QTRY_VERIFY(!table->isVisible());
        }
        {
            MainWindow window(&client(), m_theme.get(), &m_engine->settings());
            window.resize(1280, 800);
            begin(window);
            QTRY_VERIFY_WITH_TIMEOUT(button(window, u"showCards"_s)->isVisible(), patience);
            QVERIFY(button(window, u"showCards"_s)->isChecked());
            QVERIFY(!window.findChild<QTableView *>(u"deviceTable"_s)->isVisible());
            // The card shows the problem, and the note leads there.
            auto *note = window.findChild<ui::NoticeBanner *>(u"devicesNote"_s);
            QTRY_COMPARE_WITH_TIMEOUT(note->text(), u"GPU 7 needs attention"_s, patience);
            auto *show = note->findChild<QPushButton *>(u"noticeAction"_s);
            QTRY_VERIFY(!show->visibleRegion().isEmpty());
            QTest::mouseClick(show, Qt::LeftButton);
            const QWidget *menu = window.focusWidget();
            QVERIFY(menu);
            QCOMPARE(menu->parentWidget()->accessibleName(), u"GPU 7"_s);
            QTRY_VERIFY(!menu->visibleRegion().isEmpty());
            button(window, u"showOverview"_s)->click();
        }
        MainWindow window(&client(), m_theme.get(), &m_engine->settings());
        begin(window);
        QTRY_VERIFY_WITH_TIMEOUT(window.findChild<QTableView *>(u"deviceTable"_s)->isVisible(), patience);
    }

    void gpuIsExcludedFromTheRunningSweepAndIncludedAgain()
    {
        startWith("{\"gpus\": [{\"uuid\": \"GPU-a\", \"name\": \"Pretend\", \"memory\": 137438953472}, "
                  "{\"uuid\": \"GPU-b\", \"name\": \"Pretend\", \"memory\": 137438953472}]}");
        openWindow();
        MainWindow &window = *m_window;
        const QString toml =
            u"[sweep]\nname = \"held\"\nobjective = \"loss\"\ngoal = \"minimize\"\n[search]\nmethod = "
            "\"grid\"\n[space]\nn = [1, 2]\n[run]\ncommand = [\"%1\", \"{n}\", \"until-stop\"]\nranks = 1\n"
            "[devices]\nkind = \"gpu\"  # there are two\nconcurrent = 2\npin = [\"GPU-a\"]\n"_s.arg(
                WorkspaceEngine::clientProgram(u"reportspoints"_s));
        client().launchSweep(toml, m_folder->path());
        QTRY_COMPARE_WITH_TIMEOUT(window.selection().current().sweepId, qint64(1), patience);
        window.findChild<QAction *>(u"showDevicesPageAction"_s)->trigger();
        const auto definition = [this] { return QString::fromStdString(client().sweep(1)->toml); };
        const auto card = [&window](const QString &title) -> QWidget * {
            for (QLabel *label : window.findChildren<QLabel *>(u"deviceTitle"_s)) {
                if (label->text() == title)
                    return label->parentWidget();
            }
            return nullptr;
        };
        const auto rule = [&card](const QString &title) {
            return card(title) ? card(title)->findChild<QLabel *>(u"deviceRule"_s)->text() : QString();
        };
        const auto choose = [&](const QString &title, const QString &action) {
            card(title)->findChild<QAction *>(action)->trigger();
            QPointer<QPushButton> agree;
            QVERIFY(QTest::qWaitFor(
                [&] { return (agree = window.findChild<QPushButton *>(u"confirmGpuListButton"_s)) != nullptr; },
                patience));
            auto *question = qobject_cast<QMessageBox *>(agree->window());
            const std::string applied = wording::sentence(facts::Code::DefinitionApplied);
            QVERIFY2(question->informativeText().contains(QString::fromStdString(applied)),
                     qPrintable(question->informativeText()));
            QTest::mouseClick(agree, Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(!agree, patience);
        };
        QTRY_COMPARE_WITH_TIMEOUT(rule(u"GPU 0"_s), u"Pinned by held"_s, patience);
        QCOMPARE(rule(u"GPU 1"_s), u"Not used by held, which pins other GPUs"_s);
        const facts::Facts obstacles{facts::Fact(facts::Code::DevicesInUse).with(facts::Field::Count, 1),
                                     facts::Fact(facts::Code::GpusNotPinned).with(facts::Field::Count, 1)};
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(client().trials(1),
                                                     [&obstacles](const sweep::TrialRecord &trial) {
                                                         return trial.state == sweep::TrialState::Queued
                                                                && trial.reason.because == obstacles;
                                                     }),
                                 patience);

        // Declining the question changes nothing.
        const QString before = definition();
        card(u"GPU 0"_s)->findChild<QAction *>(u"pin"_s)->trigger();
        QMessageBox *question = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((question = window.findChild<QMessageBox *>(u"gpuListDialog"_s)) != nullptr, patience);
        question->reject();
        QTRY_VERIFY(window.findChild<QMessageBox *>(u"gpuListDialog"_s) == nullptr);
        QCOMPARE(definition(), before);

        choose(u"GPU 0"_s, u"pin"_s);
        QTRY_COMPARE_WITH_TIMEOUT(rule(u"GPU 1"_s), QString(), patience);  // nothing is pinned any more
        // So the second trial has the other GPU.
        QTRY_VERIFY_WITH_TIMEOUT(
            card(u"GPU 1"_s)->findChild<QLabel *>(u"holders"_s)->text().contains(u"held trial 2"_s), patience);
        choose(u"GPU 1"_s, u"exclude"_s);
        QTRY_COMPARE_WITH_TIMEOUT(rule(u"GPU 1"_s), u"Excluded by held"_s, patience);
        QVERIFY2(definition().contains(u"exclude = [\"GPU-b\"]"_s), qPrintable(definition()));
        QVERIFY2(definition().contains(u"# there are two"_s), qPrintable(definition()));

        auto *notice = window.findChild<QWidget *>(u"gpuListNotice"_s);
        auto *undo = notice->findChild<QPushButton *>(u"noticeAction"_s);
        QTRY_VERIFY_WITH_TIMEOUT(undo->isVisible(), patience);
        QTest::mouseClick(undo, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(rule(u"GPU 1"_s), QString(), patience);
        QVERIFY2(!definition().contains(u"exclude"_s), qPrintable(definition()));
        QTRY_VERIFY_WITH_TIMEOUT(!undo->isVisible(), patience);

        // Several at once.
        auto *button = window.findChild<QPushButton *>(u"chooseGpusButton"_s);
        QCOMPARE(button->text(), u"GPUs for held…"_s);
        QTest::mouseClick(button, Qt::LeftButton);
        const auto box = [&window](int gpu) { return window.findChild<QCheckBox *>(u"gpuChoice%1"_s.arg(gpu)); };
        QTRY_VERIFY(box(0));
        QVERIFY(box(0)->isChecked() && box(1)->isChecked());
        auto *next = window.findChild<QPushButton *>(u"gpuChoiceOk"_s);
        box(0)->click();
        box(1)->click();
        QVERIFY(!next->isEnabled());
        QCOMPARE(window.findChild<QLabel *>(u"gpuChoiceWhy"_s)->text(), u"Select at least one GPU."_s);
        QVERIFY2(box(0)->text().endsWith(u" · Free"_s) || box(0)->text().contains(u"held trial"_s),
                 qPrintable(box(0)->text()));
        box(1)->click();
        next->click();
        QPushButton *agree = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((agree = window.findChild<QPushButton *>(u"confirmGpuListButton"_s)) != nullptr,
                                 patience);
        QCOMPARE(qobject_cast<QMessageBox *>(agree->window())->text(), u"Allow held to use only GPU 1?"_s);
        QTest::mouseClick(agree, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(rule(u"GPU 1"_s), u"Pinned by held"_s, patience);
        QVERIFY2(definition().contains(u"pin = [\"GPU-b\"]"_s), qPrintable(definition()));
    }
};

SWEEPSCOPE_TEST(DevicesPageTest)
#include "tst_devicespage.moc"
