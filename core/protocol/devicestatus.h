#pragma once

#include <QMap>
#include <QString>

#include <optional>
#include <vector>

namespace sweepscope::protocol {

/// A trial that has a device.
struct DeviceHolder {
    qint64 sweepId = 0;
    QString sweep;  ///< its name
    int trial = 0;

    bool operator==(const DeviceHolder &) const = default;
};

/// One device as the engine sees it, for views.
struct DeviceStatus {
    QString id;
    QString name;
    bool gpu = false;
    bool simulated = false;
    double memoryBytes = 0;
    int index = 0;
    QString pciBusId;     ///< empty when it is not known
    bool offered = true;  ///< false: watched, but not given to trials
    QString condition;    ///< what is wrong with it, or special; empty when there is nothing to say
    struct Process {
        qint64 pid = 0;
        QString user;  ///< empty when it is not known, as the name
        QString name;
        std::optional<double> memoryBytes;
        std::optional<bool> ours;  ///< whether a trial of this workspace started it; empty when it cannot be told
    };
    std::vector<Process> processes;  ///< of a GPU, everybody's
    bool remembered = false;         ///< from earlier readings alone: nobody tells who has it now
    std::vector<DeviceHolder> holders;
    QString nearCpus;  ///< of a GPU: "0-31,64-95"; empty when it is not known
    /// What lies between it and other GPUs, by their ids, as `nvidia-smi topo -m` calls it: "NV12", "PIX", …, "?".
    QMap<QString, QString> connections;
};

}  // namespace sweepscope::protocol
