#pragma once

#include "sweep/records.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What the parameters of a sweep's trials were and what came of it, as columns of numbers: what plots over many trials
/// and the importance of parameters are made of.
namespace sweepscope::analysis {

enum class Scale { Linear, Log, Categories };

/// The scale of an axis that shows such finite values: logarithmic if they are positive, span more than a decade, and their
/// middle half takes more of the axis that way.
Scale scaleFor(std::vector<double> values);

/// One value per trial, or per point.
struct Parameter {
    std::string name;
    Scale scale = Scale::Linear;
    std::vector<std::string> categories;  ///< of Scale::Categories, in declared order
    double low = 0;                       ///< of the space and of all values; of categories: 0 and their number - 1
    double high = 0;
    std::vector<double> marks;   ///< the values of a short list, which an axis has ticks at; else empty
    std::vector<double> values;  ///< of categories: the index; NaN: the trial does not have the parameter
    bool isUnsetSomewhere = false;
    bool isWhole = false;  ///< numbers without fractions
};

/// What a trial is judged by.
struct Target {
    enum class Kind { ObjectiveBest, ObjectiveLast, MetricLast, MetricLowest, MetricHighest };
    Kind kind = Kind::ObjectiveBest;  ///< of a point that is repeated: the mean
    std::string metric;               ///< of the three last kinds
    sweep::Goal goal = sweep::Goal::Minimize;

    bool operator==(const Target &) const = default;
};

/// Who may be called the best, as sweep::isBetter() says.
enum class Standing : char {
    MayBeBest,
    RanOnce,     ///< of a point that is repeated: it may have been lucky
    Infeasible,  ///< violates a constraint: never the best
};

/// The trials that came to their end with a finite value, completed, pruned or stopped, in the order of their numbers.
struct TrialValues {
    Target target;
    std::vector<int> trials;
    std::vector<double> values;
    std::vector<sweep::TrialState> states;
    std::vector<Standing> standings;
    /// Pruned trials were worse than others at the same step or beyond a bound, and did not end for another reason.
    bool arePrunedBehind = false;
    std::vector<WallNs> ended;
    std::vector<Parameter> parameters;        ///< those that vary, in declared order
    std::vector<std::string> parameterNames;  ///< of the sweep: those too that do not vary
    int without = 0;                          ///< completed or pruned, but without a finite value
    int others = 0;                           ///< waiting, running, failed, lost, and stopped without a finite value

    std::size_t size() const { return trials.size(); }
    bool isCompleted(std::size_t row) const { return states[row] == sweep::TrialState::Completed; }
    bool isPruned(std::size_t row) const { return states[row] == sweep::TrialState::Pruned; }
    /// Returns the row of the best trial, as the engine determines it if the target is the objective's best value: the
    /// first of equal rows, -1 if there is none.
    int bestRow() const;
    /// Whether the best is sooner looked for in the first row than in the second.
    bool isRowBetter(std::size_t one, std::size_t other) const;
    bool isBetter(double one, double other) const;
};

/// The parameters of these names that vary, in the order of the names, with one value per point. Of parameters that `spec`
/// does not have, the values decide.
std::vector<Parameter> parametersOf(const sweep::SweepSpec &spec, const std::vector<std::string> &names,
                                    std::span<const sweep::ParameterSet *const> points);

/// `spec`: what the record's sweep file says; of parameters that it does not tell of the values decide. Costs some
/// milliseconds for 10,000 trials.
TrialValues collect(const sweep::SweepSpec &spec, const sweep::SweepRecord &sweep,
                    const std::vector<sweep::TrialRecord> &trials, const Target &target);

/// The rows that are `within`, as if the sweep had only these: numbers of parameters range from the lowest to the highest that is
/// left.
TrialValues rowsOf(const TrialValues &values, const std::vector<char> &within);

/// The finite values of completed trials, in the order of the trials.
std::vector<double> completedValues(const std::vector<sweep::TrialRecord> &trials, const Target &target);

/// Of all trials, in the order in which they are met.
std::vector<std::string> metricNames(const std::vector<sweep::TrialRecord> &trials);

}  // namespace sweepscope::analysis
