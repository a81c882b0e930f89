#pragma once

#include "sweep/expression.h"

#include <string>
#include <string_view>
#include <vector>

/// The words of an expression, before anything is known about names.
namespace sweepscope::sweep {

enum class TokenKind {
    Number,
    Name,
    Function,    ///< a name with "(" after it
    Text,        ///< 'quoted' or "quoted"
    Comparison,  ///< == != < <= > >=
    And,
    Or,
    Not,         ///< the word: `not a == b` is not (a == b)
    Bang,        ///< the sign: binds to what follows at once
    Arithmetic,  ///< * / % ^
    Sign,        ///< + or -, between two or before one
    Open,
    Close,
    Comma,
};

struct Token {
    TokenKind kind = TokenKind::Number;
    std::string text;  ///< of a Text without its quotes
    int position = 0;  ///< from 1
};

/// Splits and checks the grammar: what comes back is well formed, with balanced parentheses, known functions with the
/// right number of arguments, and no chained comparison (a < b < c).
tl::expected<std::vector<Token>, ExpressionError> tokenize(std::string_view expression);

}  // namespace sweepscope::sweep
