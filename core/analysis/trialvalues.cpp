#include "analysis/trialvalues.h"

#include "sweep/objectiveorder.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

namespace sweepscope::analysis {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t mostMarks = 12;
constexpr double fewestRatio = 30;  ///< of the largest to the smallest value on a logarithmic axis

std::optional<double> numberIn(const sweep::ParameterValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *number = std::get_if<double>(&value))
        return *number;
    return std::nullopt;
}

/// The largest distance between neighbours, relative to the smallest. `numbers` are sorted and differ.
double unevenness(const std::vector<double> &numbers)
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        least = std::min(least, numbers[i] - numbers[i - 1]);
        most = std::max(most, numbers[i] - numbers[i - 1]);
    }
    return most / least;
}

/// 0.001, 0.003, 0.01 or 32, 64, 128: meant as steps by a factor, because the logarithms are more evenly spaced.
bool isGeometric(std::vector<double> numbers)
{
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.size() < 3 || numbers.front() <= 0)
        return false;
    std::vector<double> logarithms;
    for (const double number : numbers)
        logarithms.push_back(std::log(number));
    return unevenness(logarithms) < unevenness(numbers);
}

/// What the sweep file says of it; with `varies` where it has more than one value.
struct Declared {
    Parameter parameter;
    bool varies = false;
};

Declared declared(const sweep::Dimension &dimension)
{
    Declared result;
    Parameter &parameter = result.parameter;
    parameter.name = dimension.name;
    switch (dimension.kind) {
    case sweep::DimensionKind::Choice:
        parameter.scale = Scale::Categories;
        for (const sweep::ParameterValue &value : dimension.values)
            parameter.categories.push_back(sweep::toText(value));
        result.varies = parameter.categories.size() > 1;
        return result;
    case sweep::DimensionKind::List: {
        std::vector<double> numbers;
        for (const sweep::ParameterValue &value : dimension.values)
            numbers.push_back(numberIn(value).value_or(0));
        parameter.scale = isGeometric(numbers) ? Scale::Log : Scale::Linear;
        if (!numbers.empty()) {
            parameter.low = *std::ranges::min_element(numbers);
            parameter.high = *std::ranges::max_element(numbers);
        }
        if (numbers.size() <= mostMarks)
            parameter.marks = numbers;
        result.varies = numbers.size() > 1;
        return result;
    }
    case sweep::DimensionKind::Linear:
    case sweep::DimensionKind::Log:
    case sweep::DimensionKind::Integer:
    case sweep::DimensionKind::LogInteger:
    case sweep::DimensionKind::Stepped:
    case sweep::DimensionKind::Normal:
    case sweep::DimensionKind::LogNormal:
        break;
    }
    parameter.scale = sweep::isLogarithmic(dimension.kind) ? Scale::Log : Scale::Linear;
    parameter.low = dimension.low;
    parameter.high = dimension.high;
    result.varies = dimension.high > dimension.low;
    return result;
}

std::optional<double> targetOf(const sweep::TrialRecord &trial, const Target &target)
{
    using Kind = Target::Kind;
    if (target.kind == Kind::ObjectiveBest || target.kind == Kind::ObjectiveLast) {
        if (target.kind == Kind::ObjectiveBest && trial.pointMean)
            return trial.pointMean->value;
        const auto &objective = target.kind == Kind::ObjectiveBest ? trial.objectiveBest : trial.objectiveLast;
        return objective ? std::optional(objective->value) : std::nullopt;
    }
    const sweep::MetricValue *metric = sweep::find(trial.metrics, target.metric);
    if (metric == nullptr)
        return std::nullopt;
    return target.kind == Kind::MetricLast     ? metric->last
           : target.kind == Kind::MetricLowest ? metric->lowest
                                               : metric->highest;
}

/// Trials have their parameters in declared order, without those that are switched off: a look or two finds one.
const sweep::ParameterValue *findFrom(const sweep::ParameterSet &parameters, const std::string &name, std::size_t &at)
{
    for (std::size_t tried = 0; tried < parameters.size(); ++tried) {
        const std::size_t place = (at + tried) % parameters.size();
        if (parameters[place].first == name) {
            at = place + 1;
            return &parameters[place].second;
        }
    }
    return nullptr;
}

double addValue(Parameter &parameter, const sweep::ParameterValue &value)
{
    if (parameter.scale != Scale::Categories)
        return numberIn(value).value_or(missing);
    const std::string text = sweep::toText(value);
    const auto found = std::ranges::find(parameter.categories, text);
    if (found != parameter.categories.end())
        return static_cast<double>(found - parameter.categories.begin());
    parameter.categories.push_back(text);
    return static_cast<double>(parameter.categories.size() - 1);
}

/// For a parameter whose kind was edited, or that is in no sweep file.
void becomeWhatPointsHave(Parameter &parameter, std::span<const sweep::ParameterSet *const> points)
{
    const bool hasWords = std::ranges::any_of(points, [&](const sweep::ParameterSet *point) {
        const sweep::ParameterValue *value = sweep::find(*point, parameter.name);
        return value != nullptr && !numberIn(*value);
    });
    if (!hasWords)
        return;
    Parameter words;
    words.name = parameter.name;
    words.scale = Scale::Categories;
    parameter = std::move(words);
}

/// Few values are a list; many are logarithmic as scaleFor() says.
Scale scaleOfNumbers(const std::vector<double> &values)
{
    std::set<double> levels;
    std::vector<double> numbers;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        numbers.push_back(value);
        if (levels.size() <= mostMarks)
            levels.insert(value);
    }
    if (levels.size() <= mostMarks)
        return isGeometric({levels.begin(), levels.end()}) ? Scale::Log : Scale::Linear;
    return scaleFor(std::move(numbers));
}

/// The range takes in what trials have outside of the space. Whether there are several values.
bool widen(Parameter &parameter, bool isDeclared)
{
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    parameter.isWhole = parameter.scale != Scale::Categories;
    for (const double value : parameter.values) {
        parameter.isWhole = parameter.isWhole && (std::isnan(value) || value == std::floor(value));
        parameter.isUnsetSomewhere = parameter.isUnsetSomewhere || std::isnan(value);
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (parameter.scale == Scale::Categories) {
        parameter.low = 0;
        parameter.high = std::max<double>(0, static_cast<double>(parameter.categories.size()) - 1);
    } else if (low <= high) {
        parameter.low = isDeclared ? std::min(parameter.low, low) : low;
        parameter.high = isDeclared ? std::max(parameter.high, high) : high;
    }
    if (parameter.scale == Scale::Log && parameter.low <= 0)
        parameter.scale = Scale::Linear;
    return low < high || (low == high && parameter.isUnsetSomewhere);
}

Standing standingOf(const sweep::TrialRecord &trial, const Target &target)
{
    const bool isOneRun = trial.pointMean && trial.pointMean->runs < 2 && target.kind == Target::Kind::ObjectiveBest;
    return trial.violation != 0 ? Standing::Infeasible : isOneRun ? Standing::RanOnce : Standing::MayBeBest;
}

/// Whether trials are pruned for a value that is worse than those of others at the same step, or out of bounds.
bool prunesThoseBehind(const sweep::SweepSpec &spec)
{
    using sweep::PruneMethod;
    if (!spec.prune)
        return false;
    const PruneMethod method = spec.prune->method;
    return method != PruneMethod::Patience && !sweep::asksProgram(method);
}

}  // namespace

Scale scaleFor(std::vector<double> values)
{
    std::ranges::sort(values);
    if (values.size() < 3 || values.front() <= 0 || values.back() < fewestRatio * values.front())
        return Scale::Linear;
    const auto middleShare = [&values](const auto &unit) {
        const double width = unit(values.back()) - unit(values.front());
        return (unit(values[values.size() * 3 / 4]) - unit(values[values.size() / 4])) / width;
    };
    const double linear = middleShare([](double value) { return value; });
    const double logarithmic = middleShare([](double value) { return std::log(value); });
    return logarithmic > linear ? Scale::Log : Scale::Linear;
}

bool TrialValues::isBetter(double one, double other) const
{
    return sweep::isBetterObjective(one, other, target.goal);
}

bool TrialValues::isRowBetter(std::size_t one, std::size_t other) const
{
    return standings[one] != standings[other] ? standings[one] < standings[other]
                                              : isBetter(values[one], values[other]);
}

int TrialValues::bestRow() const
{
    int best = -1;
    for (std::size_t row = 0; row < values.size(); ++row) {
        if (standings[row] != Standing::Infeasible && (best < 0 || isRowBetter(row, static_cast<std::size_t>(best))))
            best = static_cast<int>(row);
    }
    return best;
}

std::vector<Parameter> parametersOf(const sweep::SweepSpec &spec, const std::vector<std::string> &names,
                                    std::span<const sweep::ParameterSet *const> points)
{
    std::vector<Declared> found;
    for (const std::string &name : names) {
        const auto dimension = std::ranges::find(spec.space, name, &sweep::Dimension::name);
        found.push_back(dimension != spec.space.end() ? declared(*dimension) : Declared());
        Parameter &parameter = found.back().parameter;
        parameter.name = name;
        if (parameter.scale != Scale::Categories)
            becomeWhatPointsHave(parameter, points);
        parameter.values.reserve(points.size());
    }
    for (const sweep::ParameterSet *point : points) {
        std::size_t at = 0;
        for (Declared &one : found) {
            const sweep::ParameterValue *value = findFrom(*point, one.parameter.name, at);
            one.parameter.values.push_back(value ? addValue(one.parameter, *value) : missing);
        }
    }
    std::vector<Parameter> parameters;
    for (Declared &one : found) {
        const bool isDeclared =
            std::ranges::find(spec.space, one.parameter.name, &sweep::Dimension::name) != spec.space.end();
        if (!isDeclared && one.parameter.scale != Scale::Categories)
            one.parameter.scale = scaleOfNumbers(one.parameter.values);
        const bool differs = widen(one.parameter, isDeclared);
        if (one.varies || differs)
            parameters.push_back(std::move(one.parameter));
    }
    return parameters;
}

TrialValues collect(const sweep::SweepSpec &spec, const sweep::SweepRecord &sweep,
                    const std::vector<sweep::TrialRecord> &trials, const Target &target)
{
    TrialValues result;
    result.target = target;
    result.arePrunedBehind = prunesThoseBehind(spec);
    result.parameterNames = sweep.parameterNames;
    std::vector<const sweep::ParameterSet *> points;
    points.reserve(trials.size());
    for (const sweep::TrialRecord &trial : trials) {
        using sweep::TrialState;
        const bool isStopped = trial.state == TrialState::Stopped;
        if (!isStopped && trial.state != TrialState::Pruned && trial.state != TrialState::Completed) {
            ++result.others;
            continue;
        }
        const std::optional<double> value = targetOf(trial, target);
        if (!value || !std::isfinite(*value)) {
            ++(isStopped ? result.others : result.without);
            continue;
        }
        points.push_back(&trial.parameters);
        result.trials.push_back(trial.number);
        result.values.push_back(*value);
        result.states.push_back(trial.state);
        result.standings.push_back(standingOf(trial, target));
        result.ended.push_back(trial.ended.value_or(0));
    }

    result.parameters = parametersOf(spec, sweep.parameterNames, points);
    return result;
}

TrialValues rowsOf(const TrialValues &values, const std::vector<char> &within)
{
    TrialValues result = values;
    const auto keep = [&within](auto &column) {
        std::size_t kept = 0;
        for (std::size_t row = 0; row < column.size(); ++row) {
            if (within[row])
                column[kept++] = column[row];
        }
        column.resize(kept);
    };
    keep(result.trials);
    keep(result.values);
    keep(result.states);
    keep(result.standings);
    keep(result.ended);
    for (Parameter &parameter : result.parameters) {
        keep(parameter.values);
        std::vector<double> known;
        std::ranges::copy_if(parameter.values, std::back_inserter(known),
                             [](double value) { return std::isfinite(value); });
        if (parameter.scale != Scale::Categories && !known.empty()) {
            const auto [low, high] = std::ranges::minmax(known);
            parameter.low = low;
            parameter.high = high;
        }
    }
    return result;
}

std::vector<double> completedValues(const std::vector<sweep::TrialRecord> &trials, const Target &target)
{
    std::vector<double> values;
    for (const sweep::TrialRecord &trial : trials) {
        const std::optional<double> value = targetOf(trial, target);
        if (trial.state == sweep::TrialState::Completed && value && std::isfinite(*value))
            values.push_back(*value);
    }
    return values;
}

std::vector<std::string> metricNames(const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const sweep::TrialRecord &trial : trials) {
        for (std::size_t i = 0; i < trial.metrics.size(); ++i) {
            const std::string &name = trial.metrics[i].name;
            if (i < names.size() && names[i] == name)
                continue;  // as nearly all trials have them
            if (known.insert(name).second)
                names.push_back(name);
        }
    }
    return names;
}

}  // namespace sweepscope::analysis
