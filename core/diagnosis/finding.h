#pragma once

#include "base/clock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What is wrong with a training run, with the evidence. docs/diagnosis.md has every rule, its threshold and where that
/// comes from.
namespace sweepscope::diagnosis {

enum class Severity {
    Note,     ///< could be better
    Warning,  ///< costs time or quality
    Problem   ///< the result is wrong, or there will be none
};
/// "note", "warning", "problem"
std::string nameOf(Severity severity);

/// A time range by the clock of the process that reported it, and in steps where the evidence has steps.
struct Window {
    WallNs from = 0;
    WallNs to = 0;
    std::optional<std::int64_t> fromStep;
    std::optional<std::int64_t> toStep;
};

struct Finding {
    std::string rule;  ///< "straggler", …: Rule::name
    Severity severity = Severity::Warning;
    bool hasOwnSeverity = false;  ///< it is not the rule's
    int trial = 0;
    int attempt = 0;
    std::optional<int> rank;  ///< empty: several, or unknown
    std::string device;       ///< of what a GPU showed
    std::string series;       ///< the one that shows it, if that differs between runs
    Window window;
    double value = 0;
    double threshold = 0;
    std::string unit;             ///< of both; "" is a ratio or a count
    std::string thresholdSource;  ///< whose threshold it is
    std::string sentence;
    std::string hint;
    bool simulated = false;  ///< the evidence comes from a fake driver
};

enum class Verdict { Found, Clear, NotEnoughData, NotApplicable };
/// "found", "clear", "not enough data", "not applicable"
std::string nameOf(Verdict verdict);

/// What one rule says of one attempt.
struct RuleResult {
    std::string rule;
    Verdict verdict = Verdict::Clear;
    std::string missing;  ///< not enough data, not applicable: a clause that says why
};

/// What all rules say of one attempt: every rule has a result, whether it found something or not.
struct Report {
    int trial = 0;
    int attempt = 0;
    std::vector<RuleResult> results;
    std::vector<Finding> findings;  ///< the worst first
    std::string damage;             ///< what of its files could not be read; empty when all could
};

}  // namespace sweepscope::diagnosis
