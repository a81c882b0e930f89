#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace sweepscope {

/// Returns the kind of a network or FUSE file system from statfs's f_type (linux/magic.h and statfs(2)); nullopt if it
/// is of another kind. FUSE does not reveal the underlying system; sshfs is the usual one.
std::optional<std::string_view> sharedFileSystem(long type);

/// Returns the kind of the file system of `folder` if other machines may write to it; nullopt if not, or if unknown.
std::optional<std::string_view> sharedFileSystemOf(const std::filesystem::path &folder);

}  // namespace sweepscope
