#pragma once

#include "diagnosis/finding.h"
#include "exporting/sweepexport.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the reports for people, HTML and PDF, say of a sweep.
namespace sweepscope::exporting {

/// Names and values, in the order in which they are shown.
using ReportFacts = std::vector<std::pair<std::string, std::string>>;

/// "1 trial", "3 trials"
std::string plural(std::size_t count, const char *one, const char *many);

/// "12 trials: 9 completed, 3 failed".
std::string stateCounts(const std::vector<sweep::TrialRecord> &trials);

/// "3, 5, 8"; of many the first ones and "…".
std::string trialList(const std::vector<int> &trials);

/// As the user wrote it, unless it has secrets, which are masked.
std::string definitionWithoutSecrets(const std::string &toml);

/// nullptr: no trial has a result. The result points into `trials`.
const sweep::TrialRecord *bestTrial(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials);

/// Those that may be called the best (sweep::mayBeBest), best first. The result points into `trials`.
std::vector<const sweep::TrialRecord *> rankedTrials(const sweep::SweepRecord &sweep,
                                                     const std::vector<sweep::TrialRecord> &trials);

struct SweepFindings {
    std::vector<diagnosis::Finding> findings{};  ///< the worst first
    std::size_t attempts = 0;                    ///< that were examined
    std::string damage{};                        ///< of files; empty: none
};
/// nullopt: stopped by `progress`.
std::optional<SweepFindings> findingsOf(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                        const std::vector<sweep::TrialRecord> &trials, const Progress &progress);

/// "3 findings in 40 attempts."
std::string findingCounts(const SweepFindings &found);

/// Findings of one rule with the same hint.
struct ReportedFindings {
    std::string title{};
    diagnosis::Finding worst{};
    std::vector<int> trials{};  ///< ascending
};
/// In the order of their worst findings.
std::vector<ReportedFindings> groupedFindings(const SweepFindings &found);

}  // namespace sweepscope::exporting
