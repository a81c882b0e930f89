#pragma once

#include "base/error.h"
#include "expression/expressionerror.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// From characters to tokens. Nothing is known about names yet, except what a filter needs to tell a comparison from words
/// that are searched for.
namespace sweepscope::expression {

class Names;

/// A condition is strict. In a filter a word that is not compared is searched for, words next to each other must all
/// match, words may contain . - + / and the like, and case of and, or, not does not matter.
enum class Use { Condition, Filter };

enum class Comparison { Equal, Identical, Unequal, Less, LessOrEqual, Greater, GreaterOrEqual, Contains };

enum class TokenKind {
    Number,
    Word,
    Function,    ///< a name with "(" after it
    String,      ///< 'quoted' or "quoted"
    Comparison,  ///< = == != <> < <= > >=
    And,
    Or,
    Not,      ///< the word: `not a == b` is not (a == b)
    Bang,     ///< the sign: in a condition it binds to what follows directly
    Product,  ///< * / %
    Power,    ///< ^
    Sign,     ///< + or -, between two values or before one
    Range,    ///< .. between two numbers
    Open,
    Close,
    OpenList,
    CloseList,
    Comma,
    End,
};

struct Token {
    TokenKind kind = TokenKind::End;
    std::string text;  ///< of a String without its quotes
    int position = 0;  ///< from 1
    int end = 0;       ///< position of the character after it, from 1
    double number = 0;
};

struct Function {
    std::string_view name;
    int fewest;
    int most;
};
/// All of them.
std::span<const Function> functions();
/// Returns the function with this name; null if there is none.
const Function *findFunction(std::string_view name);

/// Ends with a token End.
tl::expected<std::vector<Token>, Error> tokenize(std::string_view text, Use use, const Names &names);

}  // namespace sweepscope::expression
