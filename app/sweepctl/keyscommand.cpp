#include "exitcode.h"
#include "subcommand.h"

#include "base/suggestion.h"
#include "sweep/keytext.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace sweepscope::ctl {

namespace {

void printEntry(const std::string &name, const std::string &summary)
{
    constexpr std::size_t nameWidth = 22;
    std::string padded = "  " + name;
    padded.resize(std::max(padded.size() + 1, nameWidth), ' ');
    std::cout << padded << summary << '\n';
}

void printSection(const std::string &section)
{
    std::cout << "[" << section << "]\n";
    for (const sweep::Key &key : sweep::keysOf(section))
        printEntry(key.name, sweep::summaryOf(key));
}

/// Accepts "run.timeout", "timeout", or a section: "run", "space".
int printNamed(const std::string &name)
{
    std::vector<std::string> known;
    bool isFound = false;
    for (const std::string &section : sweep::keySections()) {
        known.push_back(section);
        if (section == name) {
            printSection(section);
            isFound = true;
        }
    }
    for (const sweep::FreeSection &section : sweep::freeSections()) {
        known.push_back(section.name);
        if (section.name == name) {
            std::cout << (isFound ? "\n" : "") << sweep::helpText(section);
            isFound = true;
        }
    }
    for (const sweep::Key &key : sweep::keys()) {
        known.push_back(key.path());
        known.push_back(key.name);
        if (key.path() != name && key.name != name)
            continue;
        std::cout << (isFound ? "\n" : "") << sweep::helpText(key);
        isFound = true;
    }
    if (isFound)
        return good;
    std::cerr << "sweepctl: the sweep file has no key '" << name << "'" << suggestion(name, known)
              << ". `sweepctl keys` lists all.\n";
    return badInput;
}

int printKeys(const std::string &name)
{
    if (!name.empty())
        return printNamed(name);
    for (const std::string &section : sweep::keySections()) {
        printSection(section);
        std::cout << '\n';
    }
    for (const sweep::FreeSection &section : sweep::freeSections()) {
        std::cout << "[" << section.name << "]\n";
        printEntry("NAME", sweep::summaryOf(section));
        std::cout << '\n';
    }
    std::cout << "You choose NAME; for an objective, it is the name of the metric. See docs/sweep-file.md.\n";
    return good;
}

}  // namespace

Subcommand makeKeysCommand(CLI::App &app)
{
    auto name = std::make_shared<std::string>();
    CLI::App *command = app.add_subcommand("keys", "Explain the keys of the sweep file");
    command->add_option("KEY", *name, "A key or section (default: list all)")->type_name("");
    command->footer("Examples:\n  sweepctl keys\n  sweepctl keys devices\n  sweepctl keys run.timeout");
    return {command, [name] { return printKeys(*name); }};
}

}  // namespace sweepscope::ctl
