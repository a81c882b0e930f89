#include "base/workspacelayout.h"
#include "completionplace.h"

#include <doctest/doctest.h>

using namespace sweepscope::ctl;

namespace {

/// A program like sweepctl: with options, arguments and nested commands.
struct Program {
    CLI::App app{"", "sweepctl"};
    std::string text;
    std::vector<int> numbers;
    bool isSet = false;

    Program()
    {
        CLI::App *mark = app.add_subcommand("mark");
        mark->add_option("SWEEP", text);
        mark->add_option("--workspace", text)->type_name("DIR");
        mark->add_option("--trial,-t", numbers)->type_name("N");
        mark->add_flag("--json", isSet);
        CLI::App *trace = app.add_subcommand("trace");
        trace->add_option("SWEEP", text);
        trace->add_option("TRIAL", numbers);
        app.add_subcommand("machine")->add_subcommand("check")->add_option("NAME", text);
    }
    CompletionPlace at(const std::vector<std::string> &words) const { return completionPlace(app, words); }
};

}  // namespace

TEST_CASE("the first word is a subcommand")
{
    const Program program;
    CHECK(program.at({}).command == &program.app);
    CHECK(program.at({"ma"}).command == &program.app);
    CHECK(program.at({"ma"}).value.empty());
    CHECK(program.at({"machine", ""}).command->get_name() == "machine");
    CHECK(program.at({"machine", "check", ""}).value == "NAME");
}

TEST_CASE("a word behind a subcommand is its next argument")
{
    const Program program;
    CHECK(program.at({"mark", ""}).value == "SWEEP");
    CHECK(program.at({"mark", "--json", "di"}).value == "SWEEP");
    CHECK(program.at({"mark", "digits", ""}).value.empty());
    CHECK(program.at({"trace", "digits", ""}).value == "TRIAL");
    CHECK(program.at({"trace", "digits", "3", ""}).value == "TRIAL");
    CHECK(program.at({"trace", "digits", "3", ""}).sweep == "digits");
}

TEST_CASE("a word behind an option is its value")
{
    const Program program;
    const CompletionPlace place = program.at({"mark", "digits", "-t", ""});
    CHECK(place.option == "-t");
    CHECK(place.value == "N");
    CHECK(place.sweep == "digits");
    CHECK(program.at({"mark", "--trial", "3", ""}).value == "SWEEP");
    CHECK(program.at({"mark", "--trial=3", ""}).value == "SWEEP");
    CHECK(program.at({"mark", "--workspace", ""}).value == "DIR");
    CHECK_FALSE(program.at({"mark", "--trial", "-1"}).isOption);
}

TEST_CASE("a word with a dash is an option")
{
    const Program program;
    CHECK(program.at({"mark", "--tr"}).isOption);
    CHECK(program.at({"mark", "-"}).isOption);
    CHECK(program.at({"mark", "digits", "--"}).command->get_name() == "mark");
}

TEST_CASE("the workspace may stand before the subcommand")
{
    const Program program;
    CHECK(program.at({"--workspace", "/tmp/w", "mark", ""}).workspace == "/tmp/w");
    CHECK(program.at({"mark", "--workspace=/tmp/w", ""}).workspace == "/tmp/w");
    CHECK(program.at({"--workspace", ""}).value == "DIR");
    CHECK(program.at({"mark", ""}).workspace == sweepscope::defaultWorkspaceRoot().string());
}
