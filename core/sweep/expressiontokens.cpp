#include "sweep/expressiontokens.h"

#include "sweep/suggestion.h"

#include <array>
#include <charconv>
#include <utility>

namespace sweepscope::sweep {

namespace {

constexpr std::size_t longestExpression = 4096;
constexpr std::size_t deepestNesting = 64;

struct Function {
    std::string_view name;
    int fewest;
    int most;
};
constexpr std::array<Function, 11> functions{{{"abs", 1, 1},
                                              {"min", 1, 100},
                                              {"max", 1, 100},
                                              {"floor", 1, 1},
                                              {"ceil", 1, 1},
                                              {"round", 1, 1},
                                              {"sqrt", 1, 1},
                                              {"exp", 1, 1},
                                              {"log", 1, 1},
                                              {"log2", 1, 1},
                                              {"log10", 1, 1}}};
constexpr Function power{"pow", 2, 2};

const Function *findFunction(std::string_view name)
{
    if (name == power.name)
        return &power;
    for (const Function &function : functions) {
        if (function.name == name)
            return &function;
    }
    return nullptr;
}

std::vector<std::string> functionNames()
{
    std::vector<std::string> names{std::string(power.name)};
    for (const Function &function : functions)
        names.emplace_back(function.name);
    return names;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

tl::unexpected<ExpressionError> mistake(std::size_t offset, std::string message)
{
    return tl::unexpected(ExpressionError{std::move(message), static_cast<int>(offset) + 1});
}

/// Cuts the next token off; grammar is Grammar's business.
class Lexer {
public:
    explicit Lexer(std::string_view text) : m_text(text) {}

    bool atEnd()
    {
        while (m_at < m_text.size() && isSpace(m_text[m_at]))
            ++m_at;
        return m_at == m_text.size();
    }

    tl::expected<Token, ExpressionError> next()
    {
        const char c = m_text[m_at];
        const char after = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
        if (isDigit(c) || (c == '.' && isDigit(after)))
            return number();
        if (isNameStart(c))
            return word();
        if (c == '\'' || c == '"')
            return quoted();
        return sign(c, after);
    }

private:
    Token take(TokenKind kind, std::size_t length)
    {
        Token token{kind, std::string(m_text.substr(m_at, length)), static_cast<int>(m_at) + 1};
        m_at += length;
        return token;
    }

    tl::expected<Token, ExpressionError> number()
    {
        double value = 0;
        const char *begin = m_text.data() + m_at;
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (error != std::errc())
            return mistake(m_at, "this number is too large or too small to calculate with");
        const auto length = static_cast<std::size_t>(end - begin);
        if (m_at + length < m_text.size()) {
            const char following = m_text[m_at + length];
            if (isNameStart(following) || isDigit(following) || following == '.')
                return mistake(m_at + length, "a number is followed directly by '" + std::string(1, following)
                                                  + "': put an operator between, or write the number as 128 or 1e-3");
        }
        return take(TokenKind::Number, length);
    }

    Token word()
    {
        std::size_t end = m_at;
        while (end < m_text.size() && (isNameStart(m_text[end]) || isDigit(m_text[end])))
            ++end;
        const std::string_view name = m_text.substr(m_at, end - m_at);
        if (name == "and")
            return take(TokenKind::And, name.size());
        if (name == "or")
            return take(TokenKind::Or, name.size());
        if (name == "not")
            return take(TokenKind::Not, name.size());
        std::size_t following = end;
        while (following < m_text.size() && isSpace(m_text[following]))
            ++following;
        const bool called = following < m_text.size() && m_text[following] == '(';
        return take(called ? TokenKind::Function : TokenKind::Name, name.size());
    }

    tl::expected<Token, ExpressionError> quoted()
    {
        const std::size_t end = m_text.find(m_text[m_at], m_at + 1);
        if (end == std::string_view::npos)
            return mistake(m_at, "this quote is not closed");
        Token token{TokenKind::Text, std::string(m_text.substr(m_at + 1, end - m_at - 1)), static_cast<int>(m_at) + 1};
        m_at = end + 1;
        return token;
    }

    tl::expected<Token, ExpressionError> sign(char c, char after)
    {
        if ((c == '=' || c == '!' || c == '<' || c == '>') && after == '=')
            return take(TokenKind::Comparison, 2);
        if ((c == '&' && after == '&') || (c == '|' && after == '|'))
            return take(c == '&' ? TokenKind::And : TokenKind::Or, 2);
        switch (c) {
        case '<':
        case '>':
            return take(TokenKind::Comparison, 1);
        case '=':
            return mistake(m_at, "a single = means nothing here: write == to compare");
        case '&':
        case '|':
            return mistake(m_at,
                           std::string("a single ") + c + " means nothing here: write " + (c == '&' ? "and" : "or"));
        case '!':
            return take(TokenKind::Bang, 1);
        case '+':
        case '-':
            return take(TokenKind::Sign, 1);
        case '*':
            if (after == '*')
                return mistake(m_at, "for a power write ^, not **");
            return take(TokenKind::Arithmetic, 1);
        case '/':
        case '%':
        case '^':
            return take(TokenKind::Arithmetic, 1);
        case '(':
            return take(TokenKind::Open, 1);
        case ')':
            return take(TokenKind::Close, 1);
        case ',':
            return take(TokenKind::Comma, 1);
        default:
            return mistake(m_at, c > ' ' && c < '\x7f' ? std::string("'") + c + "' has no meaning in an expression"
                                                       : "this character has no meaning in an expression");
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// Takes the tokens in turn and says no at the first one that cannot stand where it stands.
class Grammar {
public:
    /// Empty = fine.
    std::string take(const Token &token)
    {
        switch (token.kind) {
        case TokenKind::Number:
        case TokenKind::Name:
        case TokenKind::Text:
            return operand(token);
        case TokenKind::Function:
            return function(token);
        case TokenKind::Open:
            return open();
        case TokenKind::Close:
            return close();
        case TokenKind::Comma:
            return comma();
        case TokenKind::Not:
            if (!m_wantsOperand)
                return "an operator is missing before 'not'";
            return m_afterTightOperator ? "put parentheses around 'not …' here" : "";
        case TokenKind::Bang:
            return m_wantsOperand ? prefix() : "an operator is missing before '!'; for \"is not equal\" write !=";
        case TokenKind::Sign:
            return m_wantsOperand ? prefix() : binary(true);
        case TokenKind::Arithmetic:
            return m_wantsOperand ? "a value is missing before '" + token.text + "'" : binary(true);
        case TokenKind::Comparison:
            return comparison(token);
        case TokenKind::And:
        case TokenKind::Or:
            if (m_wantsOperand)
                return "a value is missing before '" + token.text + "'";
            m_groups.back().compared = false;
            return binary(false);
        }
        return {};
    }

    std::string end() const
    {
        if (m_groups.size() > 1)
            return "a closing parenthesis is missing at the end";
        return m_wantsOperand ? "something is missing at the end" : "";
    }

private:
    struct Group {
        const Function *function = nullptr;
        int arguments = 1;
        bool compared = false;
    };

    std::string operand(const Token &token)
    {
        if (!m_wantsOperand)
            return "an operator such as ==, <= or 'and' is missing before " + token.text;
        m_wantsOperand = false;
        m_afterPrefix = false;
        return {};
    }

    std::string function(const Token &token)
    {
        if (!m_wantsOperand)
            return "an operator such as ==, <= or 'and' is missing before " + token.text;
        m_called = findFunction(token.text);
        if (m_called == nullptr)
            return "there is no function '" + token.text + "'" + suggestion(token.text, functionNames())
                   + "; there are abs, min, max, floor, ceil, round, sqrt, exp, log, log2, log10 and pow";
        return {};
    }

    std::string open()
    {
        if (!m_wantsOperand)
            return "an operator is missing before '('";
        if (m_groups.size() > deepestNesting)
            return "parentheses are nested too deeply";
        m_groups.push_back({std::exchange(m_called, nullptr), 1, false});
        m_afterTightOperator = false;
        m_afterPrefix = false;
        return {};
    }

    std::string close()
    {
        if (m_groups.size() == 1)
            return "this ')' closes nothing";
        if (m_wantsOperand)
            return "a value is missing before ')'";
        const Group group = m_groups.back();
        m_groups.pop_back();
        if (group.function != nullptr
            && (group.arguments < group.function->fewest || group.arguments > group.function->most))
            return std::string(group.function->name) + " takes " + std::to_string(group.function->fewest)
                   + (group.function->most > group.function->fewest ? " or more values" : " value(s)") + ", not "
                   + std::to_string(group.arguments);
        return {};
    }

    std::string comma()
    {
        if (m_wantsOperand)
            return "a value is missing before ','";
        if (m_groups.back().function == nullptr)
            return "',' has no meaning here: join conditions with 'and' or 'or'";
        ++m_groups.back().arguments;
        m_groups.back().compared = false;
        return binary(false);
    }

    std::string comparison(const Token &token)
    {
        if (m_wantsOperand)
            return "a value is missing before '" + token.text + "'";
        if (std::exchange(m_groups.back().compared, true))
            return "comparisons cannot be chained: write a < b and b < c";
        return binary(true);
    }

    std::string binary(bool tight)
    {
        m_wantsOperand = true;
        m_afterTightOperator = tight;
        m_afterPrefix = false;
        return {};
    }

    std::string prefix()
    {
        m_afterTightOperator = true;
        return std::exchange(m_afterPrefix, true) ? "two signs follow each other: put parentheses around the second"
                                                  : "";
    }

    std::vector<Group> m_groups{1};
    const Function *m_called = nullptr;
    bool m_wantsOperand = true;
    bool m_afterTightOperator = false;
    bool m_afterPrefix = false;
};

}  // namespace

tl::expected<std::vector<Token>, ExpressionError> tokenize(std::string_view expression)
{
    if (expression.size() > longestExpression)
        return mistake(longestExpression, "the expression is longer than 4096 characters");
    Lexer lexer(expression);
    Grammar grammar;
    std::vector<Token> tokens;
    while (!lexer.atEnd()) {
        auto token = lexer.next();
        if (!token)
            return tl::unexpected(token.error());
        const std::string problem = grammar.take(*token);
        if (!problem.empty())
            return mistake(static_cast<std::size_t>(token->position) - 1, problem);
        tokens.push_back(std::move(*token));
    }
    if (tokens.empty())
        return mistake(0, "the expression is empty");
    const std::string problem = grammar.end();
    if (!problem.empty())
        return mistake(expression.size(), problem);
    return tokens;
}

}  // namespace sweepscope::sweep
