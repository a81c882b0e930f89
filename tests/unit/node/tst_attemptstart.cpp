#include "node/attemptstart.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

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

TEST_CASE("of an attempt that a job will run only the files are written")
{
    const Folder folder;
    AttemptStart starts(folder.root, "/bin/true", folder.root / "leases", "test");
    Start start = startOf("a/1", "id");
    start.byJob = true;
    for (int time = 0; time < 2; ++time) {  // the answer may have been lost
        const auto none = starts.run(start);
        REQUIRE(none.has_value());
        CHECK(none->pid == 0);
    }
    const AttemptLayout files{folder.root / "a/1"};
    CHECK(std::filesystem::exists(files.launchFile()));
    CHECK_FALSE(std::filesystem::exists(files.agentLog()));
    CHECK(jobOf(files).empty());
}

TEST_CASE("either a job or its withdrawal has an attempt")
{
    const Folder folder;
    const AttemptLayout files{folder.root};
    SUBCASE("no job has it")
    {
        for (int time = 0; time < 2; ++time)
            CHECK(withdrawFromJobs(files).value_or("failed").empty());
        CHECK(jobOf(files) == withdrawnOwner);
    }
    SUBCASE("a job has it")
    {
        std::ofstream(files.jobFile()) << "1234\n";
        CHECK(withdrawFromJobs(files).value_or("failed") == "1234");
        CHECK(jobOf(files) == "1234");
    }
    SUBCASE("a job has begun, and not written its id yet")
    {
        std::ofstream(files.jobFile()).flush();
        CHECK(withdrawFromJobs(files).value_or("") == "unknown");
    }
    SUBCASE("there is no folder")
    {
        CHECK_FALSE(withdrawFromJobs({folder.root / "none"}).has_value());
    }
}
