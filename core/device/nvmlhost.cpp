#include "device/nvmlhost.h"

#include "base/files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace sweepscope::device::nvml {

namespace {

bool exists(const std::string &path)
{
    std::error_code error;
    return std::filesystem::exists(path, error);
}

}  // namespace

bool isWsl(const std::string &root)
{
    const auto release = readFile(root + "/proc/sys/kernel/osrelease", 4096);
    return exists(root + "/dev/dxg") || (release && release->find("microsoft") != std::string::npos);
}

bool hasDriver(const std::string &root)
{
    constexpr std::array<const char *, 5> traces{"/dev/nvidiactl", "/dev/nvgpu", "/dev/nvmap", "/dev/dxg",
                                                 "/proc/driver/nvidia/version"};
    return std::any_of(traces.begin(), traces.end(), [&](const char *trace) { return exists(root + trace); });
}

}  // namespace sweepscope::device::nvml
