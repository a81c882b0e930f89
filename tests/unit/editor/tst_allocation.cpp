#include "testprogram.h"

// The preview of the allocation in the editor, and the fields that affect it.
#include "sweep/sweepfile.h"
#include "ui/editor/allocationplanner.h"
#include "ui/editor/noticebar.h"
#include "unit/editor/editordriver.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSemaphore>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QToolButton>

#include <atomic>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

/// Connected in pairs: 0 with 2, 1 with 3.
schedule::MachineNow machineWith(int gpus)
{
    schedule::MachineNow machine;
    for (int i = 0; i < gpus; ++i)
        machine.devices.push_back({"GPU-" + std::to_string(i), device::Kind::Gpu, i, "H200", 1000});
    if (gpus == 4) {
        machine.topology.set("GPU-0", "GPU-2", {device::GpuPath::NvLink, 4});
        machine.topology.set("GPU-1", "GPU-3", {device::GpuPath::NvLink, 4});
    }
    return machine;
}

const QByteArray twoRanksOnGpus =
    "[sweep]\nname = \"planned\"\nobjective = \"loss\"\n[space]\nn = { int = [1, 5] }\n[run]\ncommand = "
    "[\"true\", \"{n}\"]\nranks = 2\n[devices]\nkind = \"gpu\"\nconcurrent = 3\n";

/// An editor with a simulated machine.
struct Desk {
    explicit Desk(int gpus, const QByteArray &toml = twoRanksOnGpus)
    {
        driver.editor().planner()->setMachineReader([gpus] { return machineWith(gpus); });
        sweep::Capacity capacity{gpus, 8, {}};
        driver.editor().setMachine(capacity, u"A machine of the test."_s);
        if (!toml.isEmpty())
            driver.editor().setSweep(sweep::parseSweep(toml.toStdString()).spec, QDir::tempPath(), {});
    }
    QString head() const { return driver.find<QLabel>(u"allocation.head"_s)->text(); }
    QString more() const { return driver.find<QLabel>(u"allocation.more"_s)->text(); }
    QTableView *table() const { return driver.find<QTableView>(u"allocation.table"_s); }
    QString cell(int row, const QString &title) const
    {
        const QAbstractItemModel *model = table()->model();
        for (int column = 0; column < model->columnCount(); ++column)
            if (model->headerData(column, Qt::Horizontal).toString() == title)
                return model->index(row, column).data().toString();
        return u"no such column"_s;
    }

    EditorDriver driver;
};

}  // namespace

class TestAllocation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stripOpensThePreview();
    void init();
    void eachTrialHasItsDevicesAndHowTheyAreConnected();
    void previewFollowsTheForm();
    void durationComesFromEarlierTrials();
    void runningSweepKeepsItsDevicesAndOnlyTheRestIsPlanned();
    void previewOfAnEditIsTheEnginesPlan();
    void endedSweepIsPlannedAsIfStartedAgain();
    void planOfAnotherSweepIsForgotten();
    void impossibleSweepNamesItsNeeds();
    void waitingSweepNamesTheHolders();
    void hangingDriverBlocksNothing();
    void everyKeyOfDevicesHasAField();
    void machinesAreChosenByCheckBoxes();
    void invalidMemoryIsShownUnderMore();
    void sweepIsConvertedToAProbeAndBack();
    void sweepWithoutABatchSizeExplainsTheMissingProbe();
    void suggestionOfAProbeIsUsedInTheSweep();
    void suggestionOpensTheProbedSweep();
};

void TestAllocation::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support)"_s));
}

void TestAllocation::eachTrialHasItsDevicesAndHowTheyAreConnected()
{
    const Desk desk(4);
    const QAbstractItemModelTester tester(desk.table()->model());
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once"_s);
    QCOMPARE(desk.table()->model()->rowCount(), 5);
    QCOMPARE(desk.cell(0, u"Starts"_s), u"immediately"_s);
    QCOMPARE(desk.cell(0, u"Parameters"_s), u"n 1"_s);
    QCOMPARE(desk.cell(0, u"Devices"_s), u"GPU 0, 2"_s);
    QCOMPARE(desk.cell(1, u"Devices"_s), u"GPU 1, 3"_s);
    QVERIFY2(desk.cell(0, u"Connection"_s).contains(u"NVLink"_s), qPrintable(desk.cell(0, u"Connection"_s)));
    QCOMPARE(desk.cell(2, u"Starts"_s), u"after trial 1"_s);
    QVERIFY2(desk.more().contains(u"No time estimate yet"_s), qPrintable(desk.more()));
}

void TestAllocation::previewFollowsTheForm()
{
    const Desk desk(4);
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once"_s);
    const auto *footer = desk.driver.find<QLabel>(u"summary.details"_s);
    QCOMPARE(footer->text(), u"2 ranks each · 2 at once"_s);
    auto *concurrent = desk.driver.find<QSpinBox>(u"devices.concurrent"_s);
    concurrent->setFocus();
    QTest::keyClick(concurrent, Qt::Key_Down);
    QTest::keyClick(concurrent, Qt::Key_Down);
    QTRY_COMPARE(desk.head(), u"5 trials, 1 at once"_s);
    desk.driver.click(u"undo.button"_s);
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once"_s);
    desk.driver.click(u"devices.more"_s);
    desk.driver.typeInto(u"devices.pin"_s, u"1, 3"_s);
    QTRY_COMPARE(desk.head(), u"5 trials, 1 at once"_s);
    QCOMPARE(desk.cell(0, u"Devices"_s), u"GPU 1, 3"_s);
    QCOMPARE(footer->text(), u"2 ranks each · 1 at once"_s);  // not the two that the sweep would allow
}

void TestAllocation::durationComesFromEarlierTrials()
{
    Desk desk(4);
    schedule::FinishedSweep before;
    before.first.name = "yesterday";
    before.first.toml = twoRanksOnGpus.toStdString();
    sweep::TrialRecord trial;
    trial.state = sweep::TrialState::Completed;
    trial.attemptStarted = 1;
    trial.ended = 1 + 60'000'000'000;
    before.second.push_back(trial);
    desk.driver.editor().planner()->setHistory([before] { return std::vector{before}; });
    desk.driver.editor().planner()->repeat();
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once; all done in about 3 min 00 s"_s);
    QVERIFY2(desk.more().contains(u"a trial of yesterday took 1 min 00 s"_s), qPrintable(desk.more()));
    QVERIFY(desk.driver.find<QLabel>(u"summary.details"_s)->text().contains(u"about 3 min 00 s"_s));
}

void TestAllocation::runningSweepKeepsItsDevicesAndOnlyTheRestIsPlanned()
{
    Desk desk(4);
    schedule::FinishedSweep running;
    running.first.name = "planned";
    running.first.state = sweep::SweepState::Running;
    running.first.toml = twoRanksOnGpus.toStdString();
    for (int n = 1; n <= 5; ++n) {
        sweep::TrialRecord trial;
        trial.number = n;
        trial.ranks = 2;
        trial.parameters = {{"n", std::int64_t{n}}};
        running.second.push_back(trial);
    }
    running.second[0].state = sweep::TrialState::Completed;
    running.second[0].attemptStarted = wallNow() - 300'000'000'000;
    running.second[0].ended = wallNow() - 240'000'000'000;
    running.second[1].state = sweep::TrialState::Running;
    running.second[1].devices = {"GPU-0", "GPU-2"};
    running.second[1].attemptStarted = wallNow();
    AllocationPlanner *planner = desk.driver.editor().planner();
    planner->setLaunched([&running] { return running; });
    planner->setWorkspace([] { return "/home/anna/ws"; });
    planner->setMachineReader([] {
        schedule::MachineNow machine = machineWith(4);
        for (const std::string gpu : {"GPU-0", "GPU-2"})
            machine.leases[gpu] = {{1, "anna", "/home/anna/ws", {"planned", 2}}};
        return machine;
    });
    planner->repeat();
    QTRY_COMPARE(desk.head(), u"4 trials left, 2 at once; all done in about 2 min 00 s"_s);
    QCOMPARE(desk.cell(0, u"Trial"_s), u"2"_s);
    QCOMPARE(desk.cell(0, u"Starts"_s), u"started"_s);
    QCOMPARE(desk.cell(0, u"Devices"_s), u"GPU 0, 2"_s);
    QCOMPARE(desk.cell(1, u"Starts"_s), u"immediately"_s);
    QCOMPARE(desk.cell(1, u"Devices"_s), u"GPU 1, 3"_s);
    const auto *footer = desk.driver.find<QLabel>(u"summary.details"_s);
    QCOMPARE(footer->text(), u"2 ranks each · 2 at once · 4 trials left, about 2 min 00 s"_s);
    running.first.state = sweep::SweepState::Paused;
    planner->repeat();
    QTRY_COMPARE(footer->text(), u"2 ranks each · 2 at once · 4 trials left, about 2 min 00 s once resumed"_s);
}

/// A list with 0 among fractions, a point that the user enqueued, and a budget.
void TestAllocation::previewOfAnEditIsTheEnginesPlan()
{
    const QByteArray toml = "[sweep]\nname = \"edited\"\nobjective = \"loss\"\n[space]\nmomentum = [0, 0.9]\n"
                            "n = [1, 2, 3]\n[run]\ncommand = [\"true\", \"{momentum}\", \"{n}\"]\n";
    Desk desk(4, toml);
    schedule::FinishedSweep launched;
    launched.first.name = "edited";
    launched.first.created = wallNow();
    launched.first.deviceTime = 3'600'000'000'000;
    launched.first.toml = toml.toStdString();
    const std::vector<sweep::TrialPlan> plans = sweep::planTrials(sweep::parseSweep(launched.first.toml).spec).value();
    for (const sweep::TrialPlan &plan : plans) {
        sweep::TrialRecord &trial = launched.second.emplace_back();
        trial.number = plan.number;
        trial.parameters = plan.parameters;
    }
    launched.second[0].state = sweep::TrialState::Completed;  // momentum = 0, n = 1
    sweep::TrialRecord &enqueued = launched.second.emplace_back();
    enqueued.number = 7;
    enqueued.parameters = {{"momentum", 0.5}, {"n", std::int64_t{9}}};
    enqueued.enqueued = true;
    desk.driver.editor().planner()->setLaunched([&launched] { return launched; });
    desk.driver.editor().planner()->repeat();
    QTRY_VERIFY2(desk.head().startsWith(u"6 trials left"_s), qPrintable(desk.head()));

    desk.driver.typeIntoCell(0, SpaceColumn::From, u"0, 0.9"_s);
    desk.driver.typeIntoCell(1, SpaceColumn::From, u"1, 2, 4"_s);
    QTRY_VERIFY2(desk.more().startsWith(u"2 trials added. 2 queued trials removed."_s), qPrintable(desk.more()));
    QVERIFY2(desk.head().startsWith(u"6 trials left"_s), qPrintable(desk.head()));
    QCOMPARE(desk.cell(2, u"Trial"_s), u"5"_s);
    QCOMPARE(desk.cell(3, u"Trial"_s), u"7"_s);

    launched.first.state = sweep::SweepState::Completed;  // an ended sweep runs what an edit adds
    desk.driver.editor().planner()->repeat();
    QTRY_VERIFY2(desk.more().startsWith(u"2 trials added."_s), qPrintable(desk.more()));
}

void TestAllocation::endedSweepIsPlannedAsIfStartedAgain()
{
    const QByteArray toml = "[sweep]\nname = \"search\"\nobjective = \"loss\"\n[search]\nmethod = \"tpe\"\n"
                            "trials = 4\n[space]\nn = { int = [1, 100] }\n[run]\ncommand = [\"true\", \"{n}\"]\n";
    Desk desk(4, toml);
    schedule::FinishedSweep launched;
    launched.first.state = sweep::SweepState::Stopped;
    launched.first.toml = toml.toStdString();
    launched.second.emplace_back().number = 1;
    launched.second[0].state = sweep::TrialState::Completed;
    launched.second[0].parameters = {{"n", std::int64_t{7}}};
    desk.driver.editor().planner()->setLaunched([&launched] { return launched; });
    desk.driver.editor().planner()->repeat();
    const auto labels = [&desk] {
        QStringList texts;
        for (const QLabel *label : desk.driver.editor().findChildren<QLabel *>())
            texts << label->text();
        return texts;
    };
    QTRY_VERIFY(labels().contains(u"Schedule of a new sweep"_s));
    QVERIFY2(desk.head().startsWith(u"4 trials"_s), qPrintable(desk.head()));
    desk.driver.typeInto(u"search.trials"_s, u"6"_s);
    QTRY_VERIFY2(desk.head().startsWith(u"5 trials left"_s), qPrintable(desk.head()));
}

void TestAllocation::planOfAnotherSweepIsForgotten()
{
    Desk desk(4);
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once"_s);
    auto release = std::make_shared<QSemaphore>();
    desk.driver.editor().planner()->setMachineReader([release] {
        release->acquire();
        return machineWith(4);
    });
    const QByteArray other = QByteArray(twoRanksOnGpus).replace("[1, 5]", "[1, 7]");
    desk.driver.editor().setSweep(sweep::parseSweep(other.toStdString()).spec, QDir::tempPath(), {});
    QCOMPARE(desk.head(), u"Reading the devices…"_s);
    const auto *footer = desk.driver.find<QLabel>(u"summary.details"_s);
    QTRY_COMPARE(desk.driver.trials(), u"7 trials"_s);
    QCOMPARE(footer->text(), u"2 ranks each · at most 3 at once"_s);
    release->release(1000);
    QTRY_COMPARE(desk.head(), u"7 trials, 2 at once"_s);
}

void TestAllocation::impossibleSweepNamesItsNeeds()
{
    const Desk desk(1, QByteArray(twoRanksOnGpus).replace("ranks = 2", "ranks = 4"));
    QTRY_VERIFY2(desk.head().contains(u"4"_s) && desk.head().contains(u"1 GPU"_s), qPrintable(desk.head()));
    QVERIFY(desk.head().startsWith(u"The sweep cannot start yet."_s));
    QVERIFY(!desk.table()->isVisible());
    QVERIFY(!desk.driver.start()->isEnabled());
}

void TestAllocation::waitingSweepNamesTheHolders()
{
    Desk desk(2);
    desk.driver.editor().planner()->setMachineReader([] {
        schedule::MachineNow machine = machineWith(2);
        machine.states["GPU-1"].foreign =
            schedule::usedBy({1, 0, device::DeviceProcess{4711, "anna", "blender", std::nullopt, true}});
        return machine;
    });
    desk.driver.editor().planner()->repeat();
    QTRY_VERIFY2(desk.head().startsWith(u"No trial can start now"_s) && desk.head().contains(u"4711"_s),
                 qPrintable(desk.head()));
    QVERIFY(!desk.table()->isVisible());
    desk.driver.editor().planner()->setMachineReader([] {
        schedule::MachineNow machine = machineWith(4);
        machine.leases["GPU-1"] = {{4711, "anna", "/home/anna/runs", {"digits", 3}}};
        return machine;
    });
    desk.driver.editor().planner()->repeat();
    QTRY_VERIFY2(desk.more().contains(u"Now GPU 1 is leased to digits, trial 3 of anna"_s), qPrintable(desk.more()));
    QVERIFY(desk.table()->isVisible());
}

void TestAllocation::hangingDriverBlocksNothing()
{
    auto release = std::make_shared<QSemaphore>();
    Desk desk(4);
    const QThread *gui = QThread::currentThread();
    std::atomic<bool> lookedOnGui = false;
    std::atomic<bool> looked = false;
    desk.driver.editor().planner()->setMachineReader([release, gui, &lookedOnGui, &looked] {
        lookedOnGui = QThread::currentThread() == gui;
        looked = true;
        release->acquire();
        return machineWith(4);
    });
    desk.driver.editor().planner()->repeat();
    QTRY_VERIFY(looked);
    desk.driver.typeInto(u"sweep.name"_s, u"typed meanwhile"_s);
    QTRY_VERIFY(desk.driver.toml().contains(u"typed meanwhile"_s));
    QVERIFY(desk.driver.start()->isEnabled());
    release->release(1000);
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once"_s);
    QVERIFY(!lookedOnGui);
}

void TestAllocation::everyKeyOfDevicesHasAField()
{
    const Desk desk(4);
    desk.driver.click(u"devices.more"_s);
    desk.driver.typeInto(u"devices.pin"_s, u"0, GPU-8a7c, \"a, b\""_s);
    desk.driver.typeInto(u"devices.exclude"_s, u"3"_s);
    desk.driver.typeInto(u"devices.memory"_s, u"10 GiB"_s);
    for (const QString &name : {u"devices.per_gpu"_s, u"devices.cores_per_rank"_s, u"devices.per_rank"_s}) {
        auto *box = desk.driver.find<QSpinBox>(name);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Up);
    }
    for (const QString &name : {u"devices.foreign"_s, u"devices.cpu_affinity"_s}) {
        auto *box = desk.driver.find<QComboBox>(name);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
    }
    for (const QString &line : {u"pin = [\"0\", \"GPU-8a7c\", \"a, b\"]"_s, u"exclude = [\"3\"]"_s,
                                u"memory = \"10 GiB\""_s, u"per_gpu = 2"_s, u"cores_per_rank = 1"_s, u"per_rank = 2"_s,
                                u"foreign = \"share\""_s, u"cpu_affinity = \"off\""_s})
        QTRY_VERIFY2(desk.driver.toml().contains(line), qPrintable(line + u'\n' + desk.driver.toml()));
    auto *perGpu = desk.driver.find<QSpinBox>(u"devices.per_gpu"_s);
    perGpu->setFocus();
    QTest::keyClick(perGpu, Qt::Key_Down);
    QTest::keyClick(perGpu, Qt::Key_Down);
    QCOMPARE(perGpu->text(), u"by measured memory"_s);
    QTRY_VERIFY2(desk.driver.toml().contains(u"per_gpu = \"auto\""_s), qPrintable(desk.driver.toml()));
}

void TestAllocation::machinesAreChosenByCheckBoxes()
{
    Desk desk(4);
    const QString field = u"devices.machines"_s;
    const auto box = [&desk](const QString &name) {
        return desk.driver.find(u"devices.machineChoice"_s)->findChild<QCheckBox *>(name);
    };
    QVERIFY(!desk.driver.find(u"devices.machineChoice"_s)->isVisible());
    desk.driver.editor().setKnownMachines({u"gpu1"_s, u"gpu2"_s});
    QVERIFY(box(u"localhost"_s)->isVisible() && box(u"localhost"_s)->isChecked());
    box(u"gpu2"_s)->click();
    QTRY_VERIFY2(desk.driver.toml().contains(u"machines = [\"localhost\", \"gpu2\"]"_s),
                 qPrintable(desk.driver.toml()));
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once on the connected machines"_s);
    QVERIFY2(desk.more().contains(u"Trials also run on gpu2"_s), qPrintable(desk.more()));
    box(u"localhost"_s)->click();
    QTRY_VERIFY(desk.driver.toml().contains(u"machines = [\"gpu2\"]"_s));
    box(u"*"_s)->click();
    QTRY_VERIFY(desk.driver.toml().contains(u"machines = [\"*\"]"_s));
    QVERIFY(box(u"gpu1"_s)->isChecked() && !box(u"gpu1"_s)->isEnabled());
    box(u"*"_s)->click();
    QTRY_VERIFY(!desk.driver.toml().contains(u"machines"_s));
    desk.driver.click(u"devices.more"_s);
    desk.driver.typeInto(field, u"gpu1 gpu7"_s);
    QVERIFY(box(u"gpu7"_s)->isChecked() && box(u"gpu1"_s)->isChecked() && !box(u"localhost"_s)->isChecked());
    desk.driver.typeInto(field, u"localhost"_s);
    QVERIFY(!box(u"gpu7"_s) && box(u"localhost"_s)->isChecked());
}

void TestAllocation::invalidMemoryIsShownUnderMore()
{
    const Desk desk(4);
    desk.driver.click(u"devices.more"_s);
    desk.driver.typeInto(u"devices.memory"_s, u"much"_s);
    QTRY_VERIFY(desk.driver.problem(u"devices.memory"_s).contains(u"much"_s));
    desk.driver.click(u"devices.more"_s);
    QVERIFY(!desk.driver.find(u"devices.memory"_s)->isVisible());
    auto *list = desk.driver.find(u"problems"_s);
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    QTRY_VERIFY(desk.driver.find(u"devices.memory"_s)->hasFocus());
}

void TestAllocation::sweepIsConvertedToAProbeAndBack()
{
    Desk desk(0, {});
    desk.driver.editor().newSweep();
    QTRY_COMPARE(desk.driver.trials(), u"4 trials"_s);
    const QString before = desk.driver.toml();
    desk.driver.click(u"probe.make"_s);
    QTRY_VERIFY(desk.driver.toml().contains(u"[probe]"_s));
    QVERIFY2(desk.driver.toml().contains(u"batch_size"_s), qPrintable(desk.driver.toml()));
    QTRY_VERIFY(desk.driver.start()->isEnabled());
    desk.driver.typeInto(u"probe.measure"_s, u"soon"_s);
    QTRY_VERIFY(desk.driver.problem(u"probe.measure"_s).contains(u"soon"_s));
    desk.driver.typeInto(u"probe.measure"_s, u"5s"_s);
    QTRY_VERIFY2(desk.driver.toml().contains(u"measure = \"5s\""_s), qPrintable(desk.driver.toml()));
    while (desk.driver.find(u"undo.button"_s)->isEnabled())
        desk.driver.click(u"undo.button"_s);
    QTRY_COMPARE(desk.driver.toml(), before);
}

void TestAllocation::sweepWithoutABatchSizeExplainsTheMissingProbe()
{
    const Desk desk(4);
    QTRY_COMPARE(desk.head(), u"5 trials, 2 at once"_s);
    desk.driver.click(u"probe.make"_s);
    QVERIFY(desk.driver.find<NoticeBar>(QString())->text().contains(u"batch_size"_s));
}

void TestAllocation::suggestionOfAProbeIsUsedInTheSweep()
{
    Desk desk(0, {});
    desk.driver.editor().newSweep();
    auto *use = desk.driver.find<QPushButton>(u"probe.accept"_s);
    QVERIFY(!use->isVisible());
    desk.driver.editor().setSuggestion(ProbeSuggestion{u"batch_size"_s, 1024});
    QCOMPARE(use->text(), u"Use batch size 1024"_s);
    desk.driver.click(u"probe.accept"_s);
    QTRY_VERIFY2(desk.driver.toml().contains(u"batch_size = 1024"_s), qPrintable(desk.driver.toml()));
    desk.driver.editor().setSuggestion(std::nullopt);
    QVERIFY(!use->isVisible());
}

void TestAllocation::suggestionOpensTheProbedSweep()
{
    Desk desk(0, {});
    desk.driver.editor().newSweep();
    desk.driver.click(u"probe.make"_s);
    QTRY_VERIFY(desk.driver.toml().contains(u"[probe]"_s));
    desk.driver.editor().setSuggestion(ProbeSuggestion{u"batch_size"_s, 256});
    desk.driver.click(u"probe.accept"_s);
    QTRY_VERIFY2(desk.driver.toml().contains(u"batch_size = 256"_s), qPrintable(desk.driver.toml()));
    QVERIFY(!desk.driver.toml().contains(u"[probe]"_s));
    QCOMPARE(desk.driver.trials(), u"4 trials"_s);
    // A probe that was made elsewhere: its sweep is unknown.
    desk.driver.typeInto(u"sweep.name"_s, u"another"_s);
    desk.driver.click(u"probe"_s);
    desk.driver.editor().setSuggestion(ProbeSuggestion{u"batch_size"_s, 256});
    QVERIFY(!desk.driver.find<QPushButton>(u"probe.accept"_s)->isVisible());
}

void TestAllocation::stripOpensThePreview()
{
    Desk desk(2);
    desk.driver.editor().resize(1000, 600);
    auto *button = desk.driver.find<QToolButton>(u"summary.allocation"_s);
    QTRY_VERIFY(button->isVisible());
    QVERIFY(desk.table()->visibleRegion().isEmpty());
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(!desk.table()->visibleRegion().isEmpty());
    // Without a plan there is no link.
    desk.driver.typeInto(u"sweep.name"_s, u"/"_s);
    QTRY_VERIFY(!button->isVisible());
}

SWEEPSCOPE_TEST(TestAllocation)
#include "tst_allocation.moc"
