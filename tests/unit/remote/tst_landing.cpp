#include "remote/portableprograms.h"

#include <doctest/doctest.h>

using namespace sweepscope::remote;

namespace {

const PortablePrograms programs{
    {"x86_64",
     {{"sweepscope-agent", "/x/agent", std::string(64, 'a')}, {"sweepscope-node", "/x/node", std::string(64, 'b')}}}};

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

TEST_CASE("a machine says where programs belong and which are missing")
{
    const std::string good = std::string(64, 'a') + "  -\n" + std::string(64, 'b') + "  -\n";
    const auto landing = landingIn(output("Linux x86_64", places + good), programs);
    REQUIRE(landing);
    CHECK(landing->folder == "/h/programs/v");
    CHECK(landing->work == "/h/work");
    CHECK(landing->room == 600 * 1024);
    CHECK(landing->architecture == "x86_64");
    CHECK(landing->missing.empty());
    const auto missing =
        landingIn(output("Linux x86_64", places + "missing\n" + std::string(64, 'c') + "  -\n"), programs);
    REQUIRE(missing);
    CHECK(missing->missing == std::vector<std::string>{"sweepscope-agent", "sweepscope-node"});
    CHECK(landingIn(output("Linux x86_64", places), programs)->missing.size() == 2);
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
    others["x86_64"][1].sha256 = std::string(64, 'd');
    CHECK(versionOf(programs.at("x86_64")) != versionOf(others.at("x86_64")));
    CHECK(versionOf(programs.at("x86_64")).size() == 16);
    CHECK(landingScript(programs, "~/a b").find("base=$HOME'/a b'\n") != std::string::npos);
    CHECK(landingScript(programs, "it's").find("base='it'\\''s'") != std::string::npos);
}
