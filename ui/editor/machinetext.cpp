#include "ui/editor/machinetext.h"

#include "ui/models/devicewords.h"
#include "ui/models/valuetext.h"

#include <QCoreApplication>
#include <QMap>
#include <QStringList>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;
namespace {

struct MachineTextWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::MachineText)
};

QString titleOf(const protocol::DeviceStatus &device)
{
    QString title = device.name;
    if (device.memoryBytes > 0)
        title += MachineTextWords::tr(" with %1").arg(bytesText(device.memoryBytes));
    return device.simulated ? MachineTextWords::tr("%1 (simulated)").arg(title) : title;
}

}  // namespace

std::optional<sweep::Capacity> capacityOf(const std::vector<protocol::DeviceStatus> &devices,
                                          const std::vector<protocol::MachineStatus> &machines)
{
    if (devices.empty())
        return std::nullopt;
    sweep::Capacity capacity{0, 0, {}};
    for (const protocol::MachineStatus &machine : machines) {
        if (machine.isCluster)
            capacity.clusters.push_back(machine.name.toStdString());
    }
    for (const protocol::DeviceStatus &device : devices) {
        if (!device.offered)
            continue;
        ++(device.gpu ? capacity.gpus : capacity.cpuCores);
        if (device.gpu)
            capacity.gpuNames.push_back({device.index, device.id.toStdString(), device.pciBusId.toStdString(),
                                         device.name.toStdString(), static_cast<std::uint64_t>(device.memoryBytes)});
    }
    capacity.cpuCores = qMax(capacity.cpuCores, 1);
    return capacity;
}

QString machineText(const std::vector<protocol::DeviceStatus> &devices, const QString &note)
{
    const auto capacity = capacityOf(devices, {});
    if (!capacity)
        return MachineTextWords::tr("The engine has not reported any devices yet.");
    QMap<QString, int> gpus;
    for (const protocol::DeviceStatus &device : devices)
        if (device.gpu && device.offered)
            ++gpus[titleOf(device)];
    QStringList parts;
    for (auto gpu = gpus.cbegin(); gpu != gpus.cend(); ++gpu)
        parts += gpu.value() == 1 ? gpu.key() : MachineTextWords::tr("%1 × %2").arg(gpu.value()).arg(gpu.key());
    parts += capacity->cpuCores == 1 ? MachineTextWords::tr("1 CPU core")
                                     : MachineTextWords::tr("%1 CPU cores").arg(capacity->cpuCores);
    const QString last = parts.takeLast();
    const QString all = parts.isEmpty() ? last : MachineTextWords::tr("%1 and %2").arg(parts.join(u", "_s), last);
    const QString text = MachineTextWords::tr("This machine has %1.").arg(all);
    return note.isEmpty() || capacity->gpus > 0 ? text : text + u' ' + sentenceText(note);
}

}  // namespace sweepscope::ui
