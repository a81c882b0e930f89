#pragma once

#include "base/error.h"
#include "remote/ssh.h"

#include <cstdint>
#include <filesystem>
#include <string>

/// Folders that people copy to this machine, also from another one, with OpenSSH's sftp.
namespace sweepscope::remote {

struct FolderSize {
    std::int64_t files = 0;
    std::int64_t bytes = 0;
    std::string state{};  ///< changes with each file's size or time
};
/// Without symbolic links. No files: there is no such folder. Unavailable: the connection broke.
Expected<FolderSize> sizeOf(const Ssh &ssh, const std::string &folder);
/// The same on this machine.
Expected<FolderSize> sizeOf(const std::filesystem::path &folder);

/// Copies what is in the folder there into one here that is new, empty, or has an interrupted copy of the same `state`.
/// BadInput: it is another one. sftp shows its progress if this program's output is a terminal.
Expected<void> fetchFolder(const Ssh &ssh, const std::string &there, const std::string &state,
                           const std::filesystem::path &here);
/// The same on this machine.
Expected<void> copyFolder(const std::filesystem::path &from, const std::string &state, const std::filesystem::path &to);

}  // namespace sweepscope::remote
