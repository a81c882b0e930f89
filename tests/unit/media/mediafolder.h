#pragma once

#include "base/workspacelayout.h"

#include <filesystem>
#include <fstream>
#include <ios>
#include <stdlib.h>
#include <string>

namespace sweepscope::tests {

/// The folder of an attempt, without the programs that usually write it.
struct MediaFolder {
    std::filesystem::path path;
    MediaFolder()
    {
        char name[] = "/tmp/sweepscope-media-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~MediaFolder() { std::filesystem::remove_all(path); }
    MediaFolder(const MediaFolder &) = delete;
    MediaFolder &operator=(const MediaFolder &) = delete;

    AttemptLayout layout() const { return {path}; }
    void append(const std::string &name, const std::string &bytes) const
    {
        std::ofstream(path / name, std::ios::app | std::ios::binary) << bytes;
    }
    void write(const std::string &name, const std::string &bytes) const
    {
        std::ofstream(path / name, std::ios::trunc | std::ios::binary) << bytes;
    }
};

}  // namespace sweepscope::tests
