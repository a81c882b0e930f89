#pragma once

#include <filesystem>

namespace sweepscope {

class FileDescriptor;

/// Whether this file is the one that the path names now, and not one that another has replaced.
bool isNamed(const FileDescriptor &file, const std::filesystem::path &path);

}  // namespace sweepscope
