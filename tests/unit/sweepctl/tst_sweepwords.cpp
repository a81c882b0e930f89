#include "sweepwords.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::ctl;

namespace {

std::string titleOf(const std::string &folder, const std::string &name)
{
    sweep::SweepRecord record;
    record.folder = folder;
    record.name = name;
    return titleInWords(record);
}

}  // namespace

TEST_CASE("the title of a sweep has its name where the folder does not spell it")
{
    CHECK(titleOf("0003-digits-mlp", "digits-mlp") == "0003-digits-mlp");
    CHECK(titleOf("0005-bad_run", "bad run") == "0005-bad_run \"bad run\"");
    CHECK(titleOf("0005-bad_run", "bad_run") == "0005-bad_run");
    CHECK(titleOf("0001-first", "renamed") == "0001-first \"renamed\"");
}
