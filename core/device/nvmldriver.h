#pragma once

#include "device/device.h"
#include "device/nvmlevents.h"
#include "device/nvmlgpu.h"
#include "device/nvmllibrary.h"
#include "device/nvmltopology.h"
#include "device/sources.h"
#include "facts/fact.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::device::nvml {

/// A GPU or MIG instance that the driver let us open.
struct Opened {
    std::shared_ptr<Gpu> gpu;
    Device device;
};

/// What is behind one index of NVML.
struct Slot {
    // Of the job of this slot alone.
    std::vector<Opened> parts;  ///< the GPU, then its MIG instances
    std::optional<SteadyTime> lastMiddle, lastSlow;

    // Guarded by the mutex.
    DeviceHandle handle = nullptr;
    std::vector<Device> devices;
    facts::Fact closed;   ///< why it could not be opened
    facts::Fact trouble;  ///< what is wrong with it since
    facts::Fact split;    ///< that it is split into MIG instances
    facts::Fact xid;      ///< the last error that the driver reported
};

/// The driver with its GPUs, used by the jobs of a source. A hung job keeps it alive.
struct Driver {
    explicit Driver(NvmlSettings given) : settings(std::move(given)) {}

    const NvmlSettings settings;
    mutable std::mutex mutex;  ///< never held during a call
    std::shared_ptr<Library> library;
    std::shared_ptr<XidEvents> events;  ///< of the job of events alone
    std::vector<std::shared_ptr<Slot>> slots;
    std::vector<DeviceReading> fresh;  ///< read since NvmlSource::sample() took them
    bool simulated = false;
    std::string problem;  ///< why there are none
    std::string versions;
    GpuTopology topology;
    std::size_t connected = 0;  ///< GPUs of which it is known

    void start(CallMeter &meter);
    std::shared_ptr<Library> loadedLibrary(CallMeter &meter);
    void open(CallMeter &meter, Slot &slot, unsigned index);
    void read(CallMeter &meter, Slot &slot, unsigned index);
    void reopen(CallMeter &meter, Slot &slot);
    void readEvents(CallMeter &meter);
    void connect(CallMeter &meter);
    std::vector<TopologyGpu> opened() const;
    void end(CallMeter &meter);
};

}  // namespace sweepscope::device::nvml
