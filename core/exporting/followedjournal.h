#pragma once

#include "base/filedescriptor.h"
#include "exporting/journalstate.h"
#include "exporting/sweepexport.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::exporting {

/// A journal of Optuna (optunajournal.h) that follows its sweep. Lines are only added, because readers of a journal continue at
/// the byte where they stopped. A trial that runs again after its end is another trial of the study with the same attribute
/// "trial", because Optuna changes no trial that has finished.
///
/// Optuna and its dashboard may add lines meanwhile.
class FollowedJournal {
public:
    /// Creates the file, or continues it. BadInput if it is not a journal of the sweep.
    static Expected<FollowedJournal> open(const std::filesystem::path &file, const sweep::SweepRecord &sweep);

    /// Adds what the journal lacks of the sweep. BadInput if its study was deleted.
    Expected<void> update(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                          const std::vector<sweep::TrialRecord> &trials, std::uint64_t mostPoints);

    /// Of the feeds of trials that have ended; empty: none.
    const std::string &damage() const { return m_damage; }

private:
    FollowedJournal(FileDescriptor descriptor, std::filesystem::path file)
        : m_descriptor(std::move(descriptor)), m_file(std::move(file))
    {}
    Expected<void> readNew();
    Expected<void> append(std::string &lines);

    FileDescriptor m_descriptor;
    std::filesystem::path m_file;
    JournalState m_state;
    std::uint64_t m_read = 0;  ///< bytes, all of them whole lines
    std::string m_damage;
};

}  // namespace sweepscope::exporting
