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

namespace {

/// Returns 0 if it is not a positive number.
int positive(const std::string &digits)
{
    int number = 0;
    const char *const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc() && read.ptr == end && number > 0 ? number : 0;
}

}  // namespace

std::optional<LeaseHolder> parseLeaseHolder(std::string_view untrusted)
{
    std::array<std::string, 5> fields;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t end = i + 1 < fields.size() ? untrusted.find('\t') : untrusted.size();
        if (end == std::string_view::npos)
            return std::nullopt;
        fields[i] = printable(std::string(untrusted.substr(0, end)));
        untrusted.remove_prefix(std::min(end + 1, untrusted.size()));
    }
    const LeaseHolder holder{positive(fields[0]), fields[1], fields[2], {fields[3], positive(fields[4])}};
    return holder.pid > 0 && holder.trial.number > 0 ? std::optional(holder) : std::nullopt;
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

LeaseHolder holderHere(pid_t pid, const std::string &workspace, const TrialName &trial)
{
    return {pid, process::userOfProcess(::getpid(), "/proc").value_or(std::to_string(::getuid())), workspace, trial};
}

bool LeaseHolder::isAlive() const
{
    return ::kill(pid, 0) == 0 || errno == EPERM;
}

facts::Fact LeaseHolder::fact() const
{
    using facts::Field;
    return facts::Fact(facts::Code::DeviceHolder)
        .with(Field::Sweep, trial.sweep)
        .with(Field::Trial, trial.number)
        .with(Field::User, user)
        .with(Field::Workspace, workspace)
        .with(Field::Pid, pid);
}

std::string LeaseHolder::line() const
{
    return std::to_string(pid) + '\t' + printable(user) + '\t' + printable(workspace) + '\t' + printable(trial.sweep)
           + '\t' + std::to_string(trial.number) + '\n';
}

facts::Fact leasedTo(const std::vector<LeaseHolder> &holders)
{
    facts::Fact leased(facts::Code::GpuLeased);
    for (const LeaseHolder &holder : holders)
        leased = std::move(leased).dueTo(holder.fact());
    return leased;
}

}  // namespace sweepscope::schedule
