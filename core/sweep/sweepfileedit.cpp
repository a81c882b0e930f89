#include "sweep/sweepfileedit.h"

#include "sweep/keys.h"
#include "sweep/sweepfile.h"
#include "sweep/sweepfilewriter.h"
#include "sweep/tomledit.h"

#include <algorithm>
#include <vector>

namespace sweepscope::sweep {

namespace {

/// As withTomlKey(), also for a series that is written directly in [run.metrics].
std::optional<std::string> withKey(const std::string &text, const WrittenKey &key,
                                   const std::optional<std::string> &value)
{
    const std::string outer = "run.metrics";
    const std::optional<std::string> changed = withTomlKey(text, key.table, key.name, value);
    if (key.table != outer + ".series" || findKey(outer + "." + key.name) != nullptr)
        return changed;
    const std::optional<std::string> without = withTomlKey(text, outer, key.name, {});
    return without && *without != text ? withTomlKey(text, outer, key.name, value) : changed;
}

/// A line that cannot be taken out may be a list, and an empty one says what none says.
std::optional<std::string> without(const std::string &text, const WrittenKey &key)
{
    const std::optional<std::string> removed = withKey(text, key, {});
    return removed || !key.value.starts_with('[') ? removed : withKey(text, key, "[]");
}

/// Each from its '#' to the end of its line, sorted.
std::vector<std::string> commentsOf(const std::string &toml)
{
    std::vector<std::string> comments;
    char quote = '\0';
    for (std::size_t i = 0; i < toml.size(); ++i) {
        const char character = toml[i];
        if (quote == '\0' && character == '#') {
            const std::size_t end = std::min(toml.find_first_of("\r\n", i), toml.size());
            comments.push_back(toml.substr(i, end - i));
            i = end;
        } else if (quote == '\0' && (character == '"' || character == '\'')) {
            quote = character;
        } else if (character == '\\' && quote == '"') {
            ++i;
        } else if (character == quote || character == '\n') {
            quote = '\0';
        }
    }
    std::ranges::sort(comments);
    return comments;
}

}  // namespace

bool losesComments(const std::string &before, const std::string &after)
{
    return !std::ranges::includes(commentsOf(after), commentsOf(before));
}

std::string sweepFile(const SweepSpec &spec, const std::string &text)
{
    if (text.empty())
        return toToml(spec);
    const std::vector<WrittenKey> old = writtenKeys(parseSweep(text).spec);
    const std::vector<WrittenKey> now = writtenKeys(spec);
    std::optional<std::string> edited = text;
    for (const WrittenKey &key : old) {
        if (edited && !findKey(now, key))
            edited = without(*edited, key);
    }
    for (const WrittenKey &key : now) {
        const WrittenKey *was = findKey(old, key);
        if (edited && (!was || was->value != key.value))
            edited = withKey(*edited, key, key.value);
    }
    const ParsedSweep read = edited ? parseSweep(*edited) : ParsedSweep();
    return edited && read.problems.empty() && read.spec == spec ? *edited : toToml(spec);
}

std::string withGpuLists(const std::string &toml, const DevicesSection &devices)
{
    SweepSpec spec = parseSweep(toml).spec;
    spec.devices.pin = devices.pin;
    spec.devices.exclude = devices.exclude;
    return sweepFile(spec, toml);
}

}  // namespace sweepscope::sweep
