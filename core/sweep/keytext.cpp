#include "sweep/keytext.h"

#include "base/suggestion.h"
#include "sweep/bytesize.h"
#include "sweep/duration.h"
#include "sweep/tomltext.h"

#include <algorithm>
#include <cmath>

namespace sweepscope::sweep {

namespace {

/// 100,000 and not 1e+05; 4096 as one writes it.
std::string inDigits(double value)
{
    constexpr double most = 1e15;
    constexpr std::size_t ungrouped = 4;
    if (!(std::fabs(value) < most) || std::floor(value) != value)
        return toText(ParameterValue(value));
    std::string digits = std::to_string(static_cast<std::int64_t>(std::fabs(value)));
    for (std::size_t at = digits.size(); digits.size() > ungrouped && at > 3;)
        digits.insert(at -= 3, ",");
    return (value < 0 ? "-" : "") + digits;
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<std::int64_t>(seconds);
    return whole < 0 ? std::to_string(whole) + "s" : toText(std::chrono::seconds(whole));
}

std::string bound(const Key &key, double value)
{
    return key.type == KeyType::Duration ? durationText(value) : inDigits(value);
}

struct Range {
    std::string values;  ///< "1 to 4096", "at least 1 or 0 (never)"; empty for any
    bool hasMaximum = false;

    /// "an integer from 1 to 4096"
    std::string after(const std::string &noun) const
    {
        return values.empty() ? noun : noun + (hasMaximum ? " from " : " of ") + values;
    }
};

Range rangeOf(const Key &key)
{
    const std::string zero = key.zero.empty() || !key.zeroWord.empty() ? "" : " (" + key.zero + ")";
    const bool zeroIsLeast = key.minimum && *key.minimum == 0;
    Range range{{}, key.minimum && key.maximum};
    if (key.minimum)
        range.values = (range.hasMaximum ? "" : "at least ") + bound(key, *key.minimum) + (zeroIsLeast ? zero : "");
    if (range.hasMaximum)
        range.values += " to " + bound(key, *key.maximum);
    if (!zero.empty() && !zeroIsLeast)
        range.values += ", or 0" + zero;
    if (!key.zeroWord.empty())
        range.values += ", or `\"" + key.zeroWord + "\"`";
    return range;
}

std::vector<std::string> asCode(const std::vector<std::string> &words)
{
    std::vector<std::string> code;
    for (const std::string &word : words)
        code.push_back("`\"" + word + "\"`");
    return code;
}

std::optional<double> numberOf(const KeyValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value))
        return *real;
    if (const auto *duration = std::get_if<std::chrono::seconds>(&value))
        return static_cast<double>(duration->count());
    return std::nullopt;
}

std::string inWords(const Key &key, const KeyValue &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return "'" + *text + "'";
    if (const auto *boolean = std::get_if<bool>(&value))
        return *boolean ? "true" : "false";
    if (const auto *real = std::get_if<double>(&value); real != nullptr && key.type == KeyType::Integer)
        return tomlFloat(*real);  // 16.0, where 16 would be right
    const std::optional<double> number = numberOf(value);
    return number ? bound(key, *number) : std::string("a list");
}

/// Whether the value is of the key's type at all.
bool hasType(const Key &key, const KeyValue &value)
{
    switch (key.type) {
    case KeyType::Integer:
    case KeyType::Size:
        return std::holds_alternative<std::int64_t>(value);
    case KeyType::Float:
        return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    case KeyType::Boolean:
        return std::holds_alternative<bool>(value);
    case KeyType::Duration:
        return std::holds_alternative<std::chrono::seconds>(value);
    case KeyType::String:
        return std::holds_alternative<std::string>(value);
    case KeyType::Choice:
    case KeyType::Strings:
    case KeyType::Gpus:
    case KeyType::Table:
        return true;
    }
    return true;
}

std::string checkChoice(const Key &key, const KeyValue &value)
{
    if (key.get != nullptr && std::holds_alternative<std::int64_t>(value))
        return {};  // an index
    const auto *word = std::get_if<std::string>(&value);
    const std::string shown = word != nullptr ? *word : inWords(key, value);
    if (word != nullptr && std::ranges::find(key.choices, *word) != key.choices.end())
        return {};
    return "cannot be '" + shown + "'" + suggestion(shown, key.choices) + ": it can be " + orList(key.choices);
}

std::string sentence(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

/// What to write, where the description does not say it: the words of a choice, or a range.
std::string valueInWords(const Key &key)
{
    if (key.type == KeyType::Choice)
        return ": " + orList(asCode(key.choices));
    if (key.type == KeyType::Size)
        return {};
    if (key.type == KeyType::Boolean)
        return ": true or false";
    const std::string values = rangeOf(key).values;
    return values.empty() ? values : ", " + values;
}

/// " Only with `"halving"` and `"hyperband"`."; empty: with every method.
std::string methodsInWords(const Key &key)
{
    std::string text;
    for (std::size_t i = 0; i < key.methods.size(); ++i)
        text += (i == 0                       ? " Only with "
                 : i + 1 < key.methods.size() ? ", "
                                              : " and ")
                + ("`\"" + key.methods[i] + "\"`");
    return text.empty() ? text : text + ".";
}

constexpr std::size_t widest = 100;

/// In lines of at most `widest` bytes, each with its line break.
std::string wrapped(const std::string &text)
{
    std::string result;
    std::string line;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        if (!line.empty() && line.size() + 1 + word.size() > widest) {
            result += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        begin = end + 1;
    }
    return result + line + "\n";
}

/// Markdown's code marks are for the page.
std::string plain(std::string text)
{
    std::erase(text, '`');
    for (std::size_t link = text.find("]("); link != std::string::npos; link = text.find("](")) {
        const std::size_t end = text.find(')', link);
        const std::size_t open = text.rfind('[', link);
        if (end == std::string::npos || open == std::string::npos)
            break;
        text = text.substr(0, open) + text.substr(open + 1, link - open - 1) + text.substr(end + 1);
    }
    return text;
}

std::string inWords(Applies applies)
{
    switch (applies) {
    case Applies::Now:
        return "Edits apply to a running sweep immediately.";
    case Applies::NextAttempt:
        return "Edits apply to attempts that start later.";
    case Applies::NewTrials:
        return "Edits apply to the trials they add.";
    case Applies::NewSweep:
        return "It cannot be changed after launch.";
    }
    return {};
}

}  // namespace

std::string expectation(const Key &key)
{
    switch (key.type) {
    case KeyType::Integer:
        return plain(rangeOf(key).after("an integer"));
    case KeyType::Float:
        return rangeOf(key).after("a number");
    case KeyType::Boolean:
        return "true or false";
    case KeyType::Choice:
        return plain(orList(asCode(key.choices)));
    case KeyType::String:
        return "a string in quotes";
    case KeyType::Duration:
        return rangeOf(key).after("a duration");
    case KeyType::Size:
        return "a number and a unit";
    case KeyType::Strings:
        return "a list of strings";
    case KeyType::Gpus:
        return "a list of indexes and names";
    case KeyType::Table:
        return "a table";
    }
    return {};
}

std::string checkValue(const Key &key, const KeyValue &value)
{
    if (std::holds_alternative<std::monostate>(value))
        return {};
    if (key.type == KeyType::Choice)
        return checkChoice(key, value);
    const auto *text = std::get_if<std::string>(&value);
    if (key.isSetting() && text != nullptr && text->find('\0') != std::string::npos)
        return "contains a zero byte";
    const std::optional<double> number = numberOf(value);
    const bool isZero = number && *number == 0 && !key.zero.empty();
    // Written so that NaN is outside of every range.
    const bool isInRange = !number || isZero
                           || ((!key.minimum || *number >= *key.minimum) && (!key.maximum || *number <= *key.maximum)
                               && std::isfinite(*number));
    if (hasType(key, value) && isInRange)
        return {};
    if (key.type == KeyType::Size)
        return "is not a size: write a number and a unit, e.g. " + key.example + " or \"500 MB\"";
    return "must be " + expectation(key) + ", not " + inWords(key, value);
}

std::string tomlOf(const Key &key, const KeyValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value)) {
        if (key.type == KeyType::Choice && key.get != nullptr)
            return tomlString(key.choices.at(static_cast<std::size_t>(*whole)));
        if (key.type == KeyType::Size)
            return tomlString(bytesToText(static_cast<std::uint64_t>(*whole)));
        if (*whole == 0 && !key.zeroWord.empty())
            return tomlString(key.zeroWord);
        return std::to_string(*whole);
    }
    if (const auto *real = std::get_if<double>(&value))
        return tomlFloat(*real);
    if (const auto *boolean = std::get_if<bool>(&value))
        return *boolean ? "true" : "false";
    if (const auto *duration = std::get_if<std::chrono::seconds>(&value))
        return tomlString(toText(*duration));
    if (const auto *text = std::get_if<std::string>(&value))
        return tomlString(*text);
    if (const auto *list = std::get_if<std::vector<std::string>>(&value))
        return tomlStrings(*list);
    return {};
}

std::string exampleOf(const Key &key)
{
    return key.name + " = " + (key.example.empty() ? tomlOf(key, defaultOf(key)) : key.example);
}

std::string defaultInWords(const Key &key)
{
    const std::string value = key.absent.empty() ? tomlOf(key, defaultOf(key)) : std::string();
    return value.empty() || value == "\"\"" ? key.absent : "`" + value + "`";
}

std::string referenceRow(const Key &key)
{
    std::string text = sentence(key.description) + valueInWords(key) + ".";
    if (!key.details.empty())
        text += " " + key.details;
    text += methodsInWords(key);
    return "| `" + key.name + "` | " + text + " | " + defaultInWords(key) + " |";
}

std::string summaryOf(const Key &key)
{
    return plain(sentence(key.description));
}

std::string descriptionOf(const Key &key)
{
    std::string text =
        wrapped(plain(sentence(key.description) + valueInWords(key) + ". " + key.details + methodsInWords(key)));
    text.pop_back();
    return text;
}

std::string helpText(const Key &key)
{
    std::string text = key.path() + "\n\n" + descriptionOf(key) + "\n\n";
    if (const std::string standard = plain(defaultInWords(key)); !standard.empty())
        text += "Default: " + standard + "\n";
    if (!key.example.empty())
        text += "Example: " + exampleOf(key) + "\n";
    return text + inWords(key.applies) + "\n";
}

std::string summaryOf(const FreeSection &section)
{
    return sentence(section.entry);
}

std::string helpText(const FreeSection &section)
{
    return "[" + section.name + "]\n\n" + wrapped(plain(sentence(section.entry) + ". " + section.details))
           + "\nExample: " + section.example + "\n" + inWords(section.applies) + "\n";
}

}  // namespace sweepscope::sweep
