#include "importing/listedvalues.h"

#include <algorithm>
#include <set>
#include <string>

namespace sweepscope::importing {

namespace {

/// More values are a range.
constexpr std::size_t mostListedNumbers = 50;

}  // namespace

ListedValues listedValues(const std::vector<sweep::ParameterValue> &values)
{
    const auto isNumber = [](const sweep::ParameterValue &value) { return sweep::numberOf(value).has_value(); };
    const auto isBool = [](const sweep::ParameterValue &value) { return std::holds_alternative<bool>(value); };
    const auto isString = [](const sweep::ParameterValue &value) { return std::holds_alternative<std::string>(value); };
    ListedValues listed;
    const bool areNumbers = std::ranges::all_of(values, isNumber);
    const bool areMixed = !areNumbers && !std::ranges::all_of(values, isBool) && !std::ranges::all_of(values, isString);
    if (!areNumbers)
        listed.kind = sweep::DimensionKind::Choice;
    if (areMixed)
        listed.note = "Strings, because the values of a parameter have one type.";
    std::set<sweep::ParameterValue> known;
    for (const sweep::ParameterValue &value : values) {
        const sweep::ParameterValue typed = areMixed ? sweep::ParameterValue(sweep::toText(value)) : value;
        if (known.insert(sweep::canonical(typed)).second)
            listed.values.push_back(typed);
    }
    if (listed.values.size() < values.size())
        listed.note += std::string(listed.note.empty() ? "" : " ")
                       + "Each value is listed once. The original lists some several times.";
    sweep::unifyNumbers(listed.values);
    return listed;
}

sweep::Dimension dimensionOfValues(const std::string &name, const std::vector<sweep::ParameterValue> &values)
{
    const ListedValues listed = listedValues(values);
    sweep::Dimension dimension;
    dimension.name = name;
    dimension.kind = listed.kind;
    dimension.values = listed.values;
    if (listed.kind != sweep::DimensionKind::List || listed.values.size() <= mostListedNumbers)
        return dimension;
    bool isWhole = true;
    std::vector<double> numbers;
    for (const sweep::ParameterValue &value : listed.values) {
        isWhole = isWhole && std::holds_alternative<std::int64_t>(value);
        numbers.push_back(sweep::numberOf(value).value_or(0));
    }
    const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
    constexpr double wide = 100;
    const bool isLog = *low > 0 && *high / *low >= wide;
    dimension.values.clear();
    dimension.low = *low;
    dimension.high = *high;
    dimension.kind = isWhole ? isLog ? sweep::DimensionKind::LogInteger : sweep::DimensionKind::Integer
                     : isLog ? sweep::DimensionKind::Log
                             : sweep::DimensionKind::Linear;
    return dimension;
}

}  // namespace sweepscope::importing
