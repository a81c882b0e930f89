#include "base/files.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <stdlib.h>

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

TEST_CASE("what was written atomically is read back, and no temporary file stays")
{
    const TemporaryFolder folder;
    const auto file = folder.path / "a.txt";
    REQUIRE(writeFileAtomically(file, "one").has_value());
    REQUIRE(writeFileAtomically(file, "two").has_value());

    CHECK(readFile(file, 100).value() == "two");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a file at the limit is read, one byte more is refused with the limit in the message")
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

TEST_CASE("a folder is not read as a file")
{
    const auto folder = readFile("/tmp", 10);
    REQUIRE_FALSE(folder.has_value());
    CHECK(folder.error().code == ErrorCode::BadInput);
}
