#include "sweep/tomlerror.h"

#include <array>
#include <utility>

namespace sweepscope::sweep {

namespace {

constexpr std::string_view parserPrefix = "Error while parsing ";

/// What the parser expected, without its quotes.
std::string expectedInWords(std::string_view expected)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> known{{
        {"'='", "= after the key"},
        {"value", "a value"},
        {"']'", "]"},
        {"a comment or whitespace", "the end of the line"},
        {"comma or closing ']'", "a comma or ]"},
        {"value or closing ']'", "a value or ]"},
        {"key or closing '}'", "a key or } on the same line"},
        {"comma or closing '}'", "a comma or }"},
        {"decimal digit", "a digit"},
        {"keys, tables, whitespace or comments", "a key or a [section]"},
    }};
    for (const auto &one : known) {
        if (one.first == expected)
            return std::string(one.second);
    }
    return std::string(expected);
}

std::string seenInWords(std::string_view seen)
{
    if (seen == "'\\n'" || seen == "'\\r'")
        return "the end of the line";
    if (seen.find("end-of-file") != std::string_view::npos)
        return "the end of the file";
    if (seen == "comma")
        return "a comma";
    return std::string(seen);
}

}  // namespace

std::string plainTomlError(std::string_view description)
{
    const std::size_t colon = description.find(": ");
    if (!description.starts_with(parserPrefix) || colon == std::string_view::npos)
        return std::string(description);
    const std::string what(description.substr(parserPrefix.size(), colon - parserPrefix.size()));
    const std::string_view rest = description.substr(colon + 2);
    constexpr std::string_view expects = "expected ";
    const std::size_t saw = rest.rfind(", saw ");
    if (rest.starts_with(expects) && saw != std::string_view::npos) {
        if (what == "boolean")
            return "write true or false in lower case; a string needs quotes";
        return "expected " + expectedInWords(rest.substr(expects.size(), saw - expects.size())) + ", but found "
               + seenInWords(rest.substr(saw + 6));
    }
    if (rest == "encountered end-of-file")
        return "the " + what + " is not closed";
    if (rest == "could not determine value type")
        return "this value is not a number, date, true or false; a string needs quotes";
    if (rest == "leading zeroes are prohibited")
        return "a number must not begin with 0: remove the zero";
    return "in this " + what + ": " + std::string(rest);
}

}  // namespace sweepscope::sweep
