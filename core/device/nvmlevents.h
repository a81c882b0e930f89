#pragma once

#include "device/nvmllibrary.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sweepscope::device::nvml {

/// The errors ("Xid") that the driver reports of its GPUs. Used by one thread at a time.
class XidEvents {
public:
    struct Xid {
        std::string uuid;  ///< empty: the driver does not say of which GPU
        std::uint64_t number;
    };

    explicit XidEvents(std::shared_ptr<const Library> library);

    /// Starts reporting this GPU's errors.
    void watch(CallMeter &meter, const std::string &uuid, DeviceHandle device);
    /// Those since the last time; does not wait.
    std::vector<Xid> take(CallMeter &meter);
    void release(CallMeter &meter);

private:
    std::shared_ptr<const Library> m_library;
    EventSet m_set = nullptr;
    std::set<std::string> m_watched;
};

}  // namespace sweepscope::device::nvml
