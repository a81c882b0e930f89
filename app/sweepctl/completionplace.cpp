#include "completionplace.h"

#include "base/workspacelayout.h"

namespace sweepscope::ctl {

namespace {

bool isDashed(const std::string &word)
{
    return word.size() > 1 && word.front() == '-';
}

/// The option that this word names: "--csv", "-t", or "--csv=DIR", whose value is in the word.
const CLI::Option *optionOf(const CLI::App &command, const std::string &word)
{
    const std::string name = word.substr(0, word.find('='));
    return isDashed(word) ? command.get_option_no_throw(name) : nullptr;
}

bool takesValue(const CLI::Option *option)
{
    return option != nullptr && option->get_items_expected_max() > 0;
}

const CLI::App *subcommandOf(const CLI::App &command, const std::string &name)
{
    for (const CLI::App *subcommand : command.get_subcommands([](const CLI::App *) { return true; })) {
        if (subcommand->get_name() == name)
            return subcommand;
    }
    return nullptr;
}

/// The argument that the word at this place is, after `count` others.
const CLI::Option *positional(const CLI::App &command, int count)
{
    for (const CLI::Option *option : command.get_options()) {
        if (!option->get_positional())
            continue;
        if (count < option->get_items_expected_max())
            return option;
        count -= option->get_items_expected_max();
    }
    return nullptr;
}

std::string valueName(const CLI::Option *option)
{
    return option->get_positional() ? option->get_name(true) : option->get_type_name();
}

}  // namespace

CompletionPlace completionPlace(const CLI::App &app, const std::vector<std::string> &words)
{
    CompletionPlace place{&app, {}, {}, {}, defaultWorkspaceRoot().string()};
    const std::string last = words.empty() ? std::string() : words.back();
    int arguments = 0;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const std::string &word = words[i];
        const bool hasNext = i + 2 < words.size();
        if (word == "--workspace") {  // stands before the subcommand, too
            if (hasNext) {
                place.workspace = words[++i];
                continue;
            }
            place.option = word;
            place.value = "DIR";
        } else if (word.rfind("--workspace=", 0) == 0) {
            place.workspace = word.substr(word.find('=') + 1);
        } else if (const CLI::Option *option = optionOf(*place.command, word)) {
            const bool isWhole = word.find('=') != std::string::npos;
            if (!takesValue(option) || isWhole)
                continue;
            if (hasNext) {
                ++i;
                continue;
            }
            place.option = word;
            place.value = valueName(option);
        } else if (const CLI::App *subcommand = subcommandOf(*place.command, word)) {
            place.command = subcommand;
        } else if (!isDashed(word)) {
            const CLI::Option *argument = positional(*place.command, arguments++);
            if (argument != nullptr && argument->get_name(true) == "SWEEP")
                place.sweep = word;
        }
    }
    place.isOption = place.option.empty() && !last.empty() && last.front() == '-';
    if (place.option.empty() && !place.isOption) {
        if (const CLI::Option *argument = positional(*place.command, arguments))
            place.value = argument->get_name(true);
    }
    return place;
}

}  // namespace sweepscope::ctl
