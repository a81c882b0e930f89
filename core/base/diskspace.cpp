#include "base/diskspace.h"

#include <algorithm>
#include <sys/statvfs.h>

namespace sweepscope {

bool DiskSpace::isFull() const
{
    constexpr std::uint64_t enough = 4 * 1024 * 1024;
    return freeBytes < std::min(enough, totalBytes / 64);
}

std::optional<DiskSpace> diskSpaceOf(const std::filesystem::path &folder)
{
    struct statvfs info {};
    if (::statvfs(folder.c_str(), &info) != 0 || info.f_blocks == 0)
        return std::nullopt;
    return DiskSpace{std::uint64_t{info.f_bavail} * info.f_frsize, std::uint64_t{info.f_blocks} * info.f_frsize};
}

}  // namespace sweepscope
