#include "importing/hydraoverride.h"

#include "importing/importedsweep.h"
#include "importing/listedvalues.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace sweepscope::importing {

namespace {

using sweep::Dimension;
using sweep::DimensionKind;
using sweep::ParameterValue;

constexpr int deepestOverride = 16;

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view spaces = " \t\n\r";
    const std::size_t begin = text.find_first_not_of(spaces);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

/// Splits at `separator` outside of quotes and brackets.
Expected<std::vector<std::string_view>> splitOutside(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    std::string open;
    char quote = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\') {
            ++i;
        } else if (quote != 0) {
            quote = c == quote ? '\0' : quote;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[' || c == '{') {
            open += c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (c == ')' || c == ']' || c == '}') {
            if (open.empty() || open.back() != c)
                return makeError(ErrorCode::BadInput, std::string("has an unexpected ") + c);
            open.pop_back();
        } else if (c == separator && open.empty()) {
            parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    if (quote != 0 || !open.empty())
        return makeError(ErrorCode::BadInput, std::string("lacks a closing ") + (quote != 0 ? quote : open.back()));
    parts.push_back(text.substr(begin));
    return parts;
}

bool isIdentifier(std::string_view text)
{
    const auto isAllowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0
           && std::ranges::all_of(text, isAllowed);
}

Expected<OverrideValue> parseElement(std::string_view text, int depth);

Expected<void> parseArguments(std::string_view text, int depth, OverrideValue &value)
{
    const auto parts = splitOutside(text, ',');
    if (!parts)
        return tl::unexpected(parts.error());
    for (const std::string_view part : *parts) {
        const std::size_t equals = part.find('=');
        const std::string_view name = trimmed(part.substr(0, equals == std::string_view::npos ? 0 : equals));
        const bool isNamed = isIdentifier(name);
        Expected<OverrideValue> argument = parseElement(isNamed ? part.substr(equals + 1) : part, depth + 1);
        if (!argument)
            return tl::unexpected(argument.error());
        value.names.emplace_back(isNamed ? name : std::string_view());
        value.arguments.push_back(std::move(*argument));
    }
    return {};
}

Expected<OverrideValue> parseElement(std::string_view text, int depth)
{
    text = trimmed(text);
    OverrideValue value{std::string(text), {}, {}, {}};
    if (depth > deepestOverride)
        return makeError(ErrorCode::BadInput, "nests too deeply");
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')') || !isIdentifier(text.substr(0, open)))
        return value;
    value.function = text.substr(0, open);
    if (const auto parsed = parseArguments(text.substr(open + 1, text.size() - open - 2), depth, value); !parsed)
        return tl::unexpected(parsed.error());
    return value;
}

/// As Hydra types a value without quotes.
ParameterValue typedValue(const std::string &text)
{
    std::string lower = text;
    for (char &c : lower)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (lower == "true" || lower == "false")
        return lower == "true";
    const char *const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char *const end = text.data() + text.size();
    std::int64_t integer = 0;
    if (const auto read = std::from_chars(begin, end, integer); read.ec == std::errc() && read.ptr == end)
        return integer;
    double number = 0;
    if (const auto read = std::from_chars(begin, end, number);
        read.ec == std::errc() && read.ptr == end && std::isfinite(number))
        return number;
    return text;
}

std::optional<double> numberIn(const OverrideValue &value)
{
    return value.function.empty() ? sweep::numberOf(typedValue(value.text)) : std::nullopt;
}

bool isIntegerIn(const OverrideValue &value)
{
    return value.function.empty() && std::holds_alternative<std::int64_t>(typedValue(value.text));
}

/// Functions around choice, range and interval, from the outermost.
struct OverrideModifiers {
    bool isLog = false;
    bool isShuffled = false;
    std::string cast;
};

class RangeReader {
public:
    explicit RangeReader(HydraSweeper sweeper) : m_sweeper(sweeper) {}

    Expected<OverrideRange> read(const OverrideValue &value)
    {
        if (value.function == "tag")
            return readTag(value);
        if (value.function == "int" || value.function == "float") {
            m_modifiers.cast = value.function;
            return readInner(value);
        }
        if (value.function == "shuffle" || value.function == "sort") {
            m_modifiers.isShuffled = m_modifiers.isShuffled || value.function == "shuffle";
            m_result.note = "The order of the original is not kept: " + value.function + "().";
            // sort(3, 1, 2) and shuffle(3, 1, 2) sweep over their arguments.
            if (value.arguments.size() > 1 && value.names[1].empty())
                return readChoice(value);
            return readInner(value);
        }
        if (value.function == "choice")
            return readChoice(value);
        if (value.function == "range")
            return readRange(value);
        if (value.function == "interval")
            return readInterval(value);
        return makeError(ErrorCode::Unsupported,
                         value.function + "() has no equivalent: use choice(), range() or interval()");
    }

private:
    Expected<OverrideRange> readTag(const OverrideValue &value)
    {
        for (std::size_t i = 0; i + 1 < value.arguments.size(); ++i)
            m_modifiers.isLog = m_modifiers.isLog || value.arguments[i].text == "log";
        return read(value.arguments.back());
    }

    Expected<OverrideRange> readInner(const OverrideValue &value)
    {
        if (value.arguments.front().function.empty())
            return makeError(ErrorCode::Unsupported, value.function + "() needs choice(), range() or interval()");
        return read(value.arguments.front());
    }

    Expected<OverrideRange> readChoice(const OverrideValue &value)
    {
        std::vector<ParameterValue> values;
        for (std::size_t i = 0; i < value.arguments.size(); ++i) {
            if (!value.names[i].empty())  // sort(..., reverse=true)
                continue;
            if (value.arguments[i].text.empty())
                return makeError(ErrorCode::BadInput, "has an empty value");
            ParameterValue typed = typedValue(value.arguments[i].text);
            const std::optional<double> number = sweep::numberOf(typed);
            if (number && m_modifiers.cast == "float")
                typed = *number;
            else if (number && m_modifiers.cast == "int")
                typed = static_cast<std::int64_t>(std::clamp(*number, -9e15, 9e15));
            else if (!m_modifiers.cast.empty())
                return makeError(ErrorCode::Unsupported, m_modifiers.cast + "() needs numbers");
            values.push_back(std::move(typed));
        }
        setListed(values);
        return m_result;
    }

    void setListed(const std::vector<ParameterValue> &values)
    {
        ListedValues listed = listedValues(values);
        m_result.dimension.kind = listed.kind;
        m_result.dimension.values = std::move(listed.values);
        if (!listed.note.empty())
            m_result.note += (m_result.note.empty() ? "" : " ") + listed.note;
    }

    static const OverrideValue *argument(const OverrideValue &value, std::string_view name, std::size_t position)
    {
        for (std::size_t i = 0; i < value.arguments.size(); ++i) {
            if (value.names[i].empty() ? i == position : value.names[i] == name)
                return &value.arguments[i];
        }
        return nullptr;
    }

    Expected<OverrideRange> readRange(const OverrideValue &value)
    {
        const bool hasOneLimit = argument(value, "stop", 1) == nullptr;
        const OverrideValue zero{"0", {}, {}, {}};
        const OverrideValue one{"1", {}, {}, {}};
        const OverrideValue *start = hasOneLimit ? &zero : argument(value, "start", 0);
        const OverrideValue *stop = hasOneLimit ? argument(value, "stop", 0) : argument(value, "stop", 1);
        const OverrideValue *step = argument(value, "step", 2);
        start = start != nullptr ? start : &zero;
        step = step != nullptr ? step : &one;
        const std::optional<double> from = numberIn(*start);
        const std::optional<double> to = stop != nullptr ? numberIn(*stop) : std::nullopt;
        const std::optional<double> width = numberIn(*step);
        if (!from || !to || !width || *width == 0)
            return makeError(ErrorCode::BadInput, "range() needs numbers: start, stop and a step that is not 0");
        const bool isWhole = isIntegerIn(*start) && isIntegerIn(*stop) && isIntegerIn(*step);
        // Hydra's stop is not a value. Optuna's distribution includes it.
        const double quotient = (*to - *from) / *width;
        const double intervals =
            m_sweeper == HydraSweeper::Optuna ? std::floor(quotient + 1e-9) : std::ceil(quotient - 1e-9) - 1;
        if (!(intervals >= 0) || intervals > 1e9)
            return makeError(ErrorCode::BadInput, "range() has no values, or too many");
        if (*width < 0)
            m_result.note = "In the original, the values descend.";
        const double last = roundedToDigits(*from + intervals * *width);
        setSteps(std::min(*from, last), std::max(*from, last), std::fabs(*width), isWhole || m_modifiers.cast == "int");
        return m_result;
    }

    void setSteps(double low, double high, double width, bool isWhole)
    {
        Dimension &dimension = m_result.dimension;
        if (low == high) {
            dimension.values = {isWhole ? ParameterValue(static_cast<std::int64_t>(std::clamp(low, -9e15, 9e15)))
                                        : ParameterValue(low)};
            return;
        }
        dimension.kind = isWhole ? DimensionKind::Integer : DimensionKind::Stepped;
        dimension.low = low;
        dimension.high = high;
        if (isWhole)
            dimension.step = std::max(std::int64_t{1}, static_cast<std::int64_t>(std::min(width, 9e15)));
        else
            dimension.spacing = width;
    }

    Expected<OverrideRange> readInterval(const OverrideValue &value)
    {
        if (m_sweeper != HydraSweeper::Optuna)
            return makeError(ErrorCode::Unsupported, "interval() needs the sweeper of Optuna: use choice() or range()");
        const OverrideValue *start = argument(value, "start", 0);
        const OverrideValue *end = argument(value, "end", 1);
        if (start == nullptr || end == nullptr || !numberIn(*start) || !numberIn(*end))
            return makeError(ErrorCode::BadInput, "interval() needs two numbers");
        const double low = numberIn(*start).value_or(0);
        const double high = numberIn(*end).value_or(0);
        if (low == high) {
            setListed({low});
            return m_result;
        }
        const bool isWhole = m_modifiers.cast == "int";
        Dimension &dimension = m_result.dimension;
        dimension.kind = isWhole ? (m_modifiers.isLog ? DimensionKind::LogInteger : DimensionKind::Integer)
                                 : (m_modifiers.isLog ? DimensionKind::Log : DimensionKind::Linear);
        dimension.low = isWhole ? std::trunc(low) : low;
        dimension.high = isWhole ? std::trunc(high) : high;
        return m_result;
    }

    HydraSweeper m_sweeper;
    OverrideModifiers m_modifiers;
    OverrideRange m_result;
};

}  // namespace

Expected<OverrideValue> parseOverride(std::string_view text)
{
    const auto parts = splitOutside(text, ',');
    if (!parts)
        return tl::unexpected(parts.error());
    if (parts->size() == 1)
        return parseElement(text, 0);
    OverrideValue choice{std::string(trimmed(text)), "choice", {}, {}};
    for (const std::string_view part : *parts) {
        // Functions are no values of a simple sweep.
        choice.names.emplace_back();
        choice.arguments.push_back({std::string(trimmed(part)), {}, {}, {}});
    }
    return choice;
}

Expected<OverrideRange> rangeOf(const OverrideValue &value, HydraSweeper sweeper)
{
    return RangeReader(sweeper).read(value);
}

}  // namespace sweepscope::importing
