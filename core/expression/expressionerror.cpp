#include "expression/expressionerror.h"

#include "base/suggestion.h"

namespace sweepscope::expression {

namespace {

struct Words {
    std::string title;
    std::string hint;
};

std::string quoted(const std::string &text)
{
    return '"' + text + '"';
}

/// The nearest known word, else all of them after `all`.
std::string hintFor(const Error &error, const std::string &all)
{
    const std::string closest = closestWord(error.token, error.known);
    if (!closest.empty())
        return "Did you mean " + quoted(closest) + "?";
    return error.known.empty() ? std::string() : all + orList(error.known) + ".";
}

Words wordsOf(const Error &error)
{
    switch (error.mistake) {
    case Mistake::Empty:
        return {"The expression is empty", ""};
    case Mistake::TooLong:
        return {"The expression is longer than 4096 characters", ""};
    case Mistake::TooDeep:
        return {"Parentheses are nested too deeply", ""};
    case Mistake::UnclosedQuote:
        return {"Missing closing quote", ""};
    case Mistake::NumberTooLarge:
        return {"Number out of range", ""};
    case Mistake::NumberRunsOn:
        return {"Unexpected " + quoted(error.token) + " after a number", "Write numbers as 128 or 1e-3."};
    case Mistake::SingleAmpersand:
        return {"Unexpected \"&\"", "Write and."};
    case Mistake::SingleBar:
        return {"Unexpected \"|\"", "Write or."};
    case Mistake::DoubleStar:
        return {"Unexpected \"**\"", "Write ^ for a power."};
    case Mistake::UnknownCharacter:
        return {error.token.empty() ? "Unexpected character" : "Unexpected " + quoted(error.token), ""};
    case Mistake::MissingOperator:
        return {"Missing operator before " + quoted(error.token), "Write, for example, ==, <= or and."};
    case Mistake::MissingValue:
        return {"Missing value " + (error.token.empty() ? "at the end" : "before " + quoted(error.token)), ""};
    case Mistake::UnmatchedClose:
        return {"Unmatched \")\"", ""};
    case Mistake::MissingClose:
        return {"Missing \")\"", ""};
    case Mistake::EmptyParentheses:
        return {"Nothing between the parentheses", ""};
    case Mistake::StrayComma:
        return {"Unexpected \",\"", "Join conditions with and or or."};
    case Mistake::MissingList:
        return {"Missing list after in", "Write, for example, in [1, 2]."};
    case Mistake::BareNot:
        return {"Unexpected not", "Put parentheses around it: (not …)."};
    case Mistake::DoubleSign:
        return {"Two signs in a row", "Put parentheses around the second."};
    case Mistake::ChainedComparison:
        return {"Chained comparison", "Write a < b and b < c."};
    case Mistake::UnknownFunction:
        return {"Unknown function " + quoted(error.token), hintFor(error, "Known functions: ")};
    case Mistake::ArgumentCount:
        return {error.token + " takes " + error.known.front() + ", not " + error.known.back(), ""};
    case Mistake::BadRange:
        return {quoted(error.token) + " is not a range of numbers", "Write, for example, 0.001..0.1."};
    case Mistake::NotACondition:
        return {"The expression is a value, not a condition", "Compare it, for example with == or <=."};
    case Mistake::StringComparison:
        return {"A string can only be compared with a string", "Use ==, != or in, as in optimizer == 'sgd'."};
    case Mistake::NeverString:
        return {error.subject + " is never " + quoted(error.token), hintFor(error, "It can be ")};
    case Mistake::UnknownName:
        return {"Unknown name " + quoted(error.token), hintFor(error, "Known names: ")};
    case Mistake::UnusableName:
        return {quoted(error.token) + " " + error.subject, ""};
    case Mistake::DoubtfulName:
        return {error.token + " has errors itself", ""};
    }
    return {};
}

}  // namespace

std::string describe(const Error &error, bool withPosition)
{
    const Words words = wordsOf(error);
    return words.title + (withPosition ? " at character " + std::to_string(error.position) : "") + "."
           + (words.hint.empty() ? "" : " " + words.hint);
}

}  // namespace sweepscope::expression
