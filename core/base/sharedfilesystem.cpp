#include "base/sharedfilesystem.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <sys/vfs.h>

namespace sweepscope {

namespace {

struct Kind {
    std::uint32_t type = 0;
    std::string_view name{};
};

constexpr std::array kinds{
    Kind{0x6969, "NFS"},      Kind{0x517B, "SMB"},        Kind{0xFF534D42, "SMB"},   Kind{0xFE534D42, "SMB"},
    Kind{0x65735546, "FUSE"}, Kind{0x01021997, "9P"},     Kind{0x00C36400, "Ceph"},  Kind{0x0BD00BD0, "Lustre"},
    Kind{0x47504653, "GPFS"}, Kind{0x19830326, "BeeGFS"}, Kind{0x6B414653, "AFS"},   Kind{0x5346414F, "AFS"},
    Kind{0x01161970, "GFS2"}, Kind{0x7461636F, "OCFS2"},  Kind{0xAAD7AAEA, "PanFS"},
};

}  // namespace

std::optional<std::string_view> sharedFileSystem(long type)
{
    const auto *const found = std::ranges::find(kinds, static_cast<std::uint32_t>(type), &Kind::type);
    return found == kinds.end() ? std::nullopt : std::optional(found->name);
}

std::optional<std::string_view> sharedFileSystemOf(const std::filesystem::path &folder)
{
    struct statfs info {};
    return ::statfs(folder.c_str(), &info) == 0 ? sharedFileSystem(info.f_type) : std::nullopt;
}

}  // namespace sweepscope
