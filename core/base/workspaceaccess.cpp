#include "base/workspaceaccess.h"

#include <cerrno>
#include <string>
#include <sys/stat.h>
#include <system_error>

namespace sweepscope {

namespace {

constexpr mode_t rightsOfOthers = 0007;
constexpr mode_t rightsOfGroup = 0070;
constexpr mode_t groupMayRead = 0050;

}  // namespace

Expected<void> makeWorkspaceFolder(const std::filesystem::path &root)
{
    std::error_code error;
    if (std::filesystem::is_directory(root, error))
        return {};
    // "ws/" has no file name, and mkdir makes its last part all the same.
    const std::filesystem::path folder = root.has_filename() ? root : root.parent_path();
    if (folder.has_parent_path())
        std::filesystem::create_directories(folder.parent_path(), error);  // what comes next fails then, and says why
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return makeErrnoError(
            "the workspace folder " + root.string() + " is not writable; choose another one with --workspace", errno);
    return {};
}

mode_t umaskInside(mode_t workspaceFolder, mode_t usersUmask)
{
    const bool groupReads = (workspaceFolder & groupMayRead) == groupMayRead;
    return usersUmask | rightsOfOthers | (groupReads ? 0 : rightsOfGroup);
}

mode_t enterUmaskOf(const std::filesystem::path &root)
{
    const mode_t usersUmask = ::umask(rightsOfOthers | rightsOfGroup);
    struct stat info {};
    if (::stat(root.c_str(), &info) == 0)
        ::umask(umaskInside(info.st_mode, usersUmask));
    return usersUmask;
}

}  // namespace sweepscope
