#pragma once

#include "base/error.h"
#include "remote/ssh.h"

#include <cstdint>
#include <filesystem>
#include <string>

/// Folders on another machine that people copy, with OpenSSH's sftp.
namespace sweepscope::remote {

struct FolderSize {
    std::int64_t files = 0;
    std::int64_t bytes = 0;
    std::string state{};  ///< changes with each file's size or time
};
/// Without symbolic links. No files: there is no such folder. Unavailable: the connection broke.
Expected<FolderSize> sizeOf(const Ssh &ssh, const std::string &folder);

/// Copies what is in the folder there into one here, which is created if needed. A copy that was interrupted is completed,
/// unless the folder's `state` has changed since then. sftp shows its progress if this program's output is a terminal.
Expected<void> fetchFolder(const Ssh &ssh, const std::string &there, const std::string &state,
                           const std::filesystem::path &here);

}  // namespace sweepscope::remote
