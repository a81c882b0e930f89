#include "device/device.h"

#include <algorithm>
#include <iterator>

namespace sweepscope::device {

std::vector<Device> wholeGpus(const std::vector<Device> &devices)
{
    std::vector<Device> gpus;
    std::copy_if(devices.begin(), devices.end(), std::back_inserter(gpus),
                 [](const Device &device) { return device.kind == Kind::Gpu && device.parentId.empty(); });
    return gpus;
}

}  // namespace sweepscope::device
