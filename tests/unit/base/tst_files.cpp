#include "base/files.h"
#include "base/folderentries.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <stdlib.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

using namespace sweepscope;

namespace {

struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder()
    {
        char name[] = "/tmp/sweepscope-base-XXXXXX";
        path = ::mkdtemp(name);
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("atomically written content is read back, and no temporary file remains")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "a.txt";
    REQUIRE(writeFileAtomically(file, "one").has_value());
    REQUIRE(writeFileAtomically(file, "two").has_value());

    CHECK(readFile(file, 100).value() == "two");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("what a killed process with the same id has left is replaced")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "a.txt";
    REQUIRE(writeFileAtomically(file, "one").has_value());
    REQUIRE(writeFileAtomically(file.string() + ".tmp." + std::to_string(::getpid()), "torn").has_value());
    CHECK(writeFileAtomically(file, "two").has_value());
    CHECK(readFile(file, 100).value() == "two");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("the entries of a folder are listed, and one that cannot be read has none")
{
    const TemporaryFolder folder;
    REQUIRE(writeFileAtomically(folder.path / "a.txt", "one").has_value());
    const std::vector<std::filesystem::directory_entry> entries = entriesOf(folder.path);
    REQUIRE(entries.size() == 1);
    CHECK(entries.front().path() == folder.path / "a.txt");
    CHECK(entriesOf(folder.path / "missing").empty());
    CHECK(entriesOf(folder.path / "a.txt").empty());
}

TEST_CASE("a file at the size limit is read, one byte more is refused with the limit in the message")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "a.txt";
    REQUIRE(writeFileAtomically(file, "12345").has_value());

    CHECK(readFile(file, 5).value() == "12345");
    const auto refused = readFile(file, 4);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::BadInput);
    CHECK(refused.error().message.find("4 bytes") != std::string::npos);
}

TEST_CASE("a missing file is NotFound and the message names it")
{
    const auto missing = readFile("/nowhere/at/all.txt", 10);
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().code == ErrorCode::NotFound);
    CHECK(missing.error().message.find("/nowhere/at/all.txt") != std::string::npos);
}

TEST_CASE("a folder cannot be read as a file")
{
    const auto folder = readFile("/tmp", 10);
    REQUIRE_FALSE(folder.has_value());
    CHECK(folder.error().code == ErrorCode::BadInput);
}

namespace {

/// One of each kind of special file, by its name in the message.
struct Oddities {
    TemporaryFolder folder;
    std::filesystem::path pipe = folder.path / "pipe", link = folder.path / "link", socket = folder.path / "socket";
    int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    Oddities()
    {
        REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
        std::filesystem::create_symlink("/dev/zero", link);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
        REQUIRE(::bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0);
    }
    ~Oddities() { ::close(listener); }
};

void checkRefused(const Expected<FileDescriptor> &opened, const std::string &kind)
{
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().code == ErrorCode::BadInput);
    CHECK_MESSAGE(opened.error().message.find(kind) != std::string::npos, opened.error().message);
}

}  // namespace

TEST_CASE("only regular files are opened for reading and writing, and opening never blocks")
{
    const Oddities oddities;
    for (const int flags : {O_RDONLY, O_RDWR, O_WRONLY | O_CREAT | O_APPEND}) {
        checkRefused(openRegularFile(oddities.pipe, flags), "a named pipe");
        checkRefused(openRegularFile(oddities.socket, flags), "a socket");
        checkRefused(openRegularFile(oddities.link, flags), "a symbolic link");
        checkRefused(openRegularFile(oddities.link, flags, Links::Follow), "a device");
        checkRefused(openRegularFile("/tmp", flags), "a folder");
    }
}

TEST_CASE("an opened file is closed on exec, and its descriptor is blocking again")
{
    const TemporaryFolder folder;
    const auto file = openRegularFile(folder.path / "new", O_WRONLY | O_CREAT);
    REQUIRE(file.has_value());
    CHECK((::fcntl(file->get(), F_GETFD) & FD_CLOEXEC) != 0);
    CHECK((::fcntl(file->get(), F_GETFL) & O_NONBLOCK) == 0);
    CHECK(openRegularFile(folder.path / "none", O_RDONLY).error().code == ErrorCode::NotFound);
}

TEST_CASE("a link to a regular file is read, but refused where links are not allowed")
{
    const TemporaryFolder folder;
    REQUIRE(writeFileAtomically(folder.path / "a", "12345").has_value());
    std::filesystem::create_symlink("a", folder.path / "link");
    CHECK(readFile(folder.path / "link", 10).value() == "12345");
    checkRefused(openRegularFile(folder.path / "link", O_RDONLY), "a symbolic link");
}

TEST_CASE("a pipe is read only if the user named it")
{
    const Oddities oddities;
    CHECK(readFile(oddities.pipe, 10).error().code == ErrorCode::BadInput);
    CHECK(readFile(oddities.link, 10).error().code == ErrorCode::BadInput);
    const int writer = ::open(oddities.pipe.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::write(writer, "1234567", 7) == 7);
    CHECK(readFile(oddities.pipe, 4, Accepted::AnyFile).error().code == ErrorCode::BadInput);  // too long
    ::close(writer);
}

TEST_CASE("a pipe in place of the temporary file does not block a writer")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "a.txt";
    REQUIRE(::mkfifo((file.string() + ".tmp." + std::to_string(::getpid())).c_str(), 0600) == 0);
    REQUIRE(writeFileAtomically(file, "one").has_value());
    CHECK(readFile(file, 100).value() == "one");
}

TEST_CASE("the tail of a file is its last bytes")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "log";
    CHECK(readTail(file, 4).empty());
    REQUIRE(writeFileAtomically(file, "0123456789").has_value());
    CHECK(readTail(file, 4) == "6789");
    CHECK(readTail(file, 100) == "0123456789");
    CHECK(readTail("/dev/zero", 4).empty());
}
