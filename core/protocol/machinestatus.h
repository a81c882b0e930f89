#pragma once

#include "base/clock.h"
#include "protocol/devicestatus.h"

#include <QString>

#include <vector>

namespace sweepscope::protocol {

/// The engine's view of another machine of the workspace, for display.
struct MachineStatus {
    QString name;         ///< in sweep files and device ids: "gpu1"
    QString address;      ///< "ann@gpu1.lab"
    bool isUsed = false;  ///< false: the engine does not connect, because neither a sweep nor a client asks for it
    bool isConnected = false;
    WallNs since = 0;         ///< when the connection was made or broke; 0: not known
    facts::Fact unavailable;  ///< why no trial starts there now
    int limit = 0;            ///< of trials at once; 0: as many as fit
    bool isCluster = false;   ///< trials are jobs of Slurm
    int jobs = 0;             ///< trials that wait or run as its jobs
    int cpus = 0;
    double memoryBytes = 0;             ///< 0: not known, as is the next
    double freeBytes = 0;               ///< in its folder, when the connection was made
    double clockOffset = 0;             ///< its clock minus ours, in seconds
    double clockError = 0;              ///< how wrong that may be; 0: nothing is known yet
    QString note;                       ///< why it has no devices, or what is wrong with all of them
    std::vector<DeviceStatus> devices;  ///< their ids end with its name: "cpu:3@gpu1"
};

/// How much of a machine's devices is in use. Devices that trials cannot use are left out.
struct MachineUse {
    int gpus = 0;
    int freeGpus = 0;  ///< no trial has them, no other engine, and they work
    int cores = 0;
    int freeCores = 0;
    int trials = 0;  ///< that have some of them, or are jobs
};
MachineUse useOf(const std::vector<DeviceStatus> &devices);
MachineUse useOf(const MachineStatus &machine);

}  // namespace sweepscope::protocol
