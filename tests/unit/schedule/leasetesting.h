#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace sweepscope::tests {

/// For leases, as a machine has one; it goes away with all that is in it.
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
