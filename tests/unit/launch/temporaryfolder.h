#pragma once

#include <filesystem>
#include <stdlib.h>

struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder()
    {
        char name[] = "/tmp/sweepscope-launch-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
};
