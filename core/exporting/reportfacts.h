#pragma once

#include "diagnosis/finding.h"
#include "exporting/sweepexport.h"

#include <optional>
#include <string>
#include <vector>

/// What all reports for people say of a sweep.
namespace sweepscope::exporting {

/// As the user wrote it, unless it has secrets, which are masked.
std::string definitionWithoutSecrets(const std::string &toml);

/// nullptr: no trial has a result. The result points into `trials`.
const sweep::TrialRecord *bestTrial(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

struct SweepFindings {
    std::vector<diagnosis::Finding> findings{};  ///< the worst first
    std::size_t attempts = 0;                    ///< that were examined
    std::string damage{};                        ///< of files; empty: none
};
/// nullopt: stopped by `progress`.
std::optional<SweepFindings> findingsOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                        const std::vector<sweep::TrialRecord> &trials, const Progress &progress);

}  // namespace sweepscope::exporting
