#include "base/installation.h"

#include <system_error>

namespace sweepscope {

std::filesystem::path executableFolder()
{
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

std::filesystem::path shareFolder()
{
    return executableFolder().parent_path() / "share" / "sweepscope";
}

}  // namespace sweepscope
