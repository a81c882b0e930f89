#pragma once

#include "base/workspacelayout.h"
#include "node/messages.h"
#include "schedule/leasefolder.h"

#include <filesystem>
#include <optional>

namespace sweepscope::node {

/// Starts agents for engines elsewhere, below a folder with the layout of a workspace.
class AttemptStart {
public:
    /// `owner`: whose leases they are; trials of one owner may share a GPU.
    AttemptStart(std::filesystem::path root, std::filesystem::path agentProgram, std::filesystem::path leases,
                 std::string owner);

    /// Takes the devices, writes the files and starts the agent, unless a job will: then no process is returned. The same
    /// request again finds the agent that was started, running or ended, and never starts a second one.
    tl::expected<Process, Failed> run(const Start &start);
    /// Makes the attempt one that never starts, unless it has: then returns its agent.
    tl::expected<std::optional<Process>, Failed> withdraw(const Withdraw &withdraw);

private:
    tl::expected<std::vector<schedule::Lease>, Failed> takeDevices(const Taken &taken);

    std::filesystem::path m_root;
    std::filesystem::path m_agent;
    schedule::LeaseFolder m_leases;
};

/// Prevents Slurm jobs from starting the attempt, unless one has started it already. Returns the id of that job; empty
/// if there is none.
Expected<std::string> withdrawFromJobs(const AttemptLayout &files);
/// Returns the id of the job that has the attempt; empty if none has it yet, and `withdrawnOwner` if none will.
std::string jobOf(const AttemptLayout &files);
inline constexpr const char *withdrawnOwner = "withdrawn";

/// Returns `path` below `root`; BadInput if it leads elsewhere.
Expected<std::filesystem::path> below(const std::filesystem::path &root, const std::string &path);

}  // namespace sweepscope::node
