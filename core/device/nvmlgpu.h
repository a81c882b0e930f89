#pragma once

#include "device/device.h"
#include "device/nvmlactivity.h"
#include "device/nvmllibrary.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sweepscope::device::nvml {

/// What changes at once is read each time; what is dear to ask or changes seldom, now and then.
struct Lanes {
    bool middle = false;  ///< processes, PCIe link
    bool slow = false;    ///< limits, maxima, ECC, NVLink states
};

/// A counter of which the speed is wanted.
class Rate {
public:
    /// Per second since the last time; empty at the first one, and when the counter has begun again.
    std::optional<double> update(std::uint64_t count, SteadyTime now);

private:
    std::optional<std::uint64_t> m_last;
    SteadyTime m_lastTime;
};

/// A GPU, or a MIG instance of one. Used by one thread at a time, which may hang in a call.
class Gpu {
public:
    struct Instance {
        DeviceHandle whole;  ///< the GPU that the instance is a part of
        unsigned id;
    };
    Gpu(std::shared_ptr<const Library> library, DeviceHandle handle, std::optional<Instance> instance);

    /// Name, UUID, memory, PCI bus id; the code says why there is none.
    Return identify(CallMeter &meter, Device &device) const;
    /// Its MIG instances when it is split into such; empty when it is not.
    std::optional<std::vector<Instance>> instances(CallMeter &meter, std::vector<DeviceHandle> &handles) const;

    Reading read(CallMeter &meter, Lanes lanes, const std::string &procFolder);
    /// What was wrong during the last read(): success when the device answered, else the code that tells most.
    Return trouble() const;
    void release(CallMeter &meter) { m_activity.release(meter); }

private:
    /// Whether the driver answered, and the answer can be used. What is not supported is not asked again until the slow
    /// lane comes round: a MIG setting may have changed.
    template <typename Function, typename... Arguments>
    bool query(CallMeter &meter, const Function &function, Arguments... arguments);
    bool recordResult(Return code);

    void readFast(CallMeter &meter, Reading &reading);
    void readMiddle(CallMeter &meter, Reading &reading, const std::string &procFolder);
    void readSlow(CallMeter &meter, Reading &reading);
    void readMemory(CallMeter &meter, Reading &reading);
    void readTemperature(CallMeter &meter, Reading &reading);
    void readCounters(CallMeter &meter, Reading &reading);
    void readThroughput(CallMeter &meter, Reading &reading);
    void readLinks(CallMeter &meter, Reading &reading);
    std::optional<Memory> memory(CallMeter &meter, std::optional<double> *reserved, Return &code) const;

    const Functions &functions() const { return m_library->functions(); }

    std::shared_ptr<const Library> m_library;
    DeviceHandle m_handle;
    std::optional<Instance> m_instance;
    Activity m_activity;
    std::vector<std::pair<const void *, int>> m_unsupported;  ///< functions, with their first argument
    bool m_countsPcie = false;                                ///< by counters that cost nothing
    Rate m_pcieTx, m_pcieRx, m_nvlinkTx, m_nvlinkRx;
    int m_answers = 0;  ///< of the last read()
    Return m_worst = success;
};

}  // namespace sweepscope::device::nvml
