#include "base/userfolders.h"

#include <cstdlib>

namespace sweepscope {

std::filesystem::path folderFromEnvironment(const char *variable)
{
    const char *value = std::getenv(variable);
    return value != nullptr && value[0] == '/' ? std::filesystem::path(value) : std::filesystem::path();
}

std::filesystem::path userDataFolder()
{
    if (const std::filesystem::path data = folderFromEnvironment("XDG_DATA_HOME"); !data.empty())
        return data;
    const std::filesystem::path home = folderFromEnvironment("HOME");
    return (home.empty() ? std::filesystem::path("/tmp") : home) / ".local" / "share";
}

}  // namespace sweepscope
