#include "base/privatefolder.h"

#include "base/user.h"

#include <cerrno>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace sweepscope {

namespace {

constexpr mode_t rightsOfOthers = 0077;

Expected<struct stat> statusOf(const std::filesystem::path &folder)
{
    struct stat info {};
    if (::lstat(folder.c_str(), &info) == 0)
        return info;
    if (errno == ENOENT)
        return makeError(ErrorCode::NotFound, "there is no folder " + folder.string());
    return makeErrnoError("cannot read " + folder.string(), errno);
}

Expected<void> checkPrivacy(const std::filesystem::path &folder, const struct stat &info)
{
    const std::string advice = "; remove it, or set XDG_RUNTIME_DIR to a folder that you own";
    switch (privacyOf(info.st_uid, info.st_mode, ::geteuid())) {
    case FolderPrivacy::Private:
        break;
    case FolderPrivacy::NotAFolder:
        return makeError(ErrorCode::NotPermitted,
                         folder.string() + " of user " + describeUser(info.st_uid) + " is not a folder" + advice);
    case FolderPrivacy::OfAnotherUser:
        return makeError(ErrorCode::NotPermitted,
                         "the folder " + folder.string() + " belongs to user " + describeUser(info.st_uid) + advice);
    case FolderPrivacy::OpenToOthers:
        return makeError(ErrorCode::NotPermitted, "the folder " + folder.string()
                                                      + " is accessible to other users; run chmod 700 "
                                                      + folder.string());
    }
    return {};
}

}  // namespace

FolderPrivacy privacyOf(uid_t owner, mode_t mode, uid_t user)
{
    if (!S_ISDIR(mode))
        return FolderPrivacy::NotAFolder;
    if (owner != user)
        return FolderPrivacy::OfAnotherUser;
    return (mode & rightsOfOthers) != 0 ? FolderPrivacy::OpenToOthers : FolderPrivacy::Private;
}

Expected<void> checkPrivateFolder(const std::filesystem::path &folder)
{
    return statusOf(folder).and_then([&](const struct stat &info) { return checkPrivacy(folder, info); });
}

Expected<void> makePrivateFolder(const std::filesystem::path &folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return makeErrnoError("cannot create the folder " + folder.string(), errno);
    const Expected<struct stat> info = statusOf(folder);
    if (!info)
        return tl::unexpected<Error>(info.error());
    if (privacyOf(info->st_uid, info->st_mode, ::geteuid()) != FolderPrivacy::OpenToOthers)
        return checkPrivacy(folder, *info);
    if (::chmod(folder.c_str(), 0700) != 0)
        return makeErrnoError("cannot make the folder " + folder.string() + " private", errno);
    return {};
}

}  // namespace sweepscope
