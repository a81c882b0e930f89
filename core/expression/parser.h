#pragma once

#include "expression/lexer.h"

#include <string>
#include <string_view>
#include <vector>

/// From tokens to a tree.
namespace sweepscope::expression {

struct Node {
    enum class Kind {
        Number,
        Word,  ///< a name, or an unquoted string if no such name exists
        String,
        Sum,      ///< text: + or -
        Product,  ///< text: * / or %
        Power,
        Negative,
        Call,     ///< text: the function
        Compare,  ///< parts: left and right
        Range,    ///< parts: two numbers; right of a comparison
        And,
        Or,
        Not,
    };
    Kind kind = Kind::Number;
    std::string text;  ///< as written
    int position = 0;
    int end = 0;
    double number = 0;
    Comparison comparison = Comparison::Equal;
    std::vector<Node> parts;
};

tl::expected<Node, Error> parse(std::string_view text, Use use, const Names &names);

}  // namespace sweepscope::expression
