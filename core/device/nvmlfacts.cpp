#include "device/nvmlfacts.h"

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

facts::Fact factOf(Return code, const Library &library)
{
    using facts::Code;
    switch (code) {
    case errorGpuIsLost:
        return Code::GpuLost;
    case errorResetRequired:
        return Code::GpuNeedsReset;
    case errorNoPermission:
        return Code::GpuNotPermitted;
    case errorOperatingSystem:
        return Code::GpuBlocked;
    default:
        return facts::Fact(code == errorUnknown ? Code::GpuTakenAway : Code::GpuUnusable)
            .with(facts::Field::Detail, library.describe(code));
    }
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
