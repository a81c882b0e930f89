#include "slurm/settings.h"

#include <doctest/doctest.h>

using namespace sweepscope;
using namespace sweepscope::slurm;

namespace {

std::string problemOf(const std::string &toml)
{
    const auto settings = settingsIn(toml);
    return settings ? "accepted" : settings.error().message;
}

std::string secondsOf(const std::string &text)
{
    const auto time = slurmTime(text);
    return time ? std::to_string(time->count()) : "none";
}

}  // namespace

TEST_CASE("settings survive their file")
{
    const Settings settings{"lab'42",      "gpu", "high", "gpu:h100", "1-12:00:00", "a100&nvlink", {"cuda/12.1", "gcc"},
                            {"--mem=64G"}, 3};
    const auto read = settingsIn(toToml(settings));
    REQUIRE_MESSAGE(read.has_value(), read.error().message);
    CHECK(*read == settings);
    CHECK(toToml(Settings()).empty());
    CHECK(settingsIn("") == Settings());
}

TEST_CASE("what sbatch would not understand is refused")
{
    CHECK(problemOf("partion = 'gpu'") == "has the unknown key partion");
    CHECK(problemOf("partition = 3") == "must have a string for partition");
    CHECK(problemOf("waiting = 0") == "must have an integer from 1 to 10,000 for waiting");
    CHECK(problemOf("modules = 'cuda'") == "must have a list of strings for modules");
    CHECK(problemOf("modules = ['']") == "has an empty module");
    CHECK(problemOf("time = 'a day'").starts_with("has no valid time"));
    CHECK(problemOf("account = \"a\\nb\"") == "has a control character in account");
    CHECK(problemOf("extra = ['mem=64G']").find("not an option") != std::string::npos);
    CHECK(problemOf("extra = ['--mem 64G']").find("a space") != std::string::npos);
    CHECK(problemOf("extra = ['--signal=USR1']") == "has --signal in extra, which Sweepscope sets itself");
    CHECK(problemOf("extra = ['--requeue']") == "has --requeue in extra, which Sweepscope sets itself");
    CHECK(problemOf("extra = ['--comment=a b', '--exclusive']") == "accepted");
}

TEST_CASE("times are read as Slurm reads them")
{
    CHECK(secondsOf("90") == "5400");
    CHECK(secondsOf("1:30") == "90");
    CHECK(secondsOf("01:00:05") == "3605");
    CHECK(secondsOf("2-0") == "172800");
    CHECK(secondsOf("1-12:30") == "131400");
    CHECK(secondsOf("1-00:00:01") == "86401");
    for (const char *none :
         {"", "UNLIMITED", "infinite", "n/a", "-5", "1:2:3:4", "1-2-3", "1:", "99999999999999999999", "1:2-3"})
        CHECK_MESSAGE(secondsOf(none) == "none", none);
}
