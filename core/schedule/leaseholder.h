#pragma once

#include "facts/fact.h"

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace sweepscope::schedule {

/// A trial's name for other engines of the machine.
struct TrialName {
    std::string sweep;
    int number = 0;

    bool operator==(const TrialName &) const = default;
};

/// The holder of a lease, according to the lease file.
struct LeaseHolder {
    pid_t pid = 0;  ///< of the agent, or of the engine while it starts one
    std::string user;
    std::string workspace;
    TrialName trial;

    bool isAlive() const;
    /// DeviceHolder
    facts::Fact fact() const;
    /// Returns a line for the file, with line end: fields are separated by tabs and contain no control characters.
    std::string line() const;
};

/// Returns GpuLeased with all holders.
facts::Fact leasedTo(const std::vector<LeaseHolder> &holders);

/// Returns a holder of this process's user, as other engines see it.
LeaseHolder holderHere(pid_t pid, const std::string &workspace, const TrialName &trial);

std::optional<LeaseHolder> parseLeaseHolder(std::string_view untrustedLine);
/// Returns one holder for each valid line.
std::vector<LeaseHolder> parseLeaseHolders(std::string_view untrusted);

}  // namespace sweepscope::schedule
