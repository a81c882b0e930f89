#include "base/workspaceaccess.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <string>
#include <sys/stat.h>

using namespace sweepscope;

TEST_CASE("other users cannot read a workspace, and its group has the access that the folder's mode allows")
{
    CHECK(umaskInside(040700, 0022) == 0077);
    CHECK(umaskInside(040700, 0000) == 0077);
    CHECK(umaskInside(042750, 0022) == 0027);
    CHECK(umaskInside(042770, 0002) == 0007);
    CHECK(umaskInside(040755, 0022) == 0027);  // made before workspaces were private
    CHECK(umaskInside(040710, 0022) == 0077);
}

TEST_CASE("a new workspace is closed to others, its parents follow the umask, and an old one keeps its mode")
{
    std::string name = "/tmp/sweepscope-access-XXXXXX";
    const std::filesystem::path folder = ::mkdtemp(name.data());
    const mode_t before = ::umask(0022);
    const auto modeOf = [](const std::filesystem::path &path) {
        struct stat info {};
        return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0U;
    };
    CHECK(makeWorkspaceFolder(folder / "parent" / "ws").has_value());
    CHECK(modeOf(folder / "parent" / "ws") == 0700);
    CHECK(modeOf(folder / "parent") == 0755);
    CHECK(makeWorkspaceFolder(folder / "slash/").has_value());
    CHECK(modeOf(folder / "slash") == 0700);
    REQUIRE(::chmod((folder / "slash").c_str(), 02750) == 0);
    CHECK(makeWorkspaceFolder(folder / "slash").has_value());
    CHECK(modeOf(folder / "slash") == 02750);
    CHECK_FALSE(makeWorkspaceFolder("/proc/no/such").has_value());
    ::umask(before);
    std::filesystem::remove_all(folder);
}
