#include "exporting/optunaspace.h"

#include "exporting/jsontext.h"
#include "sweep/dimensionvalues.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace sweepscope::exporting {

namespace {

using Attributes = nlohmann::ordered_json;

std::string distributionText(const char *kind, Attributes attributes)
{
    return jsonLine({{"name", kind}, {"attributes", std::move(attributes)}});
}

bool isNumeric(sweep::DimensionKind kind)
{
    return kind != sweep::DimensionKind::List && kind != sweep::DimensionKind::Choice;
}

struct Range {
    double low = 0;
    double high = 0;
};

Range rangeOf(const sweep::Dimension *dimension, const std::vector<double> &numbers)
{
    Range range = dimension != nullptr ? Range{dimension->low, dimension->high} : Range{numbers[0], numbers[0]};
    for (const double number : numbers) {
        range.low = std::min(range.low, number);
        range.high = std::max(range.high, number);
    }
    return range;
}

/// Optuna's tolerance for values of a range with steps.
bool isOnGrid(double number, double low, double step)
{
    const double steps = (number - low) / step;
    return std::fabs(steps - std::round(steps)) < 1e-8;
}

}  // namespace

OptunaParameter::OptunaParameter(std::string name, const sweep::Dimension *dimension,
                                 const std::vector<sweep::ParameterValue> &values)
    : m_name(std::move(name))
{
    std::vector<double> numbers;
    bool areWhole = true;
    for (const sweep::ParameterValue &value : values) {
        areWhole = areWhole && std::holds_alternative<std::int64_t>(value);
        if (const auto number = sweep::numberOf(value))
            numbers.push_back(*number);
    }
    if (numbers.size() < values.size() || values.empty() || (dimension != nullptr && !isNumeric(dimension->kind)))
        setCategories(dimension, values);
    else if (areWhole && (dimension == nullptr || sweep::isWhole(dimension->kind)))
        setIntegers(dimension, numbers);
    else
        setFloats(dimension, numbers);
}

void OptunaParameter::setCategories(const sweep::Dimension *dimension, const std::vector<sweep::ParameterValue> &values)
{
    Attributes choices = Attributes::array();
    const auto add = [&](const sweep::ParameterValue &value) {
        if (std::ranges::find(m_choices, sweep::canonical(value)) != m_choices.end())
            return;
        m_choices.push_back(sweep::canonical(value));
        choices.push_back(std::visit([](const auto &held) { return jsonValue(held); }, value));
    };
    if (dimension != nullptr)
        std::ranges::for_each(dimension->values, add);
    std::ranges::for_each(values, add);
    m_distribution = distributionText("CategoricalDistribution", {{"choices", choices}});
}

void OptunaParameter::setIntegers(const sweep::Dimension *dimension, const std::vector<double> &numbers)
{
    const Range range = rangeOf(dimension, numbers);
    const bool isLog = dimension != nullptr && sweep::isLogarithmic(dimension->kind) && range.low >= 1;
    const auto low = static_cast<std::int64_t>(range.low);
    auto high = static_cast<std::int64_t>(range.high);
    std::int64_t step = dimension != nullptr && !isLog ? std::max<std::int64_t>(1, dimension->step) : 1;
    for (const double number : numbers) {
        if ((static_cast<std::int64_t>(number) - low) % step != 0)
            step = 1;
    }
    high -= (high - low) % step;
    m_distribution =
        distributionText("IntDistribution", {{"log", isLog}, {"step", step}, {"low", low}, {"high", high}});
}

void OptunaParameter::setFloats(const sweep::Dimension *dimension, const std::vector<double> &numbers)
{
    Range range = rangeOf(dimension, numbers);
    const bool isLog = dimension != nullptr && sweep::isLogarithmic(dimension->kind) && range.low > 0;
    Attributes step;  // null
    if (dimension != nullptr && dimension->kind == sweep::DimensionKind::Stepped && dimension->spacing > 0
        && range.low == dimension->low && range.high == dimension->high
        && std::ranges::all_of(numbers,
                               [&](double number) { return isOnGrid(number, dimension->low, dimension->spacing); })) {
        step = dimension->spacing;
        // Optuna warns if the last step does not end at the upper bound.
        const sweep::DimensionValues grid(*dimension);
        if (grid.size() > 0)
            range.high = sweep::numberOf(grid.at(grid.size() - 1)).value_or(range.high);
    }
    m_distribution = distributionText("FloatDistribution",
                                      {{"step", step}, {"low", range.low}, {"high", range.high}, {"log", isLog}});
}

double OptunaParameter::stored(const sweep::ParameterValue &value) const
{
    if (m_choices.empty())
        return sweep::numberOf(value).value_or(0);  // all values that were passed are numbers
    return static_cast<double>(std::ranges::find(m_choices, sweep::canonical(value)) - m_choices.begin());
}

std::vector<OptunaParameter> optunaParameters(const sweep::SweepSpec &spec, const sweep::SweepRecord &sweep,
                                              const std::vector<sweep::TrialRecord> &trials)
{
    std::vector<std::string> names = sweep.parameterNames;
    std::map<std::string, std::vector<sweep::ParameterValue>> values;
    for (const sweep::TrialRecord &trial : trials) {
        for (const auto &parameter : trial.parameters) {
            std::vector<sweep::ParameterValue> &known = values[parameter.first];
            if (known.empty() && std::ranges::find(names, parameter.first) == names.end())
                names.push_back(parameter.first);
            known.push_back(parameter.second);
        }
    }
    std::vector<OptunaParameter> parameters;
    for (const std::string &name : names) {
        const auto found = values.find(name);
        if (found == values.end())
            continue;
        const auto dimension = std::ranges::find(spec.space, name, &sweep::Dimension::name);
        parameters.emplace_back(name, dimension == spec.space.end() ? nullptr : &*dimension, found->second);
    }
    return parameters;
}

}  // namespace sweepscope::exporting
