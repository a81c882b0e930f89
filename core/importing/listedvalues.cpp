#include "importing/listedvalues.h"

#include <algorithm>

namespace sweepscope::importing {

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
    for (const sweep::ParameterValue &value : values) {
        const sweep::ParameterValue typed = areMixed ? sweep::ParameterValue(sweep::toText(value)) : value;
        const auto equals = [&typed](const sweep::ParameterValue &other) {
            return sweep::canonical(other) == sweep::canonical(typed);
        };
        if (std::ranges::none_of(listed.values, equals))
            listed.values.push_back(typed);
    }
    if (listed.values.size() < values.size())
        listed.note += std::string(listed.note.empty() ? "" : " ")
                       + "Each value is listed once. The original lists some several times.";
    sweep::unifyNumbers(listed.values);
    return listed;
}

}  // namespace sweepscope::importing
