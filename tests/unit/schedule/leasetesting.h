#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace sweepscope::tests {

/// A temporary folder for leases, in place of the machine's; removed with its content at the end.
struct Folder {
    Folder()
    {
        std::string name = "/tmp/sweepscope-leases-XXXXXX";
        path = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    std::filesystem::path leases() const { return path / "sweepscope"; }

    std::filesystem::path path;
};

}  // namespace sweepscope::tests
