#include "sweep/outcome.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sweepscope::sweep {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Every word is a metric.
class MetricNames : public expression::Names {
public:
    explicit MetricNames(std::vector<std::string> &names) : m_names(names) {}

    std::optional<expression::Symbol> find(std::string_view name) const override
    {
        auto found = std::ranges::find(m_names, name);
        if (found == m_names.end())
            found = m_names.insert(m_names.end(), std::string(name));
        expression::Symbol symbol;
        symbol.name = name;
        symbol.slot = static_cast<int>(found - m_names.begin());
        return symbol;
    }

    std::vector<std::string> all() const override { return {}; }

private:
    std::vector<std::string> &m_names;
};

double lastOf(const TrialRecord &trial, const std::string &name, const std::string &objective)
{
    if (const MetricValue *metric = find(trial.metrics, name))
        return metric->last;
    return name == objective && trial.objectiveLast ? trial.objectiveLast->value : missing;
}

}  // namespace

std::vector<std::string> outcomeMetrics(const SweepSpec &spec)
{
    std::vector<std::string> names;
    if (!spec.objectives.empty())
        names.push_back(spec.objective);
    for (const Objective &objective : spec.objectives)
        names.push_back(objective.name);
    expression::StringNumbers strings;
    for (const Constraint &constraint : spec.outcomeConstraints)
        (void)expression::Expression::compile(constraint.expression, expression::Use::Condition, MetricNames(names),
                                              strings);
    return names;
}

std::vector<double> objectiveValues(const SweepSpec &spec, const TrialRecord &trial)
{
    const auto value = [&](const std::string &name, Goal goal) {
        const double last = lastOf(trial, name, spec.objective);
        return goal == Goal::Maximize ? -last : last;
    };
    std::vector<double> values{value(spec.objective, spec.goal)};
    for (const Objective &objective : spec.objectives)
        values.push_back(value(objective.name, objective.goal));
    return values;
}

double signOf(const SweepSpec &spec, std::size_t place)
{
    const bool isFurther = place > 0 && place <= spec.objectives.size();
    const Goal goal = isFurther ? spec.objectives[place - 1].goal : spec.goal;
    return goal == Goal::Minimize ? 1 : -1;
}

Expected<OutcomeConstraints> OutcomeConstraints::compile(const SweepSpec &spec)
{
    OutcomeConstraints constraints;
    constraints.m_objective = spec.objective;
    const MetricNames names(constraints.m_names);
    expression::StringNumbers strings;
    for (const Constraint &constraint : spec.outcomeConstraints) {
        auto condition =
            expression::Expression::compile(constraint.expression, expression::Use::Condition, names, strings);
        if (!condition)
            return makeError(ErrorCode::BadInput, expression::describe(condition.error(), true));
        constraints.m_constraints.push_back({std::move(*condition), boundsOf(constraint.expression, names)});
    }
    return constraints;
}

std::optional<OutcomeConstraints::Side> OutcomeConstraints::sideOf(const expression::Node &node,
                                                                   const expression::Names &names)
{
    using Kind = expression::Node::Kind;
    if (node.kind == Kind::Number)
        return Side{-1, node.number};
    if (node.kind == Kind::Word)
        return Side{names.find(node.text)->slot, 0};
    if (node.kind == Kind::Negative && node.parts.front().kind == Kind::Number)
        return Side{-1, -node.parts.front().number};
    return std::nullopt;
}

std::optional<std::pair<OutcomeConstraints::Side, OutcomeConstraints::Side>>
OutcomeConstraints::boundsOf(const std::string &text, const expression::Names &names)
{
    using expression::Comparison;
    const auto tree = expression::parse(text, expression::Use::Condition, names);
    if (!tree || tree->kind != expression::Node::Kind::Compare)
        return std::nullopt;
    const auto left = sideOf(tree->parts[0], names);
    const auto right = sideOf(tree->parts[1], names);
    if (!left || !right)
        return std::nullopt;
    if (tree->comparison == Comparison::Less || tree->comparison == Comparison::LessOrEqual)
        return std::pair(*left, *right);
    if (tree->comparison == Comparison::Greater || tree->comparison == Comparison::GreaterOrEqual)
        return std::pair(*right, *left);
    return std::nullopt;
}

std::vector<double> OutcomeConstraints::excesses(const TrialRecord &trial) const
{
    std::vector<double> values;
    std::vector<bool> isNotANumber;
    for (const std::string &name : m_names) {
        values.push_back(lastOf(trial, name, m_objective));
        const bool isReported = find(trial.metrics, name) != nullptr || (name == m_objective && trial.objectiveLast);
        isNotANumber.push_back(isReported && std::isnan(values.back()));
    }
    std::vector<double> excesses;
    for (const Compiled &constraint : m_constraints) {
        const auto isBad = [&](int slot) { return isNotANumber[static_cast<std::size_t>(slot)]; };
        const expression::Truth holds = std::ranges::any_of(constraint.condition.slots(), isBad)
                                            ? expression::Truth::False
                                            : constraint.condition.evaluate(values);
        if (holds == expression::Truth::Unknown) {
            excesses.push_back(missing);
            continue;
        }
        double excess = std::nan("");
        if (constraint.bounded) {
            const auto number = [&](const Side &side) {
                return side.slot < 0 ? side.number : values[static_cast<std::size_t>(side.slot)];
            };
            excess = number(constraint.bounded->first) - number(constraint.bounded->second);
        }
        // "a < 40" is violated by 40, too.
        constexpr double most = 1e300;  // a file cannot hold infinity
        constexpr double least = std::numeric_limits<double>::min();
        if (holds == expression::Truth::False)
            excesses.push_back(std::isnan(excess) ? 1 : std::clamp(excess, least, most));
        else
            excesses.push_back(std::isnan(excess) ? -1 : std::clamp(excess, -most, 0.0));
    }
    return excesses;
}

double OutcomeConstraints::violation(const TrialRecord &trial) const
{
    double sum = 0;
    for (const double excess : excesses(trial))
        sum += excess > 0 ? excess : 0;
    return sum;
}

std::set<int> paretoFront(const SweepSpec &spec, std::span<const TrialRecord *const> trials)
{
    std::set<int> front;
    const auto constraints = OutcomeConstraints::compile(spec);
    if (spec.objectives.empty() || !constraints)
        return front;
    std::vector<std::pair<std::vector<double>, int>> points;
    for (const TrialRecord *trial : trials) {
        std::vector<double> values = objectiveValues(spec, *trial);
        const bool isWhole = std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
        if (trial->state == TrialState::Completed && isWhole && constraints->violation(*trial) == 0)
            points.emplace_back(std::move(values), trial->number);
    }
    // After sorting, only an earlier point can beat a later one.
    std::ranges::sort(points);
    std::vector<const std::vector<double> *> unbeaten;
    for (const auto &point : points) {
        const std::vector<double> &values = point.first;
        const auto beats = [&](const std::vector<double> *other) {
            return *other != values && std::ranges::equal(*other, values, [](double a, double b) { return a <= b; });
        };
        if (std::ranges::any_of(unbeaten, beats))
            continue;
        unbeaten.push_back(&values);
        front.insert(point.second);
    }
    return front;
}

}  // namespace sweepscope::sweep
