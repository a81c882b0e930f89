#pragma once

#include <string>
#include <vector>

namespace sweepscope::expression {

enum class Mistake {
    Empty,
    TooLong,
    TooDeep,
    UnclosedQuote,
    NumberTooLarge,
    NumberRunsOn,  ///< token: the character that follows the number directly
    SingleAmpersand,
    SingleBar,
    DoubleStar,
    UnknownCharacter,
    MissingOperator,  ///< token: what comes next
    MissingValue,     ///< token: what comes next; empty: the end
    UnmatchedClose,
    MissingClose,
    EmptyParentheses,
    StrayComma,
    MissingList,
    BareNot,  ///< `not` as the operand of a comparison or of arithmetic
    DoubleSign,
    ChainedComparison,
    UnknownFunction,  ///< known: all functions
    ArgumentCount,    ///< known: what the function takes, what it got
    BadRange,
    NotACondition,
    StringComparison,
    NeverString,   ///< token: the string, subject: the parameter, known: the strings it can be
    UnknownName,   ///< known: the names there are
    UnusableName,  ///< subject: why
    DoubtfulName,  ///< its declaration has mistakes: the expression may be right
};

struct Error {
    Mistake mistake = Mistake::Empty;
    int position = 0;  ///< character (byte) of the expression, from 1
    std::string token;
    std::string subject;
    std::vector<std::string> known;
};

/// One or two sentences: what is wrong and what to write instead. With `withPosition` the first names the character.
std::string describe(const Error &error, bool withPosition = false);

}  // namespace sweepscope::expression
