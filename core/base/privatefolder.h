#pragma once

#include "base/error.h"

#include <filesystem>
#include <sys/types.h>

namespace sweepscope {

enum class FolderPrivacy {
    Private,        ///< a folder of the user, without rights for others
    NotAFolder,     ///< a link to a folder is none either
    OfAnotherUser,  ///< who decides what lies in it
    OpenToOthers,   ///< of the user, but its group or others have rights
};

/// `mode` is what lstat says.
FolderPrivacy privacyOf(uid_t owner, mode_t mode, uid_t user);

/// Nobody but the current user can have put a file into `folder`. NotFound: there is no such folder. NotPermitted: the
/// message names the folder and its owner.
Expected<void> checkPrivateFolder(const std::filesystem::path &folder);

/// Makes the folder where there is none, and closes one of the current user to others.
Expected<void> makePrivateFolder(const std::filesystem::path &folder);

}  // namespace sweepscope
