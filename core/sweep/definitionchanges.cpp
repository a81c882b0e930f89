#include "sweep/definitionchanges.h"

#include "sweep/writtenkeys.h"

#include <algorithm>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t longestValue = 60;

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
    const std::vector<WrittenKey> old = writtenKeys(before);
    const std::vector<WrittenKey> now = writtenKeys(after);
    std::vector<std::string> changes;
    for (const WrittenKey &key : now) {
        const WrittenKey *was = findKey(old, key);
        if (was == nullptr)
            changes.push_back(key.dotted() + " is " + shortened(key.value));
        else if (was->value != key.value)
            changes.push_back(key.dotted() + " from " + shortened(was->value) + " to " + shortened(key.value));
    }
    for (const WrittenKey &key : old) {
        if (findKey(now, key) == nullptr)
            changes.push_back(key.dotted() + " is not said");
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
