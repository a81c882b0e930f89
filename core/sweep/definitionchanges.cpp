#include "sweep/definitionchanges.h"

#include "sweep/sweepfile.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t longestValue = 60;

using Keys = std::vector<std::pair<std::string, std::string>>;  ///< dotted key, value as the file has it

/// Of a file as toToml() writes it: a section's name or one key on a line.
Keys keysOf(const SweepSpec &spec)
{
    Keys keys;
    std::istringstream lines(toToml(spec));
    std::string section;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find(" = ");
        if (line.size() > 2 && line.front() == '[' && line.back() == ']' && equals == std::string::npos)
            section = line.substr(1, line.size() - 2);
        else if (equals != std::string::npos)
            keys.emplace_back((section.empty() ? "" : section + ".") + line.substr(0, equals), line.substr(equals + 3));
    }
    return keys;
}

const std::string *find(const Keys &keys, const std::string &name)
{
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const auto &key) { return key.first == name; });
    return found != keys.end() ? &found->second : nullptr;
}

/// Cut between characters, not within one.
std::string shortened(const std::string &value)
{
    if (value.size() <= longestValue)
        return value;
    std::size_t end = longestValue;
    while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xc0) == 0x80)
        --end;
    return value.substr(0, end) + " ...";
}

}  // namespace

std::vector<std::string> changesBetween(const SweepSpec &before, const SweepSpec &after)
{
    const Keys old = keysOf(before);
    const Keys now = keysOf(after);
    std::vector<std::string> changes;
    for (const auto &[name, value] : now) {
        const std::string *was = find(old, name);
        if (was == nullptr)
            changes.push_back(name + " is " + shortened(value));
        else if (*was != value)
            changes.push_back(name + " from " + shortened(*was) + " to " + shortened(value));
    }
    for (const auto &[name, value] : old) {
        if (find(now, name) == nullptr)
            changes.push_back(name + " is not said");
    }
    return changes;
}

std::string changesInWords(const SweepSpec &before, const SweepSpec &after, std::size_t most)
{
    const std::vector<std::string> changes = changesBetween(before, after);
    std::string text;
    for (std::size_t i = 0; i < std::min(most, changes.size()); ++i)
        text += (text.empty() ? "" : "; ") + changes[i];
    if (changes.size() > most)
        text += "; and " + std::to_string(changes.size() - most) + " more";
    return text;
}

}  // namespace sweepscope::sweep
