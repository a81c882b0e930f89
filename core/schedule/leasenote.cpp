#include "schedule/leasenote.h"

#include "base/printable.h"

#include <algorithm>
#include <charconv>

namespace sweepscope::schedule {

namespace {

constexpr std::string_view beforeWord = "before\t";

std::optional<std::uint64_t> parseBefore(std::string_view untrusted)
{
    if (untrusted.substr(0, beforeWord.size()) != beforeWord)
        return std::nullopt;
    untrusted.remove_prefix(beforeWord.size());
    const std::string_view number = untrusted.substr(0, untrusted.find('\n'));
    std::uint64_t bytes = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), bytes);
    return read.ec == std::errc() && read.ptr == number.data() + number.size() ? std::optional(bytes) : std::nullopt;
}

}  // namespace

std::string LeaseNote::text() const
{
    std::string text;
    if (usedBefore)
        text = std::string(beforeWord) + std::to_string(*usedBefore) + '\n';
    for (const LeaseHolder &holder : holders)
        text += holder.line();
    return text;
}

LeaseNote parseLeaseNote(std::string_view untrusted)
{
    return {parseLeaseHolders(untrusted), parseBefore(untrusted)};
}

std::optional<FormerLease> formerLease(const std::string &untrusted, const std::string &workspace)
{
    const LeaseNote note = parseLeaseNote(untrusted);
    if (note.holders.empty())
        return std::nullopt;
    const LeaseHolder &last = note.holders.back();
    return FormerLease{last.inWords(), last.workspace == printable(workspace), note.usedBefore, untrusted};
}

}  // namespace sweepscope::schedule
