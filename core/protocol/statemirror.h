#pragma once

#include "protocol/messages.h"

#include <functional>
#include <map>

namespace sweepscope::protocol {

/// The engine's state as told so far: sweeps, their trials, devices. Pure bookkeeping of messages.
class StateMirror {
public:
    /// From and to a trial's number, without a gap.
    using RangeChanged = std::function<void(int firstNumber, int lastNumber)>;

    /// Forgets trials beyond the sweep's total, which the undo of an edit discarded. True: there were some.
    bool apply(protocol::SweepChanged &&changed);
    /// Calls back once for each unbroken range of numbers. False: no such sweep was told (the message is ignored).
    bool apply(protocol::TrialsChanged &&changed, const RangeChanged &rangeChanged);
    void apply(const protocol::SweepRemoved &removed);
    void apply(protocol::DevicesChanged &&changed);

    /// In the order of their ids.
    const std::vector<sweep::SweepRecord> &sweeps() const { return m_sweeps; }
    const sweep::SweepRecord *sweep(std::int64_t id) const;
    const std::vector<sweep::TrialRecord> &trials(std::int64_t sweepId) const;
    const std::vector<DeviceStatus> &devices() const { return m_devices; }
    const QString &devicesNote() const { return m_devicesNote; }

private:
    std::vector<sweep::SweepRecord> m_sweeps;
    std::map<std::int64_t, std::vector<sweep::TrialRecord>> m_trials;  ///< each in the order of numbers
    std::vector<DeviceStatus> m_devices;
    QString m_devicesNote;
};

}  // namespace sweepscope::protocol
