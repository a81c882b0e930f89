#pragma once

#include "base/error.h"
#include "base/filedescriptor.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace sweepscope {

/// An open file that was deleted under each of its names; one that was moved was not.
bool hasNoName(int file);

enum class Links { Follow, Refuse };

/// open() of a file in a place where another program may have put anything, such as the folder of an attempt. Never
/// waits. BadInput when it is a pipe, a device, a folder, a socket or (unless followed) a symbolic link; the message
/// says which.
Expected<FileDescriptor> openRegularFile(const std::filesystem::path &path, int flags, Links links = Links::Refuse,
                                         mode_t mode = 0644);

/// A person may name a pipe (`/dev/stdin`) and waits for its end; a program may not.
enum class Accepted { RegularFile, AnyFile };

/// The whole file. The caller states the most it is ready to hold; a larger file is an error, not a truncation.
/// Follows symbolic links.
Expected<std::string> readFile(const std::filesystem::path &path, std::uint64_t maxBytes,
                               Accepted accepted = Accepted::RegularFile);

/// The last bytes of a regular file that may still grow: at least `bytes` where it has as many, at most twice as many.
/// Empty when it cannot be read.
std::string readTail(const std::filesystem::path &path, std::size_t bytes);

/// What a file that was written must come through. Only PowerLoss waits for the disk.
enum class Survives { Kill, PowerLoss };

/// Writes to a temporary name in the same folder, fsyncs, renames and fsyncs the folder: readers see the old file or
/// the new one, never part of one.
Expected<void> writeFileAtomically(const std::filesystem::path &path, std::string_view content,
                                   Survives survives = Survives::PowerLoss);
/// The same, of what `write` writes to the open file.
Expected<void> writeFileAtomically(const std::filesystem::path &path,
                                   const std::function<Expected<void>(int file)> &write,
                                   Survives survives = Survives::PowerLoss);

/// All of it, resuming after EINTR and short writes.
Expected<void> writeAll(int fd, std::string_view bytes, const std::filesystem::path &pathForMessage);

}  // namespace sweepscope
