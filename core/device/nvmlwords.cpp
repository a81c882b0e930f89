#include "device/nvmlwords.h"

#include <algorithm>
#include <array>

namespace sweepscope::device::nvml {

namespace {

std::string textFrom(CallMeter &meter, const Function<Return(char *, unsigned)> &function)
{
    std::array<char, textBytes> text{};
    if (function(meter, text.data(), textBytes) != success)
        return {};
    return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

}  // namespace

std::string inWords(Return code, const Library &library)
{
    switch (code) {
    case errorGpuIsLost:
        return "is lost: the driver no longer reaches it; reset it or restart this machine";
    case errorResetRequired:
        return "needs a reset before it can be used again: nvidia-smi --gpu-reset, or restart this machine";
    case errorNoPermission:
        return "belongs to somebody else: this user may not open it";
    case errorOperatingSystem:
        return "is blocked by the operating system (cgroup): this session may not use it";
    case errorUnknown:
        return "answers with " + library.describe(code)
               + "; in a container this means that its devices were taken away: restart the container";
    default:
        return "cannot be read: " + library.describe(code);
    }
}

std::string gpuLabel(unsigned index, const std::string &name, bool simulated)
{
    return (simulated ? "simulated GPU " : "GPU ") + std::to_string(index) + (name.empty() ? "" : " (" + name + ")");
}

std::string versionsOf(CallMeter &meter, const Functions &functions)
{
    std::string versions;
    if (const std::string driver = textFrom(meter, functions.driverVersion); !driver.empty())
        versions = "NVIDIA driver " + driver;
    int cuda = 0;
    if (functions.cudaVersion(meter, &cuda) == success && cuda > 0)
        versions += (versions.empty() ? "CUDA " : ", CUDA ") + std::to_string(cuda / 1000) + "."
                    + std::to_string(cuda % 1000 / 10);
    return versions;
}

}  // namespace sweepscope::device::nvml
