#pragma once

#include "diagnosis/evidence.h"
#include "diagnosis/finding.h"

#include <span>
#include <string>
#include <vector>

namespace sweepscope::diagnosis {

/// What a rule makes of the evidence: findings, or none, or that it cannot tell.
class Outcome {
public:
    static Outcome clear() { return {}; }
    static Outcome found(std::vector<Finding> findings);
    static Outcome found(Finding finding);
    /// `missing`: a clause, "no rank reports compute_time".
    static Outcome notEnoughData(std::string missing);

    const std::vector<Finding> &findings() const { return m_findings; }
    const std::string &missing() const { return m_missing; }

private:
    std::vector<Finding> m_findings;
    std::string m_missing;
};

/// What an attempt must have for a rule to apply to it.
enum class Needs { Ranks, SeveralRanks, Gpus, SeveralGpus };

/// A rule looks at one attempt and has no state: the same evidence gives the same outcome, live and later. It fills in
/// what it saw; name, severity, source and hint are the rule's, unless it says another one.
struct Rule {
    const char *name;
    const char *title;  ///< for people
    Severity severity;
    Needs needs;
    const char *thresholdSource;
    const char *hint;
    Outcome (*examine)(const AttemptEvidence &);
};

std::span<const Rule> rules();
/// Returns the title of the rule of this name; the name if there is none, as of another version.
std::string titleOf(const std::string &rule);

Report diagnose(const AttemptEvidence &evidence);
Report diagnose(const AttemptEvidence &evidence, std::span<const Rule> rules);

}  // namespace sweepscope::diagnosis
