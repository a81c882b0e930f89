#pragma once

#include "base/error.h"
#include "device/device.h"
#include "sweep/sweepspec.h"

#include <string>
#include <vector>

namespace sweepscope::device {

/// Devices for one trial: one list of device ids per rank.
struct Allocation {
    std::vector<std::vector<std::string>> perRank;
    std::vector<std::string> all() const;
};

struct Request {
    int ranks = 1;
    int perRank = 1;
    sweep::DeviceKind kind = sweep::DeviceKind::Auto;  ///< Auto: GPUs when there are any, else CPU slots
    int cpuSlots = 0;                                  ///< 0 = one per core; more = cores are shared round-robin
};

/// Who has which device. Pure bookkeeping: nothing is opened here. Every allocation is all or nothing.
class Allocator {
public:
    explicit Allocator(std::vector<Device> devices);

    /// Devices for `holder` (an attempt id). Unavailable: not now, the message is the reason for the waiting trial
    /// ("waits for 2 of 4 CPU slots: 3 are in use"). BadInput: never, this machine has too few.
    Expected<Allocation> allocate(const std::string &holder, const Request &request);

    /// Take note of what an adopted attempt holds already.
    void adopt(const std::string &holder, const std::vector<std::string> &deviceIds);
    void release(const std::string &holder);

    const std::vector<Device> &devices() const { return m_devices; }
    /// Holders of a device, in the order they came; a CPU core that one of them has twice names it twice.
    std::vector<std::string> holders(const std::string &deviceId) const;

private:
    struct Holding {
        std::string holder;
        std::vector<std::string> deviceIds;  ///< with repetitions for CPU slots
    };

    Expected<std::vector<std::string>> chooseGpus(const Request &request) const;
    Expected<std::vector<std::string>> chooseCpuSlots(const Request &request) const;

    std::vector<Device> m_devices;
    std::vector<Holding> m_held;  ///< in the order they came
};

}  // namespace sweepscope::device
