#pragma once

#include "device/reading.h"

#include <map>
#include <string>
#include <vector>

namespace sweepscope::engine {

/// What is to be said of the devices beyond their numbers.
struct DeviceRemarks {
    std::string note;
    std::map<std::string, std::string> conditions;                        ///< by device: what is wrong with it
    std::map<std::string, std::vector<device::DeviceProcess>> processes;  ///< by GPU, where the driver tells them

    bool operator==(const DeviceRemarks &) const = default;
};

}  // namespace sweepscope::engine
