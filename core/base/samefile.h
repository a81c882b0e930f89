#pragma once

#include <filesystem>
#include <optional>
#include <sys/types.h>

namespace sweepscope {

class FileDescriptor;

/// Returns whether the path still names this file, that is, no other file has replaced it.
bool isNamed(const FileDescriptor &file, const std::filesystem::path &path);

/// Two of one machine, at one time, are of the same file when they are equal.
struct FileIdentity {
    dev_t device = 0;
    ino_t inode = 0;
    bool operator==(const FileIdentity &) const = default;
};

/// Of what the path names now: of a link itself. None when there is nothing.
std::optional<FileIdentity> identityOf(const std::filesystem::path &path);

/// Remove the file when it is still this one: another may have taken its place.
void removeIfStill(const FileIdentity &file, const std::filesystem::path &path);

}  // namespace sweepscope
