#include "usageerror.h"

#include "base/suggestion.h"

#include <algorithm>
#include <vector>

namespace sweepscope::ctl {

namespace {

std::vector<std::string> subcommandNames(const CLI::App &app)
{
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
        names.push_back(command->get_name());
    return names;
}

std::vector<std::string> optionNames(const CLI::App &command)
{
    std::vector<std::string> names;
    for (const CLI::Option *option : command.get_options()) {
        for (const std::string &name : option->get_lnames())
            names.push_back("--" + name);
    }
    return names;
}

std::string firstWord(const std::vector<std::string> &words)
{
    const bool isOption = words.empty() || words.front().empty() || words.front().front() == '-';
    return isOption ? std::string() : words.front();
}

/// "sweepctl priority needs SWEEP and --level"
std::string missingArguments(const CLI::App &command, const std::string &name)
{
    const std::vector<std::string> known = subcommandNames(command);
    if (!known.empty())
        return "sweepctl " + name + " needs a command: " + orList(known);
    std::string names;
    for (const CLI::Option *option : command.get_options()) {
        if (option->get_required() && option->count() == 0)
            names += (names.empty() ? "" : " and ") + option->get_name();
    }
    return "sweepctl " + name + " needs " + names;
}

/// Of an option without a value, which is then the last word; else of one that was repeated.
std::string wrongNumberOfValues(const CLI::App &command, const std::string &lastWord)
{
    for (const CLI::Option *option : command.get_options()) {
        if (option->get_items_expected_max() == 1 && option->count() > 1)
            return option->get_name() + " can be used only once";
    }
    return lastWord + " needs a value";
}

/// Only flags are converted without a check: "--json=x".
std::string valueOfFlag(const CLI::App &command)
{
    for (const CLI::Option *option : command.get_options()) {
        const std::vector<std::string> &values = option->results();
        if (option->get_items_expected_max() == 0
            && std::any_of(values.begin(), values.end(), [](const std::string &value) { return value != "true"; }))
            return option->get_name() + " takes no value";
    }
    return "a flag takes no value";
}

/// Our checks' errors are clauses; CLI11 puts "--level: " in front.
std::string failedCheck(std::string message)
{
    if (const std::size_t colon = message.find(": "); colon != std::string::npos)
        message.erase(colon, 1);
    return message;
}

std::string unexpectedWords(const CLI::App &command, const std::string &name)
{
    std::string sentence;
    for (const std::string &word : command.remaining()) {
        const std::string near =
            word.rfind("--", 0) == 0 ? suggestion(word.substr(0, word.find('=')), optionNames(command)) : std::string();
        sentence += (sentence.empty() ? "" : ", ") + ("'" + word + "'") + near;
    }
    return "sweepctl " + name + ": unexpected " + sentence;
}

}  // namespace

std::string describeUsageError(const CLI::App &app, const CLI::ParseError &error, const std::vector<std::string> &words)
{
    const std::vector<CLI::App *> chosen = app.get_subcommands();
    if (chosen.empty()) {
        const std::vector<std::string> known = subcommandNames(app);
        const std::string word = firstWord(words);
        const std::string wrong = word.empty() ? "sweepctl needs a command"
                                               : "sweepctl has no command '" + word + "'" + suggestion(word, known);
        return wrong + ": " + orList(known) + "; see sweepctl --help";
    }
    const CLI::App *deepest = chosen.front();
    std::string name = deepest->get_name();
    for (; !deepest->get_subcommands().empty(); name += " " + deepest->get_name())
        deepest = deepest->get_subcommands().front();
    const CLI::App &command = *deepest;
    const std::string help = "; see sweepctl " + name + " --help";
    if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr && command.remaining_size() > 0)
        return unexpectedWords(command, name) + help;
    if (dynamic_cast<const CLI::RequiredError *>(&error) != nullptr)
        return missingArguments(command, name) + help;
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&error) != nullptr)
        return wrongNumberOfValues(command, words.back()) + help;
    if (dynamic_cast<const CLI::ConversionError *>(&error) != nullptr)
        return valueOfFlag(command) + help;
    return failedCheck(error.what()) + help;
}

}  // namespace sweepscope::ctl
