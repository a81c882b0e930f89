#include "remote/portableprograms.h"

#include <doctest/doctest.h>

using namespace sweepscope::remote;

namespace {

const PortablePrograms programs{{"x86_64", {"/x/node", std::string(64, 'a')}}};

std::string output(const std::string &system, const std::string &rest)
{
    return "Welcome!\nsweepscope-landing 1\n" + system + "\n" + rest;
}

const std::string places = "/h/programs/v\n/h/work\n/dev/sda1 1000 400 600 40% /\n";

std::string errorOf(const std::string &text)
{
    const auto landing = landingIn(text, programs);
    return landing ? "landed" : landing.error().message;
}

}  // namespace

TEST_CASE("a machine says where programs belong and whether both are there")
{
    const std::string good = std::string(64, 'a') + "  -\n";
    const std::string damaged = std::string(64, 'c') + "  -\n";
    const auto landing = landingIn(output("Linux x86_64", places + good + good), programs);
    REQUIRE(landing);
    CHECK(landing->folder == "/h/programs/v");
    CHECK(landing->work == "/h/work");
    CHECK(landing->room == 600 * 1024);
    CHECK(landing->architecture == "x86_64");
    CHECK_FALSE(landing->isMissing);
    for (const std::string &found : {good, good + damaged, damaged + good, good + "missing\n", std::string()}) {
        const auto incomplete = landingIn(output("Linux x86_64", places + found), programs);
        REQUIRE(incomplete);
        CHECK(incomplete->isMissing);
    }
}

TEST_CASE("a machine on which nothing can land says why")
{
    CHECK(errorOf("") == "its shell did not run the script, and printed: ");
    CHECK(errorOf("This account is disabled.\n")
          == "its shell did not run the script, and printed: This account is disabled.?");
    CHECK(errorOf(output("Darwin arm64", "")) == "it runs Darwin arm64, for which Sweepscope has no programs");
    CHECK(errorOf(output("Linux riscv64", "")) == "it runs Linux riscv64, for which Sweepscope has no programs");
    CHECK(errorOf(output("Linux x86_64", "")) == "no folder could be created there");
    CHECK(errorOf(output("Linux x86_64", "relative\n/h\nx\n")) == "no folder could be created there");
}

TEST_CASE("other programs have another folder, and the script quotes its own")
{
    PortablePrograms others = programs;
    others["x86_64"].sha256 = std::string(64, 'd');
    CHECK(versionOf(programs.at("x86_64")) != versionOf(others.at("x86_64")));
    CHECK(versionOf(programs.at("x86_64")).size() == 16);
    CHECK(landingScript(programs, "~/a b").find("base=$HOME'/a b'\n") != std::string::npos);
    CHECK(landingScript(programs, "it's").find("base='it'\\''s'") != std::string::npos);
}
