#include "wording/placeholders.h"

#include "wording/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace sweepscope::wording {

using facts::Fact;
using facts::Field;

std::string grouped(std::int64_t value)
{
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    if (digits.size() - first <= 4)
        return digits;
    for (std::size_t place = digits.size(); place > first + 3;)
        digits.insert(place -= 3, 1, ',');
    return digits;
}

std::string bytes(double count)
{
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; count >= 1024 && unit + 1 < units.size(); ++unit)
        count /= 1024;
    return number(std::round(count * (count < 10 && unit > 0 ? 10 : 1)) / (count < 10 && unit > 0 ? 10 : 1)) + " "
           + units[unit];
}

namespace {

std::string signalName(std::int64_t number)
{
    const char *name = ::sigabbrev_np(static_cast<int>(number));
    const char *description = ::sigdescr_np(static_cast<int>(number));
    if (name == nullptr || description == nullptr)
        return std::to_string(number);
    return std::to_string(number) + " (SIG" + name + ", " + description + ")";
}

/// Returns a field as displayed.
std::string shown(const Fact &fact, Field field)
{
    switch (field) {
    case Field::Signal:
        return signalName(fact.integer(field).value_or(0));
    case Field::Seconds:
    case Field::Longest:
        return duration(fact.number(field).value_or(0));
    case Field::Bytes:
    case Field::NeededBytes:
        return bytes(static_cast<double>(fact.integer(field).value_or(0)));
    case Field::Failure:
        return failure(fact.text(field));
    case Field::Ranks:
        return ranks(fact.text(field));
    case Field::ExitCode:
    case Field::Pid:
    case Field::Trial:
    case Field::Number:
    case Field::Index:
        return std::to_string(fact.integer(field).value_or(0));
    default:
        break;
    }
    if (facts::typeOf(field) == facts::FieldType::Integer)
        return grouped(fact.integer(field).value_or(0));
    return facts::typeOf(field) == facts::FieldType::Number ? number(fact.number(field).value_or(0)) : fact.text(field);
}

}  // namespace

std::string fill(std::string_view english, const Fact &fact)
{
    std::string filled;
    while (!english.empty()) {
        const std::size_t open = std::min(english.find('{'), english.size());
        filled += english.substr(0, open);
        english.remove_prefix(open);
        if (english.empty())
            break;
        const std::size_t close = std::min(english.find('}'), english.size() - 1);
        const std::string_view name = english.substr(1, close - 1);
        if (name == "because")
            filled += fact.because.empty() ? std::string() : clause(fact.because.front());
        else if (const std::optional<Field> field = facts::fieldOf(name))
            filled += shown(fact, *field);
        english.remove_prefix(close + 1);
    }
    return filled;
}

std::string plural(const Fact &fact, const char *one, const char *many)
{
    return fill(fact.integer(Field::Count) == 1 ? one : many, fact);
}

}  // namespace sweepscope::wording
