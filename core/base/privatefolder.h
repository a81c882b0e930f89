#pragma once

#include "base/error.h"

#include <filesystem>
#include <sys/types.h>

namespace sweepscope {

enum class FolderPrivacy {
    Private,        ///< a folder of the user, without rights for others
    NotAFolder,     ///< a link to a folder is none either
    OfAnotherUser,  ///< who controls its contents
    OpenToOthers,   ///< of the user, but its group or others have rights
};

/// `mode` is what lstat says.
FolderPrivacy privacyOf(uid_t owner, mode_t mode, uid_t user);

/// Succeeds if only the current user can have created files in `folder`. NotFound: there is no such folder.
/// NotPermitted: it is not a private folder of this user; the message gives the folder and the reason.
Expected<void> checkPrivateFolder(const std::filesystem::path &folder);

/// Makes the folder where there is none, and closes one of the current user to others.
Expected<void> makePrivateFolder(const std::filesystem::path &folder);

}  // namespace sweepscope
