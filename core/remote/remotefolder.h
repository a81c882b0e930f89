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
};
/// Without symbolic links. No files: there is no such folder. Unavailable: the connection broke.
Expected<FolderSize> sizeOf(const Ssh &ssh, const std::string &folder);

/// Copies what is in the folder there into one here, which is created if needed. Files that are here in part are completed.
/// sftp shows its progress if this program's output is a terminal.
Expected<void> fetchFolder(const Ssh &ssh, const std::string &there, const std::filesystem::path &here);

}  // namespace sweepscope::remote
