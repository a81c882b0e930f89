#include "device/device.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace sweepscope::device {

std::vector<Device> wholeGpus(const std::vector<Device> &devices)
{
    std::vector<Device> gpus;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(gpus),
                 [](const Device &device) { return device.kind == Kind::Gpu && device.parentId.empty(); });
    return gpus;
}

std::string inBytes(std::uint64_t bytes)
{
    constexpr std::array units{" B", " KiB", " MiB", " GiB", " TiB"};
    std::size_t unit = 0;
    std::uint64_t size = 1;
    while (unit + 1 < units.size() && bytes / size >= 1024) {
        size *= 1024;
        ++unit;
    }
    return std::to_string((bytes + size / 2) / size) + units[unit];
}

}  // namespace sweepscope::device
