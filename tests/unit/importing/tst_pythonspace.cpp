#include "goldenfiles.h"

#include "importing/pythonspace.h"

using namespace sweepscope;

TEST_CASE("search spaces in scripts become the expected sweep files")
{
    checkGoldenFiles("python");
}

TEST_CASE("problems keep their line in the script")
{
    const auto imported = importing::importPrintedSpace(
        R"({"source": "optuna", "parameters": [], "problems": [{"field": "lr", "message": "is wrong", "line": 7, "column": 3}]})",
        "tune.py");
    REQUIRE(imported.problems.size() == 1);
    CHECK(sweep::describe(imported.problems.front(), "tune.py") == "tune.py:7:3: lr: is wrong");
}

TEST_CASE("a script without a search space is refused")
{
    const auto imported = importing::importPrintedSpace(R"({"source": null, "parameters": []})", "a.py");
    REQUIRE(imported.problems.size() == 1);
    CHECK(imported.problems.front().message.find("no literal search space") != std::string::npos);
}

TEST_CASE("whatever python3 prints is refused or becomes a sweep")
{
    for (
        const char *text :
        {"", "[]", "3", "{", R"({"parameters": 3, "settings": [], "problems": {}, "notes": [1, [2], [3, 4]]})",
         R"({"source": "ray", "parameters": [{}, 1, {"kind": "int", "low": 1e300, "high": -1e300, "step": 1e300}]})",
         R"({"source": "optuna", "parameters": [{"name": "a", "kind": "normal", "mean": "x"}], "settings": {"goals": [1]}})",
         R"({"source": "wandb", "wandb": "{}"})"}) {
        CAPTURE(text);
        importing::ImportedSweep imported = importing::importPrintedSpace(text, "a.py");
        CHECK(importing::sweepFileOf(imported).empty());
        CHECK(!imported.problems.empty());
    }
}
