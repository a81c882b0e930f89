#pragma once

#include "launch/agentprocess.h"
#include "process/processstat.h"

#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace sweepscope::launch {

/// Writes down which processes the ranks have started, in a file of the attempt: after an agent was killed they are
/// found by it, also those that have emptied their environment. Ranks themselves end with their agent and are not
/// listed.
class ChildNotes {
public:
    explicit ChildNotes(std::filesystem::path file) : m_file(std::move(file)) {}

    /// `tree` is what process::readProcessTree(the agent) says now, `ranks` those of the ranks. The file is written when
    /// something has changed; when it cannot be, the next look tries again.
    void look(const std::vector<process::ProcessStat> &tree, const std::set<pid_t> &ranks);

private:
    std::filesystem::path m_file;
    std::set<std::pair<pid_t, std::uint64_t>> m_noted;
};

/// Empty when there is no such file or it is longer than an agent makes it. A line that makes no sense is left out.
std::vector<ProcessIdentity> readChildNotes(const std::filesystem::path &file);

}  // namespace sweepscope::launch
