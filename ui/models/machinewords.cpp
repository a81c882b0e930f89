#include "ui/models/machinewords.h"

#include "sweep/deviceplace.h"
#include "ui/models/devicewords.h"
#include "ui/models/valuetext.h"
#include "ui/theme/icons.h"
#include "wording/sentence.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

using facts::Code;

constexpr double littleRoom = 1e9;
constexpr double visibleOffset = 0.05;  ///< seconds

struct MachineWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::Machine)
};

bool hasLittleRoom(const protocol::MachineStatus &machine)
{
    return machine.isConnected && machine.freeBytes > 0 && machine.freeBytes < littleRoom;
}

QString plainId(const QString &device)
{
    return QString::fromStdString(sweep::withoutMachine(device.toStdString()));
}

/// "0.4 ms", "21 ms", "1.2 s"
QString shortTime(double seconds)
{
    const double milliseconds = std::abs(seconds) * 1e3;
    if (milliseconds >= 1000)
        return MachineWords::tr("%1 s").arg(std::abs(seconds), 0, 'f', 1);
    return MachineWords::tr("%1 ms").arg(milliseconds, 0, 'f', milliseconds < 10 ? 1 : 0);
}

}  // namespace

MachineState stateOf(const protocol::MachineStatus &machine)
{
    if (!machine.isUsed || machine.unavailable.code == Code::MachineConnecting)
        return MachineState::Waiting;
    if (!machine.isConnected || machine.unavailable || hasLittleRoom(machine))
        return MachineState::Wrong;
    return MachineState::Good;
}

QIcon machineIcon(MachineState state)
{
    switch (state) {
    case MachineState::Good:
        return symbolIcon(u"connected"_s, QPalette::WindowText);
    case MachineState::Waiting:
        return symbolIcon(u"time"_s, QPalette::PlaceholderText);
    case MachineState::Wrong:
        return symbolIcon(u"warning"_s, QPalette::WindowText);
    }
    return {};
}

QString stateText(const protocol::MachineStatus &machine)
{
    if (!machine.isUsed)
        return MachineWords::tr("Not connected");
    if (machine.unavailable.code == Code::MachineConnecting)
        return machine.isConnected ? MachineWords::tr("Reading devices") : MachineWords::tr("Connecting");
    if (machine.unavailable.code == Code::MachineUnknown)
        return MachineWords::tr("Removed from the workspace");
    if (machine.unavailable)
        return sentenceText(QString::fromStdString(wording::clause(machine.unavailable)));
    if (!machine.isConnected)
        return MachineWords::tr("Not connected");
    if (hasLittleRoom(machine))
        return MachineWords::tr("Only %1 free in its folder").arg(bytesText(machine.freeBytes));
    return machine.note.isEmpty() || !machine.devices.empty() ? MachineWords::tr("Connected")
                                                              : sentenceText(machine.note);
}

QString remedyText(const protocol::MachineStatus &machine)
{
    if (stateOf(machine) != MachineState::Wrong)
        return {};
    if (machine.unavailable.code == Code::MachineUnknown)
        return MachineWords::tr("Its running trials continue until they finish.");
    if (!machine.isConnected) {
        const QString next = MachineWords::tr("The engine retries every 30 s. To find the cause, check the machine.");
        return protocol::useOf(machine).trials == 0 ? next
                                                    : MachineWords::tr("Trials there keep running. %1").arg(next);
    }
    if (machine.unavailable)
        return MachineWords::tr("The engine retries after a pause. To find the cause, check the machine.");
    return MachineWords::tr("Free disk space there, or choose another folder.");
}

QString inUseText(int free, int all)
{
    return all == 0 ? QString() : MachineWords::tr("%1 of %2").arg(all - free).arg(all);
}

QString clockErrorText(double seconds)
{
    return seconds > 0 ? MachineWords::tr("± %1").arg(shortTime(seconds)) : QString();
}

QString clockOffsetText(const protocol::MachineStatus &machine)
{
    if (machine.clockError <= 0)
        return {};
    if (std::abs(machine.clockOffset) <= machine.clockError)
        return MachineWords::tr("Its clock agrees with that of this machine within %1.")
            .arg(shortTime(machine.clockError));
    return (machine.clockOffset < 0 ? MachineWords::tr("Its clock is %1 behind that of this machine (%2).")
                                    : MachineWords::tr("Its clock is %1 ahead of that of this machine (%2)."))
        .arg(shortTime(machine.clockOffset), clockErrorText(machine.clockError));
}

QString clockNote(const protocol::MachineStatus &machine)
{
    const double offset = std::abs(machine.clockOffset);
    if (std::max(offset, machine.clockError) <= visibleOffset)
        return {};
    if (offset <= machine.clockError)
        return MachineWords::tr("%1's clock %2").arg(machine.name, clockErrorText(machine.clockError));
    return (machine.clockOffset < 0 ? MachineWords::tr("%1's clock is %2 behind")
                                    : MachineWords::tr("%1's clock is %2 ahead"))
        .arg(machine.name, shortTime(offset));
}

std::vector<protocol::DeviceStatus> devicesAsThere(const protocol::MachineStatus &machine)
{
    std::vector<protocol::DeviceStatus> devices = machine.devices;
    for (protocol::DeviceStatus &device : devices) {
        device.id = plainId(device.id);
        QMap<QString, QString> connections;
        for (auto other = device.connections.cbegin(); other != device.connections.cend(); ++other)
            connections.insert(plainId(other.key()), other.value());
        device.connections = connections;
    }
    return devices;
}

}  // namespace sweepscope::ui
