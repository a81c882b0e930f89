#pragma once

#include "protocol/messages.h"

#include <functional>
#include <map>

namespace sweepscope::protocol {

/// The engine's state received so far: sweeps, their trials, devices. Pure bookkeeping of messages.
class StateMirror {
public:
    /// A contiguous range of trial numbers.
    using RangeChanged = std::function<void(int firstNumber, int lastNumber)>;

    /// Removes trials beyond the sweep's total, which the undo of an edit discarded. Returns true if there were any.
    bool apply(protocol::SweepChanged &&changed);
    /// Calls back once for each contiguous range of numbers. Returns false for an unknown sweep (the message is
    /// ignored).
    bool apply(protocol::TrialsChanged &&changed, const RangeChanged &rangeChanged);
    void apply(const protocol::SweepRemoved &removed);
    void apply(protocol::DevicesChanged &&changed);

    /// Ordered by id.
    const std::vector<sweep::SweepRecord> &sweeps() const { return m_sweeps; }
    const sweep::SweepRecord *sweep(std::int64_t id) const;
    const std::vector<sweep::TrialRecord> &trials(std::int64_t sweepId) const;
    const std::vector<DeviceStatus> &devices() const { return m_devices; }
    const std::vector<MachineStatus> &machines() const { return m_machines; }
    /// Of all machines, the engine's first.
    const std::vector<DeviceStatus> &allDevices() const { return m_allDevices; }
    const QString &devicesNote() const { return m_devicesNote; }

private:
    std::vector<sweep::SweepRecord> m_sweeps;
    std::map<std::int64_t, std::vector<sweep::TrialRecord>> m_trials;  ///< each ordered by number
    std::vector<DeviceStatus> m_devices;
    std::vector<MachineStatus> m_machines;
    std::vector<DeviceStatus> m_allDevices;
    QString m_devicesNote;
};

}  // namespace sweepscope::protocol
