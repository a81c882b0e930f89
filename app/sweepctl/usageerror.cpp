#include "usageerror.h"

#include "base/suggestion.h"

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

std::string unexpectedWords(const CLI::App &command)
{
    std::string sentence;
    for (const std::string &word : command.remaining()) {
        const std::string near =
            word.rfind("--", 0) == 0 ? suggestion(word.substr(0, word.find('=')), optionNames(command)) : std::string();
        sentence += (sentence.empty() ? "" : ", ") + ("'" + word + "'") + near;
    }
    return "sweepctl " + command.get_name() + " does not know what to do with " + sentence;
}

}  // namespace

std::string describeUsageError(const CLI::App &app, const CLI::ParseError &error, const std::vector<std::string> &words)
{
    const std::vector<CLI::App *> chosen = app.get_subcommands();
    if (chosen.empty()) {
        const std::vector<std::string> known = subcommandNames(app);
        const std::string word = firstWord(words);
        const std::string wrong = word.empty() ? "sweepctl needs to know what to do"
                                               : "sweepctl has no command '" + word + "'" + suggestion(word, known);
        return wrong + ": " + orList(known) + "; sweepctl --help tells more";
    }
    const CLI::App &command = *chosen.front();
    const std::string help = "; sweepctl " + command.get_name() + " --help tells more";
    if (dynamic_cast<const CLI::ExtrasError *>(&error) != nullptr && command.remaining_size() > 0)
        return unexpectedWords(command) + help;
    return std::string(error.what()) + help;
}

}  // namespace sweepscope::ctl
