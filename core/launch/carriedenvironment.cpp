#include "launch/carriedenvironment.h"

#include "base/environmentname.h"
#include "launch/secrets.h"

#include <algorithm>
#include <array>

namespace sweepscope::launch {

namespace {

using Environment = std::map<std::string, std::string>;

bool differsInEveryShell(std::string_view name)
{
    constexpr std::array<std::string_view, 4> names{"_", "SHLVL", "OLDPWD", "PWD"};
    return std::ranges::find(names, name) != names.end();
}

bool hasPassword(const std::string &name, const std::string &value)
{
    return withoutSecrets({{name, value}}).at(name) != value;
}

}  // namespace

CarriedEnvironment carriedEnvironment(const Environment &from, const Environment &to)
{
    CarriedEnvironment carried;
    for (const auto &[name, value] : from) {
        const auto there = to.find(name);
        if (there != to.end() && there->second == value)
            continue;
        if (!isEnvironmentName(name) || isSetForRanks(name) || differsInEveryShell(name))
            continue;
        if (!isSecret(name) && !hasPassword(name, value))
            carried.plain[name] = value;
        else if (value.find_first_of("\r\n") == std::string::npos)
            carried.secret[name] = value;
        else
            carried.left.push_back(name);
    }
    return carried;
}

Environment environmentOf(std::string_view untrustedBlock)
{
    Environment environment;
    while (!untrustedBlock.empty()) {
        const std::string_view entry = untrustedBlock.substr(0, untrustedBlock.find('\0'));
        untrustedBlock.remove_prefix(std::min(entry.size() + 1, untrustedBlock.size()));
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && equals > 0)
            environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return environment;
}

std::string toEnvironmentFile(const Environment &environment)
{
    std::string file;
    for (const auto &[name, value] : environment)
        file += name + "=\"" + value + "\"\n";
    return file;
}

}  // namespace sweepscope::launch
