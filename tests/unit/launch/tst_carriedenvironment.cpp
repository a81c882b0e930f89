#include "launch/carriedenvironment.h"
#include "launch/environmentfile.h"

#include <doctest/doctest.h>

using namespace sweepscope::launch;
using Variables = std::map<std::string, std::string>;

TEST_CASE("carries the variables that are missing or different there")
{
    const auto carried = carriedEnvironment({{"A", "1"}, {"B", "2"}, {"C", "3"}}, {{"A", "1"}, {"B", "x"}, {"D", "4"}});
    CHECK(carried.plain == Variables{{"B", "2"}, {"C", "3"}});
    CHECK(carried.secret.empty());
}

TEST_CASE("leaves out what Sweepscope sets, and what differs between any two shells")
{
    const auto carried = carriedEnvironment(
        {{"RANK", "1"}, {"CUDA_VISIBLE_DEVICES", "0"}, {"_", "x"}, {"SHLVL", "3"}, {"BASH_FUNC_f%%", "() {\n}"}}, {});
    CHECK(carried.plain.empty());
    CHECK(carried.secret.empty());
    CHECK(carried.left.empty());
}

TEST_CASE("keeps secrets apart, and names those that a file cannot have")
{
    const auto carried = carriedEnvironment(
        {{"WANDB_API_KEY", "abc"}, {"HTTPS_PROXY", "http://ann:pw@proxy:1"}, {"TLS_KEY", "a\nb"}, {"TEXT", "a\nb"}},
        {});
    CHECK(carried.plain == Variables{{"TEXT", "a\nb"}});
    CHECK(carried.secret == Variables{{"WANDB_API_KEY", "abc"}, {"HTTPS_PROXY", "http://ann:pw@proxy:1"}});
    CHECK(carried.left == std::vector<std::string>{"TLS_KEY"});
}

TEST_CASE("an environment file has every value exactly")
{
    const Variables secrets{{"A_KEY", " a\"b'# "}, {"B_KEY", ""}, {"C_KEY", "\"quoted\""}, {"D_KEY", "x=y"}};
    CHECK(*parseEnvironmentFile(toEnvironmentFile(secrets)) == secrets);
}

TEST_CASE("reads the environment of a process")
{
    using namespace std::string_view_literals;
    CHECK(environmentOf("A=1\0B=x=y\0\0=z\0broken\0C="sv) == Variables{{"A", "1"}, {"B", "x=y"}, {"C", ""}});
    CHECK(environmentOf("").empty());
}
