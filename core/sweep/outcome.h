#pragma once

#include "base/error.h"
#include "expression/expression.h"
#include "expression/parser.h"
#include "sweep/records.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// What a trial came to by several objectives and by constraints on what it reported.
namespace sweepscope::sweep {

/// The metrics that decide it: with several objectives all of them, the first one too; and those that outcome constraints
/// name.
std::vector<std::string> outcomeMetrics(const SweepSpec &spec);

/// The last value of each objective, smaller is better: with several objectives, because the best values of each may come
/// from different steps. NaN for one that was not reported.
std::vector<double> objectiveValues(const SweepSpec &spec, const TrialRecord &trial);

/// 1 to minimize objective `place`, -1 to maximize it; 0 is the first. Without [objectives] all have the sweep's goal.
double signOf(const SweepSpec &spec, std::size_t place);

/// The constraints on what trials report: "peak_memory < 40".
class OutcomeConstraints {
public:
    static Expected<OutcomeConstraints> compile(const SweepSpec &spec);

    /// By how much each is exceeded, which is above 0 if it is violated: of "a < 40" and the like a - 40, of others 1 or -1.
    /// One whose metric is not a number is violated. NaN where a metric was not reported; it counts as held.
    std::vector<double> excesses(const TrialRecord &trial) const;
    /// The sum of those above 0.
    double violation(const TrialRecord &trial) const;

private:
    /// A metric, or a number.
    struct Side {
        int slot = -1;
        double number = 0;
    };
    struct Compiled {
        expression::Expression condition;
        std::optional<std::pair<Side, Side>> bounded;  ///< of a comparison: what must not exceed what
    };
    static std::optional<Side> sideOf(const expression::Node &node, const expression::Names &names);
    static std::optional<std::pair<Side, Side>> boundsOf(const std::string &text, const expression::Names &names);

    std::vector<std::string> m_names;  ///< of metrics, by slot
    std::string m_objective;
    std::vector<Compiled> m_constraints;
};

/// Numbers of the completed trials that no other one beats in all objectives, and that violate no constraint. Without
/// [objectives] empty.
std::set<int> paretoFront(const SweepSpec &spec, std::span<const TrialRecord *const> trials);

}  // namespace sweepscope::sweep
