#include "schedule/leaseholder.h"

#include "base/printable.h"
#include "process/processowner.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <unistd.h>

namespace sweepscope::schedule {

std::optional<LeaseHolder> parseLeaseHolder(std::string_view untrusted)
{
    std::array<std::string, 4> fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t end = i + 1 < fields.size() ? untrusted.find('\t') : untrusted.size();
        if (end == std::string_view::npos)
            return std::nullopt;
        fields[i] = printable(std::string(untrusted.substr(0, end)));
        untrusted.remove_prefix(std::min(end + 1, untrusted.size()));
    }
    LeaseHolder holder{0, fields[1], fields[2], fields[3]};
    const std::string &pid = fields[0];
    const auto read = std::from_chars(pid.data(), pid.data() + pid.size(), holder.pid);
    if (read.ec != std::errc() || read.ptr != pid.data() + pid.size() || holder.pid <= 0)
        return std::nullopt;
    return holder;
}

std::vector<LeaseHolder> parseLeaseHolders(std::string_view untrusted)
{
    std::vector<LeaseHolder> holders;
    for (std::size_t begin = 0; begin < untrusted.size();) {
        const std::size_t end = std::min(untrusted.find('\n', begin), untrusted.size());
        if (auto holder = parseLeaseHolder(untrusted.substr(begin, end - begin)))
            holders.push_back(std::move(*holder));
        begin = end + 1;
    }
    return holders;
}

LeaseHolder holderHere(pid_t pid, const std::string &workspace, const std::string &purpose)
{
    return {pid, process::userOfProcess(::getpid(), "/proc").value_or(std::to_string(::getuid())), workspace, purpose};
}

bool LeaseHolder::isAlive() const
{
    return ::kill(pid, 0) == 0 || errno == EPERM;
}

std::string LeaseHolder::inWords() const
{
    return purpose + " of " + user + " (process " + std::to_string(pid) + ", workspace " + workspace + ")";
}

std::string LeaseHolder::line() const
{
    return std::to_string(pid) + '\t' + printable(user) + '\t' + printable(workspace) + '\t' + printable(purpose)
           + '\n';
}

std::optional<std::pair<std::string, int>> LeaseHolder::trial() const
{
    constexpr std::string_view word = ", trial ";
    const std::size_t at = purpose.rfind(word);
    if (at == std::string::npos)
        return std::nullopt;
    const char *const end = purpose.data() + purpose.size();
    int number = 0;
    const auto read = std::from_chars(purpose.data() + at + word.size(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number < 1)
        return std::nullopt;
    return std::pair(purpose.substr(0, at), number);
}

std::string leasedInWords(const std::vector<LeaseHolder> &holders)
{
    if (holders.empty())
        return "leased to an engine that does not say for whom";
    std::string text;
    for (const LeaseHolder &holder : holders)
        text += (text.empty() ? "leased to " : "; and to ") + holder.inWords();
    return text;
}

}  // namespace sweepscope::schedule
