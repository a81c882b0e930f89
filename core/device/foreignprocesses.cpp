#include "device/foreignprocesses.h"

#include "base/files.h"

#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace sweepscope::device {

namespace {

constexpr std::uint64_t leastBytes = 512ULL * 1024 * 1024;
constexpr std::uint64_t mostEnvironmentBytes = 16 * 1024 * 1024;
constexpr std::string_view variable = "SWEEPSCOPE_ATTEMPT_ID=";

bool hasVariable(std::string_view environment)
{
    while (!environment.empty()) {
        if (environment.substr(0, variable.size()) == variable)
            return true;
        const std::size_t end = environment.find('\0');
        if (end == std::string_view::npos)
            return false;
        environment.remove_prefix(end + 1);
    }
    return false;
}

std::optional<bool> isForeign(const DeviceProcess &process, const std::string &procFolder)
{
    const std::string folder = procFolder + "/" + std::to_string(process.pid);
    struct stat info = {};
    if (!process.user || ::stat(folder.c_str(), &info) != 0)
        return std::nullopt;
    const auto environment = readFile(folder + "/environ", mostEnvironmentBytes);
    if (environment)
        return !hasVariable(*environment);
    if (info.st_uid != ::geteuid())
        return true;  // somebody else's, who need not show it to us
    return std::nullopt;
}

}  // namespace

std::optional<double> countForeign(const std::vector<DeviceProcess> &processes, const std::string &procFolder)
{
    int foreign = 0;
    bool isCertain = true;
    for (const DeviceProcess &process : processes) {
        if (process.memoryBytes && *process.memoryBytes < leastBytes)
            continue;
        const std::optional<bool> is = process.memoryBytes ? isForeign(process, procFolder) : std::nullopt;
        isCertain = isCertain && is.has_value();
        foreign += is.value_or(false) ? 1 : 0;
    }
    if (foreign == 0 && !isCertain)
        return std::nullopt;
    return foreign;
}

}  // namespace sweepscope::device
