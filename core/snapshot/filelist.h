#pragma once

#include "base/error.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Which files belong to the code in a folder.
namespace sweepscope::snapshot {

struct CodeFile {
    std::string path;  ///< relative to the root; any bytes but NUL
    std::uint64_t bytes = 0;
};

struct FileList {
    std::filesystem::path root;   ///< the top of the git work tree that contains the folder, or the folder itself
    std::filesystem::path below;  ///< the folder, relative to the root; empty: the root itself
    bool isRepository = false;
    bool isComplete = true;  ///< false: there are more files, and the list ends after mostFiles
    std::vector<CodeFile>
        files{};  ///< regular files and symbolic links that this user can read, in order of their path
};

constexpr std::size_t mostFiles = 20'000;
constexpr std::uint64_t mostBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t mostBytesOfFile = std::uint64_t{64} << 20;

/// Lists the code in `folder`. In a git work tree: what git tracks, and what it neither tracks nor ignores, also of
/// submodules and other repositories inside. Elsewhere, and if the work tree is the user's home folder: all files in
/// `folder`. Both without caches and virtual environments (isLeftOut()), `excluded`, and pipes, sockets and devices.
/// Writes nothing. BadInput if git refuses the repository; the message says why.
Expected<FileList> listCode(const std::filesystem::path &folder, const std::filesystem::path &excluded,
                            const std::atomic<bool> &cancelled);

/// BadInput if the list exceeds the limits above; the message names the total, the largest parts, and what to do.
Expected<void> checkLimits(const FileList &list);

/// Whether a folder or file of this name is never code: caches of Python and Node, and virtual environments.
bool isLeftOut(const std::string &name);

/// Returns the pattern of .gitignore that matches just this path below its folder.
std::string ignorePattern(const std::string &path);

}  // namespace sweepscope::snapshot
