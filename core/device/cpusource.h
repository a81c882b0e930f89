#pragma once

#include "device/device.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace sweepscope::device {

/// The cores of `allowed` that /proc/stat lists. Utilisation is the busy share since the sample before.
class CpuSource : public Source {
public:
    CpuSource(std::string procFolder, std::set<int> allowed);

    std::vector<Device> devices() override;
    std::vector<DeviceReading> sample() override;
    std::string note() const override { return m_note; }

private:
    struct Times {
        std::uint64_t busy = 0;
        std::uint64_t total = 0;
    };
    std::map<int, Times> readTimes();
    std::string modelName() const;

    std::string m_procFolder;
    std::set<int> m_allowed;
    std::map<int, Times> m_last;
    std::string m_note;
};

/// The cores that this process may run on (sched_getaffinity).
std::set<int> allowedCores();

}  // namespace sweepscope::device
