#include "expression/parser.h"

#include "expression/expression.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace sweepscope::expression {

namespace {

constexpr int deepestNesting = 64;

std::string lowerCase(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

Comparison comparisonOf(const std::string &sign)
{
    return sign == "=="                   ? Comparison::Identical
           : sign == "!=" || sign == "<>" ? Comparison::Unequal
           : sign == "<"                  ? Comparison::Less
           : sign == "<="                 ? Comparison::LessOrEqual
           : sign == ">"                  ? Comparison::Greater
           : sign == ">="                 ? Comparison::GreaterOrEqual
                                          : Comparison::Equal;
}

/// Recursive descent. After an error it moves to the end, so that all loops finish.
class Parser {
public:
    Parser(std::vector<Token> tokens, Use use, const Names &names)
        : m_tokens(std::move(tokens)), m_use(use), m_names(names)
    {}

    tl::expected<Node, Error> parse()
    {
        if (is(TokenKind::End))
            return tl::unexpected(Error{Mistake::Empty, 1, {}, {}, {}});
        Node root = anyOf();
        if (!is(TokenKind::End))
            failAtUnexpected();
        return m_error ? tl::expected<Node, Error>(tl::unexpected(std::move(*m_error))) : std::move(root);
    }

private:
    const Token &token(std::size_t ahead = 0) const { return m_tokens[std::min(m_at + ahead, m_tokens.size() - 1)]; }
    bool is(TokenKind kind, std::size_t ahead = 0) const { return token(ahead).kind == kind; }
    bool isAny(std::initializer_list<TokenKind> kinds, std::size_t ahead = 0) const
    {
        return std::ranges::find(kinds, token(ahead).kind) != kinds.end();
    }
    bool isWord(std::string_view word) const
    {
        return isAny({TokenKind::Word, TokenKind::Function}) && lowerCase(token().text) == word;
    }
    bool accept(TokenKind kind)
    {
        const bool found = is(kind);
        m_at += found ? 1 : 0;
        return found;
    }
    bool isFilter() const { return m_use == Use::Filter; }

    void fail(Mistake mistake, const Token &where, std::vector<std::string> known = {})
    {
        if (!m_error)
            m_error = Error{mistake, where.position, where.text, {}, std::move(known)};
        m_at = m_tokens.size() - 1;
    }

    /// What comes next cannot come here, after a whole expression.
    void failAtUnexpected()
    {
        fail(is(TokenKind::Close)   ? Mistake::UnmatchedClose
             : is(TokenKind::Comma) ? Mistake::StrayComma
             : is(TokenKind::End)   ? Mistake::MissingClose
                                    : Mistake::MissingOperator,
             token());
    }

    Node node(Node::Kind kind, const Token &from, std::vector<Node> parts = {}) const
    {
        Node made;
        made.kind = kind;
        made.text = from.text;
        made.position = parts.empty() ? from.position : std::min(from.position, parts.front().position);
        made.end = m_tokens[m_at == 0 ? 0 : m_at - 1].end;
        made.number = from.number;
        made.parts = std::move(parts);
        return made;
    }
    Node joined(Node::Kind kind, std::vector<Node> parts) const
    {
        if (parts.size() == 1)
            return std::move(parts.front());
        const Token first{TokenKind::End, "", parts.front().position, 0, 0};
        return node(kind, first, std::move(parts));
    }

    Node anyOf()
    {
        std::vector<Node> parts;
        do
            parts.push_back(allOf());
        while (accept(TokenKind::Or));
        return joined(Node::Kind::Or, std::move(parts));
    }

    Node allOf()
    {
        std::vector<Node> parts;
        do
            parts.push_back(negatable());
        while (
            accept(TokenKind::And)
            || (isFilter()
                && !isAny({TokenKind::Or, TokenKind::Close, TokenKind::Comma, TokenKind::CloseList, TokenKind::End})));
        return joined(Node::Kind::And, std::move(parts));
    }

    Node negatable()
    {
        const Token first = token();
        bool isNegated = false;
        bool isAnyNot = false;
        while (is(TokenKind::Not) || (isFilter() && is(TokenKind::Bang))) {
            ++m_at;
            isNegated = !isNegated;
            isAnyNot = true;
        }
        Node operand = comparison();
        if (!isAnyNot)
            return operand;
        std::vector<Node> parts;
        parts.push_back(std::move(operand));
        Node negated = node(Node::Kind::Not, first, std::move(parts));
        if (isNegated)
            return negated;
        parts.clear();
        parts.push_back(std::move(negated));
        return node(Node::Kind::Not, first, std::move(parts));
    }

    /// `is`, `in` and `contains` are words that a filter searches for, except after a name.
    bool isNamed(const Node &left) const
    {
        const bool isPlain = left.kind == Node::Kind::Word || left.kind == Node::Kind::String;
        return !isFilter() || (isPlain ? m_names.find(left.text).has_value() : left.kind != Node::Kind::Number);
    }

    Node comparison()
    {
        Node left = sum();
        if (is(TokenKind::Comparison)) {
            const Comparison sign = comparisonOf(token().text);
            left = compared(std::move(left), sign, m_tokens[m_at++]);
        } else if (isNamed(left) && isWord("is")) {
            const Token &word = m_tokens[m_at++];
            const bool isUnequal = accept(TokenKind::Not);
            left = compared(std::move(left), isUnequal ? Comparison::Unequal : Comparison::Equal, word);
        } else if (isNamed(left) && isWord("contains")) {
            left = compared(std::move(left), Comparison::Contains, m_tokens[m_at++]);
        } else if (isNamed(left) && (isWord("in") || isNotIn())) {
            left = listed(std::move(left));
        } else {
            return left;
        }
        if (is(TokenKind::Comparison))
            fail(Mistake::ChainedComparison, token());
        return left;
    }

    bool isNotIn() const
    {
        return is(TokenKind::Not) && lowerCase(token(1).text) == "in" && is(TokenKind::OpenList, 2);
    }

    Node compared(Node left, Comparison comparison, const Token &sign)
    {
        std::vector<Node> parts;
        parts.push_back(std::move(left));
        const bool wasValue = std::exchange(m_isValue, true);
        Node value = sum();
        m_isValue = wasValue;
        const bool takesRange =
            comparison == Comparison::Equal || comparison == Comparison::Identical || comparison == Comparison::Unequal;
        if (takesRange && is(TokenKind::Range))
            value = range(std::move(value));
        parts.push_back(std::move(value));
        Node made = node(Node::Kind::Compare, sign, std::move(parts));
        made.comparison = comparison;
        return made;
    }

    Node range(Node low)
    {
        const Token dots = m_tokens[m_at++];
        Node high = sum();
        if (low.kind != Node::Kind::Number || high.kind != Node::Kind::Number)
            fail(Mistake::BadRange, Token{TokenKind::Range, low.text + ".." + high.text, low.position, 0, 0});
        std::vector<Node> parts;
        parts.push_back(std::move(low));
        parts.push_back(std::move(high));
        Node made = node(Node::Kind::Range, dots, std::move(parts));
        made.text = made.parts[0].text + ".." + made.parts[1].text;
        return made;
    }

    /// `a in [1, 2]` is `a = 1 or a = 2`.
    Node listed(Node left)
    {
        const Token first = token();
        const bool isNegated = accept(TokenKind::Not);
        const Token sign{TokenKind::Comparison, "=", m_tokens[m_at++].position, 0, 0};
        if (!accept(TokenKind::OpenList)) {
            fail(Mistake::MissingList, token());
            return left;
        }
        std::vector<Node> parts;
        do
            parts.push_back(compared(left, Comparison::Equal, sign));
        while (accept(TokenKind::Comma));
        if (!accept(TokenKind::CloseList))
            fail(is(TokenKind::End) ? Mistake::MissingValue : Mistake::MissingOperator, token());
        Node any = joined(Node::Kind::Or, std::move(parts));
        if (!isNegated)
            return any;
        std::vector<Node> negated;
        negated.push_back(std::move(any));
        return node(Node::Kind::Not, first, std::move(negated));
    }

    /// In a filter "a - b" is arithmetic only if a value follows; otherwise the sign is searched for.
    bool continues(TokenKind sign) const
    {
        if (!is(sign) || !isFilter())
            return is(sign);
        return isAny({TokenKind::Number, TokenKind::Function, TokenKind::Open}, 1)
               || (isAny({TokenKind::Word, TokenKind::String}, 1) && m_names.find(token(1).text).has_value());
    }

    Node binary(Node::Kind kind, Node left, Node (Parser::*operand)())
    {
        const Token sign = m_tokens[m_at++];
        std::vector<Node> parts;
        parts.push_back(std::move(left));
        parts.push_back((this->*operand)());
        return node(kind, sign, std::move(parts));
    }

    Node sum()
    {
        Node left = product();
        while (continues(TokenKind::Sign))
            left = binary(Node::Kind::Sum, std::move(left), &Parser::product);
        return left;
    }

    Node product()
    {
        Node left = sign();
        while (continues(TokenKind::Product))
            left = binary(Node::Kind::Product, std::move(left), &Parser::sign);
        return left;
    }

    Node sign()
    {
        if (!isAny({TokenKind::Sign, TokenKind::Bang}) || (isFilter() && !continues(token().kind)))
            return power();
        const Token first = m_tokens[m_at++];
        if (isAny({TokenKind::Sign, TokenKind::Bang}))
            fail(Mistake::DoubleSign, token());
        Node operand = power();
        if (first.kind == TokenKind::Sign && operand.kind == Node::Kind::Number) {
            operand.number = first.text == "-" ? -operand.number : operand.number;
            operand.text = first.text + operand.text;
            operand.position = first.position;
            return operand;
        }
        std::vector<Node> parts;
        parts.push_back(std::move(operand));
        return first.text == "+" ? std::move(parts.front())
                                 : node(first.kind == TokenKind::Bang ? Node::Kind::Not : Node::Kind::Negative, first,
                                        std::move(parts));
    }

    Node power()
    {
        Node base = primary();
        if (!continues(TokenKind::Power))
            return base;
        if (++m_depth > deepestNesting)
            fail(Mistake::TooDeep, token());
        base = binary(Node::Kind::Power, std::move(base), &Parser::sign);
        --m_depth;
        return base;
    }

    Node primary()
    {
        switch (token().kind) {
        case TokenKind::Number:
            return node(Node::Kind::Number, m_tokens[m_at++]);
        case TokenKind::String:
            return node(Node::Kind::String, m_tokens[m_at++]);
        case TokenKind::Word:
            return word();
        case TokenKind::Function:
            return call();
        case TokenKind::Open:
            return inParentheses();
        case TokenKind::Not:
            fail(isFilter() ? Mistake::MissingValue : Mistake::BareNot, token());
            return {};
        case TokenKind::Sign:
        case TokenKind::Product:
        case TokenKind::Power:
            if (isFilter())
                return node(Node::Kind::Word, m_tokens[m_at++]);
            break;
        default:
            break;
        }
        fail(Mistake::MissingValue, token());
        return {};
    }

    /// Also a column's title of two words, as its name: "Max loss > 3" asks for max.loss.
    Node word()
    {
        const Token &first = m_tokens[m_at++];
        const std::string kind = lowerCase(first.text);
        if (isFilter() && !m_isValue && (kind == "best" || kind == "min" || kind == "max")
            && isAny({TokenKind::Word, TokenKind::String}) && is(TokenKind::Comparison, 1)) {
            Token title = first;
            title.text = kind + "." + m_tokens[m_at++].text;
            return node(Node::Kind::Word, title);
        }
        return node(Node::Kind::Word, first);
    }

    Node inParentheses()
    {
        if (++m_depth > deepestNesting)
            fail(Mistake::TooDeep, token());
        const Token open = token();
        accept(TokenKind::Open);
        if (isFilter() && is(TokenKind::Close))
            fail(Mistake::EmptyParentheses, token());
        Node inside = anyOf();
        if (!accept(TokenKind::Close))
            failAtMissingClose();
        --m_depth;
        inside.position = open.position;
        inside.end = m_tokens[m_at - 1].end;
        return inside;
    }

    void failAtMissingClose()
    {
        fail(is(TokenKind::End)     ? Mistake::MissingClose
             : is(TokenKind::Comma) ? Mistake::StrayComma
                                    : Mistake::MissingOperator,
             token());
    }

    Node call()
    {
        const Token name = m_tokens[m_at++];
        const Function *function = findFunction(name.text);
        if (function == nullptr) {
            std::vector<std::string> known;
            for (const Function &one : functions())
                known.emplace_back(one.name);
            fail(Mistake::UnknownFunction, name, std::move(known));
            return {};
        }
        if (++m_depth > deepestNesting)
            fail(Mistake::TooDeep, token());
        accept(TokenKind::Open);
        std::vector<Node> values;
        do
            values.push_back(anyOf());
        while (accept(TokenKind::Comma));
        --m_depth;
        const Token close = token();
        if (!accept(TokenKind::Close))
            failAtMissingClose();
        const int count = static_cast<int>(values.size());
        if (count < function->fewest || count > function->most) {
            const std::string takes = function->most > function->fewest ? "1 to 100 values"
                                      : function->fewest == 1           ? "1 value"
                                                                        : "2 values";
            fail(Mistake::ArgumentCount, Token{TokenKind::Close, name.text, close.position, 0, 0},
                 {takes, std::to_string(count)});
        }
        return node(Node::Kind::Call, name, std::move(values));
    }

    std::vector<Token> m_tokens;
    Use m_use;
    const Names &m_names;
    std::size_t m_at = 0;
    int m_depth = 0;
    bool m_isValue = false;  ///< right of a comparison
    std::optional<Error> m_error;
};

}  // namespace

tl::expected<Node, Error> parse(std::string_view text, Use use, const Names &names)
{
    auto tokens = tokenize(text, use, names);
    if (!tokens)
        return tl::unexpected(std::move(tokens.error()));
    return Parser(std::move(*tokens), use, names).parse();
}

}  // namespace sweepscope::expression
