#pragma once

#include "launch/agentprocess.h"
#include "process/processstat.h"

#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace sweepscope::launch {

/// Notes in a file of the attempt which processes the ranks have started: if the agent is killed, they are found by it,
/// even those that have cleared their environment. Ranks themselves end with their agent and are not listed.
class ChildNotes {
public:
    explicit ChildNotes(std::filesystem::path file) : m_file(std::move(file)) {}

    /// `tree` is the current result of process::readProcessTree(the agent), `ranks` the pids of the ranks. Writes the
    /// file if something has changed; a failed write is repeated at the next call.
    void update(const std::vector<process::ProcessStat> &tree, const std::set<pid_t> &ranks);

private:
    std::filesystem::path m_file;
    std::set<std::pair<pid_t, std::uint64_t>> m_noted;
};

/// Returns an empty list if there is no such file or it is longer than an agent makes it. Skips malformed lines.
std::vector<ProcessIdentity> readChildNotes(const std::filesystem::path &file);

}  // namespace sweepscope::launch
