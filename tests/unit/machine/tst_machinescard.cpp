#include "testprogram.h"

#include "ui/devices/machinedialog.h"
#include "ui/devices/machinerowsmodel.h"
#include "ui/devices/machinescard.h"
#include "ui/models/machinewords.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace sweepscope;
using namespace sweepscope::ui;
using namespace Qt::StringLiterals;

namespace {

protocol::DeviceStatus deviceThere(const QString &id, bool isGpu)
{
    protocol::DeviceStatus device;
    device.id = id;
    device.gpu = isGpu;
    return device;
}

protocol::MachineStatus connectedMachine()
{
    protocol::MachineStatus machine;
    machine.name = u"gpu1"_s;
    machine.address = u"ann@gpu1.lab"_s;
    machine.isUsed = machine.isConnected = true;
    machine.freeBytes = 1e12;
    machine.clockOffset = -0.021;
    machine.clockError = 0.0004;
    machine.devices = {deviceThere(u"GPU-a@gpu1"_s, true), deviceThere(u"GPU-b@gpu1"_s, true),
                       deviceThere(u"cpu:0@gpu1"_s, false)};
    machine.devices[0].holders = {{1, u"digits"_s, 4}};
    machine.devices[0].connections = {{u"GPU-b@gpu1"_s, u"NV12"_s}};
    return machine;
}

protocol::MachineStatus unreachableMachine()
{
    protocol::MachineStatus machine;
    machine.name = u"gpu2"_s;
    machine.isUsed = true;
    machine.unavailable = facts::Fact(facts::Code::MachineUnreachable).with(facts::Field::Detail, "no route to host");
    return machine;
}

QString cell(const MachineRowsModel &model, int row, MachineRowsModel::Column column)
{
    return model.index(row, static_cast<int>(column)).data().toString();
}

std::vector<remote::Machine> machinesOf(const std::filesystem::path &file)
{
    return remote::readMachines(file).value_or(std::vector<remote::Machine>());
}

}  // namespace

class TestMachinesCard : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path file() const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / "machines.toml";
    }

private Q_SLOTS:
    void init() { std::filesystem::remove(file()); }

    void eachStateHasASentenceAndARemedy()
    {
        protocol::MachineStatus machine = connectedMachine();
        QCOMPARE(stateText(machine), u"Connected"_s);
        QVERIFY(stateOf(machine) == MachineState::Good && remedyText(machine).isEmpty());
        QCOMPARE(clockErrorText(machine.clockError), u"± 0.4 ms"_s);
        QCOMPARE(clockOffsetText(machine), u"Its clock is 21 ms behind that of this machine (± 0.4 ms)."_s);
        machine.freeBytes = 4e8;
        QCOMPARE(stateText(machine), u"Only 381 MiB free in its folder"_s);
        QVERIFY(stateOf(machine) == MachineState::Wrong && !remedyText(machine).isEmpty());
        machine.unavailable = facts::Fact(facts::Code::MachineRefused).with(facts::Field::Detail, "disk full");
        QCOMPARE(stateText(machine), u"Refused a trial: disk full"_s);
        machine.unavailable = facts::Code::MachineConnecting;
        machine.isConnected = false;
        QCOMPARE(stateText(machine), u"Connecting"_s);
        QVERIFY(stateOf(machine) == MachineState::Waiting);
        machine.isUsed = false;
        QCOMPARE(stateText(machine), u"Not connected"_s);
        QCOMPARE(stateText(unreachableMachine()), u"Cannot be reached: no route to host"_s);
        QVERIFY(stateOf(unreachableMachine()) == MachineState::Wrong);
    }

    void clockIsNotedWhereItsDifferenceIsSeen()
    {
        protocol::MachineStatus machine = connectedMachine();
        QCOMPARE(clockNote(machine), QString());
        machine.clockError = 0.08;
        QCOMPARE(clockNote(machine), u"gpu1's clock ± 80 ms"_s);
        machine.clockOffset = 2;
        QCOMPARE(clockNote(machine), u"gpu1's clock is 2.0 s ahead"_s);
    }

    void devicesHaveTheIdsOfTheirReadings()
    {
        const std::vector<protocol::DeviceStatus> devices = devicesAsThere(connectedMachine());
        QCOMPARE(devices[0].id, u"GPU-a"_s);
        QCOMPARE(devices[0].connections.value(u"GPU-b"_s), u"NV12"_s);
        QCOMPARE(devices[2].id, u"cpu:0"_s);
    }

    void engineMachineComesFirst()
    {
        using Column = MachineRowsModel::Column;
        MachineRowsModel model;
        model.showMachines({deviceThere(u"cpu:0"_s, false)}, {connectedMachine(), unreachableMachine()});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(cell(model, 0, Column::Machine), u"localhost"_s);
        QCOMPARE(cell(model, 0, Column::Cores), u"0 of 1"_s);
        QCOMPARE(cell(model, 0, Column::Gpus), QString());
        QCOMPARE(cell(model, 1, Column::Gpus), u"1 of 2"_s);
        QCOMPARE(cell(model, 1, Column::Trials), u"1"_s);
        QCOMPARE(cell(model, 2, Column::State), u"Cannot be reached: no route to host"_s);
        QCOMPARE(model.rowOf(u"gpu2"_s), 2);
        QCOMPARE(model.rowOf(u"gpu3"_s), -1);
    }

    void keysChooseAMachineAndEditIt()
    {
        MachinesCard card;
        QSignalSpy chosen(&card, &MachinesCard::machineChosen);
        QSignalSpy edited(&card, &MachinesCard::editRequested);
        card.showMachines({}, {connectedMachine(), unreachableMachine()});
        QCOMPARE(chosen.size(), 0);
        auto *table = card.findChild<QTableView *>(u"machinesTable"_s);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(edited.size(), 0);  // the engine's machine has no definition
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(card.chosen(), u"gpu1"_s);
        QCOMPARE(chosen.size(), 1);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(edited.takeFirst().at(0).toString(), u"gpu1"_s);
        card.setFixed(u"read-only"_s);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(edited.size(), 0);
        card.showMachines({}, {unreachableMachine()});
        QCOMPARE(card.chosen(), QString());  // it was removed
        QCOMPARE(table->currentIndex().row(), 0);
    }

    void dialogWritesWhatItsFieldsSay()
    {
        MachineDialog dialog(file(), {}, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        auto *save = dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save);
        const auto *problem = dialog.findChild<QLabel *>(u"machineProblem"_s);
        QVERIFY(!save->isEnabled() && problem->text().isEmpty());
        dialog.findChild<QLineEdit *>(u"machineName"_s)->setText(u"localhost"_s);
        dialog.findChild<QLineEdit *>(u"machineAddress"_s)->setText(u"ssh://ann@gpu1:2222/scratch"_s);
        QVERIFY(!save->isEnabled() && problem->text().contains(u"localhost"_s));
        dialog.findChild<QLineEdit *>(u"machineName"_s)->setText(u"gpu1"_s);
        QVERIFY2(save->isEnabled() && problem->text().isEmpty(), qPrintable(problem->text()));
        dialog.findChild<QPlainTextEdit *>(u"machineData"_s)->setPlainText(u"imagenet"_s);
        QVERIFY(!save->isEnabled());
        dialog.findChild<QPlainTextEdit *>(u"machineData"_s)->setPlainText(u"imagenet = /data/imagenet\n"_s);
        dialog.findChild<QPlainTextEdit *>(u"machineSetup"_s)->setPlainText(u"module load cuda"_s);
        QSignalSpy saved(&dialog, &MachineDialog::saved);
        save->click();
        QCOMPARE(saved.size(), 1);
        const std::vector<remote::Machine> machines = machinesOf(file());
        QCOMPARE(machines.size(), 1U);
        QCOMPARE(machines[0].name, "gpu1");
        QCOMPARE(machines[0].ssh.destination, "ann@gpu1");
        QCOMPARE(machines[0].ssh.port, 2222);
        QCOMPARE(machines[0].folder, "/scratch");
        QCOMPARE(machines[0].setup, "module load cuda");
        QCOMPARE(machines[0].python, "python3");
        QCOMPARE(machines[0].data.at("imagenet"), "/data/imagenet");
    }

    void editKeepsWhatTheDialogDoesNotShow()
    {
        remote::Machine known;
        known.name = "gpu1";
        known.ssh.destination = "gpu1";
        known.concurrent = 4;
        known.lostAfter = std::chrono::hours(2);
        remote::Machine other = known;
        other.name = "gpu2";
        QVERIFY(remote::writeMachines(file(), {known, other}));
        MachineDialog dialog(file(), known, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        auto *save = dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save);
        dialog.findChild<QLineEdit *>(u"machineName"_s)->setText(u"gpu2"_s);
        save->click();
        QVERIFY(dialog.findChild<QLabel *>(u"machineProblem"_s)->text().contains(u"gpu2"_s));
        dialog.findChild<QLineEdit *>(u"machineName"_s)->setText(u"big"_s);
        save->click();
        known.name = "big";
        QVERIFY(machinesOf(file()) == std::vector<remote::Machine>({known, other}));
    }
};

SWEEPSCOPE_TEST(TestMachinesCard)
#include "tst_machinescard.moc"
