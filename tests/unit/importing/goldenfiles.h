#pragma once

#include "base/files.h"
#include "importing/importedsweep.h"
#include "importing/pythonspace.h"
#include "importing/sourcefile.h"
#include "importing/yamlvalue.h"
#include "sweep/sweepfile.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

/// Files of another program, each next to the sweep file that the import makes of it. To accept new ones, run with
/// SWEEPSCOPE_ACCEPT=1 and read the differences.
inline void checkGoldenFiles(const std::string &folder)
{
    const std::filesystem::path path = std::filesystem::path(SWEEPSCOPE_SOURCE_DIR) / "tests/unit/importing" / folder;
    int files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(path)) {
        const bool isPython = entry.path().extension() == ".py";
        if (!isPython && entry.path().extension() != ".yaml")
            continue;
        CAPTURE(entry.path().filename().string());
        ++files;
        using namespace sweepscope;
        const std::filesystem::path file = entry.path().filename();
        importing::ImportedSweep imported;
        if (isPython) {
            std::filesystem::current_path(path);  // the command has the path as typed
            imported = importing::importPython(file, std::filesystem::path(SWEEPSCOPE_SOURCE_DIR) / "packaging/python")
                           .value();
        } else {
            imported =
                importing::importYaml(readFile(entry.path(), importing::mostSourceBytes).value(), file.stem().string());
        }
        const std::string text = importing::sweepFileOf(imported);
        for (const sweep::Problem &problem : imported.problems)
            FAIL_CHECK(sweep::describe(problem, entry.path().filename().string()));
        CHECK(sweep::parseSweep(text).problems.empty());
        std::filesystem::path golden = entry.path();
        golden.replace_extension(".toml");
        if (std::getenv("SWEEPSCOPE_ACCEPT") != nullptr)
            REQUIRE(writeFileAtomically(golden, text).has_value());
        CHECK(text == readFile(golden, sweep::mostSweepFileBytes).value_or(std::string()));
    }
    CHECK(files > 3);
}
