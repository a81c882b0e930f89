#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace sweepscope::schedule {

/// Who has a lease, as they say themselves.
struct LeaseHolder {
    pid_t pid = 0;  ///< of the agent, or of the engine while it starts one
    std::string user;
    std::string workspace;
    std::string purpose;  ///< "digits, trial 3"

    /// The sweep and the trial that the purpose names; empty when it names none.
    std::optional<std::pair<std::string, int>> trial() const;
    bool isAlive() const;
    /// "digits, trial 3 of anna (process 4711, workspace /home/anna/runs)"
    std::string inWords() const;
    /// As files say it, with a line's end: no field has a control character, tabs lie between them.
    std::string line() const;
};

/// "leased to digits, trial 3 of anna (process 4711, workspace /home/anna/runs)".
std::string leasedInWords(const std::vector<LeaseHolder> &holders);

/// Of somebody of this process's user: what others are told of a GPU that it takes.
LeaseHolder holderHere(pid_t pid, const std::string &workspace, const std::string &purpose);

std::optional<LeaseHolder> parseLeaseHolder(std::string_view untrustedLine);
/// One for each line that is one.
std::vector<LeaseHolder> parseLeaseHolders(std::string_view untrusted);

}  // namespace sweepscope::schedule
