#include "sweep/tomltext.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sweepscope::sweep {

namespace {

std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (c == '\n') {
            result += "\\n";
        } else if (c == '\t') {
            result += "\\t";
        } else if (code < 0x20 || code == 0x7f) {
            std::array<char, 8> escaped{};
            std::snprintf(escaped.data(), escaped.size(), "\\u%04X", code);
            result += escaped.data();
        } else {
            result += c;
        }
    }
    return result + "\"";
}

/// Where the string that begins at `begin` with its quote ends: the position after its last quote.
std::size_t endOfString(std::string_view toml, std::size_t begin)
{
    const char quote = toml[begin];
    const std::string three(3, quote);
    const bool isLong = toml.substr(begin, 3) == three;
    for (std::size_t i = begin + (isLong ? 3 : 1); i < toml.size(); ++i) {
        if (toml[i] == '\\' && quote == '"')
            ++i;
        else if (isLong && toml.substr(i, 3) == three)
            return i + 3;
        else if (!isLong && (toml[i] == quote || toml[i] == '\n'))
            return i + 1;
    }
    return toml.size();
}

bool isPartOfKey(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'
           || c == ' ' || c == '\t';
}

Problem tooDeepAt(std::string_view toml, std::size_t position)
{
    const std::string_view before = toml.substr(0, position);
    const std::size_t lineBegin = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto isCharacter = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
    return {"", "nests deeper than " + std::to_string(deepestToml) + " levels: shorten this key or list",
            static_cast<int>(1 + std::ranges::count(before, '\n')),
            static_cast<int>(1 + std::ranges::count_if(before.substr(lineBegin), isCharacter))};
}

}  // namespace

std::string tomlString(const std::string &text)
{
    const bool fitsAsItIs = std::ranges::none_of(text, [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return c == '\'' || code < 0x20 || code == 0x7f;
    });
    return fitsAsItIs && text.find('\\') != std::string::npos ? "'" + text + "'" : quoted(text);
}

std::string tomlStrings(const std::vector<std::string> &texts)
{
    std::string list;
    for (const std::string &text : texts)
        list += (list.empty() ? "" : ", ") + tomlString(text);
    return "[" + list + "]";
}

std::string tomlFloat(double value)
{
    std::string text = toText(ParameterValue(value));
    if (text.find_first_of(".einf") == std::string::npos)
        text += ".0";
    return text == "-nan" ? "nan" : text;
}

std::string tomlValue(const ParameterValue &value)
{
    if (const auto *number = std::get_if<double>(&value))
        return tomlFloat(*number);
    if (const auto *text = std::get_if<std::string>(&value))
        return tomlString(*text);
    return toText(value);
}

std::string tomlKey(const std::string &name)
{
    const bool isBare =
        !name.empty() && std::ranges::all_of(name, [](char c) { return isPartOfKey(c) && c != ' ' && c != '\t'; });
    return isBare ? name : quoted(name);
}

std::optional<Problem> nestingProblem(std::string_view toml)
{
    int dots = 0;
    int depth = 0;
    for (std::size_t i = 0; i < toml.size(); ++i) {
        const char c = toml[i];
        if (c == '"' || c == '\'') {
            i = endOfString(toml, i) - 1;
        } else if (c == '#') {
            i = std::min(toml.find('\n', i), toml.size()) - 1;
        } else if (c == '.') {
            ++dots;
        } else if (!isPartOfKey(c)) {
            dots = 0;
            depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        }
        if (dots >= deepestToml || depth > deepestToml)
            return tooDeepAt(toml, i);
    }
    return std::nullopt;
}

}  // namespace sweepscope::sweep
