#pragma once

#include <filesystem>
#include <stdlib.h>

/// A separate folder for each test, removed at its end.
struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder()
    {
        char name[] = "/tmp/sweepscope-exporting-XXXXXX";
        path = ::mkdtemp(name);
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};
