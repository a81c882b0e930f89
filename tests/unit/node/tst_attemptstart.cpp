#include "node/attemptstart.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>

using namespace sweepscope;
using namespace sweepscope::node;

namespace {

/// A folder with agents that end at once.
struct Folder {
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "start-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        root = name;
    }
    ~Folder() { std::filesystem::remove_all(root); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    std::filesystem::path root;
};

Start startOf(const std::string &folder, const std::string &attempt)
{
    const std::string launch =
        R"({"version":1,"attempt_id":")" + attempt + R"(","argv":["true"],"working_folder":"/","ranks":1})";
    return {1, folder, attempt, {{"launch.json", launch}}, {}};
}

}  // namespace

TEST_CASE("an attempt that was withdrawn never starts")
{
    const Folder folder;
    AttemptStart starts(folder.root, "/bin/true", folder.root / "leases", "test");
    const auto none = starts.withdraw({1, "a/1", "id"});
    REQUIRE(none.has_value());
    CHECK_FALSE(none->has_value());
    const auto refused = starts.run(startOf("a/1", "id"));
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message == "the attempt was withdrawn");
    CHECK(starts.run(startOf("a/2", "id")).has_value());
}

TEST_CASE("what leads out of the folder is neither started nor withdrawn")
{
    const Folder folder;
    AttemptStart starts(folder.root, "/bin/true", folder.root / "leases", "test");
    for (const char *wrong : {"", "/tmp", "../a", "a/../../b", "a/.b"}) {
        CHECK_FALSE(starts.run(startOf(wrong, "id")).has_value());
        CHECK_FALSE(starts.withdraw({1, wrong, "id"}).has_value());
    }
}

TEST_CASE("the folder of another attempt is left alone")
{
    const Folder folder;
    AttemptStart starts(folder.root, "/bin/true", folder.root / "leases", "test");
    REQUIRE(starts.run(startOf("a/1", "id")).has_value());
    CHECK_FALSE(starts.run(startOf("a/1", "other")).has_value());
    CHECK_FALSE(starts.withdraw({1, "a/1", "other"}).has_value());
}
