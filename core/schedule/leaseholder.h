#pragma once

#include "facts/fact.h"

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sweepscope::schedule {

/// A trial, as other engines of the machine are told of it.
struct TrialName {
    std::string sweep;
    int number = 0;

    bool operator==(const TrialName &) const = default;
};

/// Who has a lease, as they say themselves.
struct LeaseHolder {
    pid_t pid = 0;  ///< of the agent, or of the engine while it starts one
    std::string user;
    std::string workspace;
    TrialName trial;

    bool isAlive() const;
    /// DeviceHolder
    facts::Fact fact() const;
    /// As files say it, with a line's end: no field has a control character, tabs lie between them.
    std::string line() const;
};

/// GpuLeased, to all of them.
facts::Fact leasedTo(const std::vector<LeaseHolder> &holders);

/// Of somebody of this process's user: what others are told of a GPU that it takes.
LeaseHolder holderHere(pid_t pid, const std::string &workspace, const TrialName &trial);

std::optional<LeaseHolder> parseLeaseHolder(std::string_view untrustedLine);
/// One for each line that is one.
std::vector<LeaseHolder> parseLeaseHolders(std::string_view untrusted);

}  // namespace sweepscope::schedule
