#include "launch/environmentfile.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>
#include <fstream>

using namespace sweepscope;
using namespace sweepscope::launch;
using Environment = std::map<std::string, std::string>;

TEST_CASE("reads names and values, and skips comments and empty lines")
{
    const auto read =
        parseEnvironmentFile("# keys\nWANDB_API_KEY=abc=def\n\n  HF_HOME = /data/hf \r\nexport _A1=x\nEMPTY=");
    REQUIRE(read);
    CHECK(*read == Environment{{"WANDB_API_KEY", "abc=def"}, {"HF_HOME", "/data/hf"}, {"_A1", "x"}, {"EMPTY", ""}});
    CHECK(parseEnvironmentFile("")->empty());
}

TEST_CASE("removes one pair of quotes and expands nothing")
{
    const auto read = parseEnvironmentFile("A=\" $B \"\nB='#x'\nC=''\nD=a\"\nE=\\n");
    REQUIRE(read);
    CHECK(*read == Environment{{"A", " $B "}, {"B", "#x"}, {"C", ""}, {"D", "a\""}, {"E", "\\n"}});
}

TEST_CASE("the last line of a name counts")
{
    CHECK(*parseEnvironmentFile("A=1\nA=2") == Environment{{"A", "2"}});
}

TEST_CASE("an error names the line but not its content")
{
    const auto check = [](std::string_view content, std::string_view problem) {
        const auto read = parseEnvironmentFile(content);
        REQUIRE_FALSE(read);
        CHECK(read.error().message == problem);
    };
    check("A=1\nhunter2", "line 2: NAME=VALUE is expected");
    for (const char *const content : {"A=1\n=hunter2", "A=1\n1A=hunter2", "A=1\nA B=hunter2"})
        check(content, "line 2: the name must consist of letters, digits and _, and not begin with a digit");
    for (const char *const content : {"A=\"hunter2", "A='hunter2\"", "A=\""})
        check(content, "line 1: the value begins with a quote and does not end with the same");
    check(std::string_view("A=x\0y", 5), "line 1: the value contains a zero byte");
    check("WORLD_SIZE=4", "line 1: Sweepscope sets WORLD_SIZE for each rank; remove the line");
}

TEST_CASE("reads a file through a link, and names a file that is missing, too large or no file")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path / "secrets") << "TOKEN=0123456789";
    std::filesystem::create_symlink("secrets", folder.path / "link");
    CHECK(*readEnvironmentFile(folder.path / "link") == Environment{{"TOKEN", "0123456789"}});
    std::ofstream(folder.path / "large") << std::string(65 * 1024, 'x');
    std::ofstream(folder.path / "broken") << "TOKEN";
    for (const char *const name : {"missing", "large", "broken", "."}) {
        const auto read = readEnvironmentFile(folder.path / name);
        REQUIRE_FALSE(read);
        CHECK_MESSAGE(read.error().message.find(folder.path.string()) != std::string::npos, read.error().message);
    }
}
