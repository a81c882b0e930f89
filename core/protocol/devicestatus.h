#pragma once

#include "facts/fact.h"

#include <QMap>
#include <QString>

#include <optional>
#include <vector>

namespace sweepscope::protocol {

/// A trial that holds a device.
struct DeviceHolder {
    qint64 sweepId = 0;
    QString sweep;  ///< its name
    int trial = 0;

    bool operator==(const DeviceHolder &) const = default;
};

/// The engine's view of one device, for display.
struct DeviceStatus {
    QString id;
    QString name;
    bool gpu = false;
    bool simulated = false;
    double memoryBytes = 0;
    int index = 0;
    QString pciBusId;         ///< empty when it is not known
    bool offered = true;      ///< false: monitored, but never allocated
    facts::Facts conditions;  ///< what is wrong with it, or special
    struct Process {
        qint64 pid = 0;
        QString user;  ///< empty if unknown, as is the name
        QString name;
        std::optional<double> memoryBytes;
        std::optional<bool> ours;  ///< whether a trial of this workspace started it; nullopt if unknown
    };
    std::vector<Process> processes;  ///< of a GPU, by all users
    bool recorded = false;           ///< known only from earlier readings: its present holders are unknown
    std::vector<DeviceHolder> holders;
    facts::Fact lease;  ///< of a GPU: GpuLeased, to any engine of the machine
    QString nearCpus;   ///< of a GPU: "0-31,64-95"; empty when it is not known
    /// What lies between it and other GPUs, by their ids, as `nvidia-smi topo -m` calls it: "NV12", "PIX", …, "?".
    QMap<QString, QString> connections;
};

}  // namespace sweepscope::protocol
