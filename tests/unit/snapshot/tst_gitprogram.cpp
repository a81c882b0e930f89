#include "snapshot/gitprogram.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::snapshot;
using namespace std::string_literals;

TEST_CASE("names end with NUL, and have any other byte")
{
    CHECK(namesIn("").empty());
    CHECK(namesIn("a\0b\nc\xff\0"s) == std::vector<std::string>{"a", "b\nc\xff"});
    CHECK(namesIn("a\0cut"s) == std::vector<std::string>{"a", "cut"});
    CHECK(namesIn("\0\0a\0"s) == std::vector<std::string>{"a"});
}

TEST_CASE("the first error of git is its complaint")
{
    CHECK(complaintIn("") == "");
    CHECK(complaintIn("warning: slow\nerror: open(\"x\"): Permission denied\nfatal: Unable to process path x\n")
          == "open(\"x\"): Permission denied");
    CHECK(complaintIn("git: command not found\nmore\n") == "git: command not found");
    CHECK(complaintIn("fatal: \033[31mred\n") == "?[31mred");
}
