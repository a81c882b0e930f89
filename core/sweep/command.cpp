#include "sweep/command.h"

#include "sweep/keys.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

namespace sweepscope::sweep {

namespace {

/// A trial plan has already moved these two from the parameters into fields.
bool isPlanParameter(const std::string &name)
{
    return name == "seed" || name == "ranks";
}

/// Walks one argument: plain characters to `plain`, each {name} to `placeholder`.
Expected<void> walkArgument(const std::string &argument, const std::function<void(char)> &plain,
                            const std::function<Expected<void>(const std::string &)> &placeholder)
{
    for (std::size_t i = 0; i < argument.size(); ++i) {
        const char c = argument[i];
        if (c != '{' && c != '}') {
            plain(c);
        } else if (i + 1 < argument.size() && argument[i + 1] == c) {
            plain(c);
            ++i;
        } else if (c == '}') {
            return makeError(ErrorCode::BadInput,
                             "'" + argument + "' has an unmatched }: write }} for a literal brace");
        } else {
            const std::size_t end = argument.find_first_of("{}", i + 1);
            if (end == std::string::npos || argument[end] == '{')
                return makeError(ErrorCode::BadInput,
                                 "'" + argument + "' has an unclosed {: write {{ for a literal brace");
            if (auto taken = placeholder(argument.substr(i + 1, end - i - 1)); !taken)
                return taken;
            i = end;
        }
    }
    return {};
}

/// The value of a placeholder, nothing for a switched-off parameter, or an error.
using Lookup = std::function<Expected<std::optional<std::string>>(const std::string &)>;

Expected<std::vector<std::string>> expand(const std::vector<std::string> &command, const Lookup &lookup)
{
    std::vector<std::string> argv;
    bool optionBefore = false;  ///< the last one added is an option without placeholders, such as "--momentum"
    for (const std::string &argument : command) {
        std::string expanded;
        bool switchedOff = false;
        std::size_t count = 0;
        const auto walked = walkArgument(
            argument, [&expanded](char c) { expanded += c; },
            [&](const std::string &name) -> Expected<void> {
                const auto value = lookup(name);
                if (!value)
                    return tl::unexpected(value.error());
                switchedOff = switchedOff || !value->has_value();
                expanded += value->value_or(std::string());
                ++count;
                return {};
            });
        if (!walked)
            return tl::unexpected(walked.error());
        const bool isWholePlaceholder = count == 1 && argument.front() == '{' && argument.back() == '}';
        if (switchedOff) {
            if (isWholePlaceholder && optionBefore)
                argv.pop_back();
            optionBefore = false;
            continue;
        }
        optionBefore = count == 0 && argument.size() > 1 && argument.front() == '-' && argv.size() > 0;
        argv.push_back(std::move(expanded));
    }
    return argv;
}

tl::unexpected<Error> unknownPlaceholder(const std::string &name)
{
    return makeError(ErrorCode::BadInput, "the command uses {" + name + "}, but there is no parameter '" + name
                                              + "': add it to the search space, or write {{" + name
                                              + "}} for the literal text");
}

/// What one trial of a sweep puts in their places.
Lookup lookupOf(const SweepSpec &spec, const ParameterSet &parameters, std::uint64_t seed, int ranks)
{
    return [&spec, &parameters, seed, ranks](const std::string &name) -> Expected<std::optional<std::string>> {
        if (const ParameterValue *value = find(parameters, name))
            return std::optional(toText(*value));
        if (name == "seed")
            return std::optional(std::to_string(seed));
        if (name == "ranks")
            return std::optional(std::to_string(ranks));
        const bool isDeclared = std::any_of(spec.space.begin(), spec.space.end(),
                                            [&name](const Dimension &dimension) { return dimension.name == name; });
        if (isDeclared)
            return std::optional<std::string>();
        return unknownPlaceholder(name);
    };
}

}  // namespace

std::vector<std::string> builtinArguments(const SweepSpec &spec, const ParameterSet &parameters, std::uint64_t seed,
                                          const std::filesystem::path &baseFolder)
{
    std::map<std::string, ParameterValue> settings = spec.run.settings;
    for (const auto &[name, value] : parameters) {
        if (!isPlanParameter(name))
            settings.insert_or_assign(name, value);
    }
    std::vector<std::string> arguments{"--seed", std::to_string(seed)};
    for (const auto &[name, value] : settings) {
        std::string text = toText(value);
        if (isPathSetting(name) && !text.empty())
            text = (baseFolder / text).lexically_normal().string();  // an absolute path stays as it is
        arguments.insert(arguments.end(), {"--set", name + "=" + text});
    }
    return arguments;
}

Expected<std::vector<std::string>> expandCommand(const std::vector<std::string> &command,
                                                 const ParameterSet &parameters)
{
    return expand(command, [&parameters](const std::string &name) -> Expected<std::optional<std::string>> {
        if (const ParameterValue *value = find(parameters, name))
            return std::optional(toText(*value));
        return unknownPlaceholder(name);
    });
}

Expected<std::vector<std::string>> expandCommand(const SweepSpec &spec, const ParameterSet &parameters,
                                                 std::uint64_t seed, int ranks)
{
    return expand(spec.run.command, lookupOf(spec, parameters, seed, ranks));
}

Expected<std::string> expandText(const SweepSpec &spec, const std::string &text, const ParameterSet &parameters,
                                 std::uint64_t seed, int ranks)
{
    const Lookup lookup = lookupOf(spec, parameters, seed, ranks);
    std::string expanded;
    const auto walked = walkArgument(
        text, [&expanded](char c) { expanded += c; },
        [&](const std::string &name) -> Expected<void> {
            const auto value = lookup(name);
            if (!value)
                return tl::unexpected(value.error());
            expanded += value->value_or(std::string());
            return {};
        });
    if (!walked)
        return tl::unexpected(walked.error());
    return expanded;
}

Expected<std::vector<std::string>> placeholders(const std::string &argument)
{
    std::vector<std::string> names;
    const auto walked = walkArgument(
        argument, [](char) {},
        [&names](const std::string &name) -> Expected<void> {
            names.push_back(name);
            return {};
        });
    if (!walked)
        return tl::unexpected(walked.error());
    return names;
}

std::vector<std::string> commandOfResults()
{
    return {"python3", "-c", "import sys; sys.exit('these results have no program')"};
}

std::optional<Problem> missingProgram(const SweepSpec &spec)
{
    if (spec.run.worker != WorkerKind::Command || spec.run.command != commandOfResults())
        return std::nullopt;
    return Problem{"run.command", "an imported or joined sweep has no program to run; set run.command first"};
}

}  // namespace sweepscope::sweep
