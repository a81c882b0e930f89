#include "base/privatefolder.h"

#include "base/user.h"

#include <array>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace sweepscope;

TEST_CASE("a folder is private if it is a folder, belongs to the user, and is closed to others")
{
    constexpr uid_t anna = 1000;
    constexpr uid_t eve = 1001;
    struct Row {
        uid_t owner;
        mode_t mode;
        FolderPrivacy expected;
    };
    for (const Row &row : std::to_array<Row>({{anna, S_IFDIR | 0700, FolderPrivacy::Private},
                                              {anna, S_IFDIR | 02700, FolderPrivacy::Private},
                                              {anna, S_IFDIR | 0755, FolderPrivacy::OpenToOthers},
                                              {anna, S_IFDIR | 0770, FolderPrivacy::OpenToOthers},
                                              {anna, S_IFDIR | 0701, FolderPrivacy::OpenToOthers},
                                              {eve, S_IFDIR | 0700, FolderPrivacy::OfAnotherUser},
                                              {eve, S_IFDIR | 0777, FolderPrivacy::OfAnotherUser},
                                              {0, S_IFDIR | 0700, FolderPrivacy::OfAnotherUser},
                                              {anna, S_IFLNK | 0777, FolderPrivacy::NotAFolder},
                                              {anna, S_IFREG | 0600, FolderPrivacy::NotAFolder}})) {
        CAPTURE(row.owner);
        CAPTURE(row.mode);
        CHECK(privacyOf(row.owner, row.mode, anna) == row.expected);
    }
}

TEST_CASE("a folder that is not private is refused with its name")
{
    std::string name = "/tmp/sweepscope-private-XXXXXX";
    const std::filesystem::path folder = ::mkdtemp(name.data());
    CHECK(checkPrivateFolder(folder).has_value());
    std::filesystem::create_directory_symlink(folder, folder / "link");
    const auto link = checkPrivateFolder(folder / "link");
    REQUIRE_FALSE(link.has_value());
    CHECK(link.error().code == ErrorCode::NotPermitted);
    CHECK(link.error().message.find((folder / "link").string()) != std::string::npos);
    CHECK(checkPrivateFolder(folder / "missing").error().code == ErrorCode::NotFound);
    REQUIRE(::chmod(folder.c_str(), 0755) == 0);
    CHECK(checkPrivateFolder(folder).error().message.find("chmod 700") != std::string::npos);
    CHECK(makePrivateFolder(folder).has_value());
    CHECK(checkPrivateFolder(folder).has_value());
    std::filesystem::remove_all(folder);
}

TEST_CASE("the user at the other end of a socket is known")
{
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    CHECK(peerUser(ends[0]) == ::geteuid());
    CHECK_FALSE(peerUser(-1).has_value());
    ::close(ends[0]);
    ::close(ends[1]);
}
