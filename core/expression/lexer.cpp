#include "expression/lexer.h"

#include "base/suggestion.h"
#include "expression/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace sweepscope::expression {

namespace {

constexpr std::array<Function, 12> knownFunctions{{{"abs", 1, 1},
                                                   {"min", 1, 100},
                                                   {"max", 1, 100},
                                                   {"floor", 1, 1},
                                                   {"ceil", 1, 1},
                                                   {"round", 1, 1},
                                                   {"sqrt", 1, 1},
                                                   {"exp", 1, 1},
                                                   {"log", 1, 1},
                                                   {"log2", 1, 1},
                                                   {"log10", 1, 1},
                                                   {"pow", 2, 2}}};

constexpr std::size_t longestCondition = 4096;

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
    return c == ' ' || (c >= '\t' && c <= '\r');
}
bool isComparisonSign(char c)
{
    return c == '=' || c == '<' || c == '>' || c == '!';
}
bool isArithmetic(char c)
{
    return std::string_view("+-*/%^").find(c) != std::string_view::npos;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::optional<double> numberIn(std::string_view text)
{
    if (text.size() > 1 && text.front() == '+' && text[1] != '-')
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value)
                                                                                     : std::nullopt;
}

tl::unexpected<Error> mistake(Mistake what, std::size_t offset, std::string token = {})
{
    return tl::unexpected(Error{what, static_cast<int>(offset) + 1, std::move(token), {}, {}});
}

class Lexer {
public:
    Lexer(std::string_view text, Use use, const Names &names) : m_text(text), m_use(use), m_names(names) {}

    tl::expected<std::vector<Token>, Error> tokens()
    {
        while (true) {
            while (m_at < m_text.size() && isSpaceHere())
                ++m_at;
            if (m_at >= m_text.size())
                break;
            const bool isStrict = m_use == Use::Condition;
            auto token = isStrict ? strict() : loose();
            if (!token)
                return tl::unexpected(std::move(token.error()));
            noteBrackets(token->kind);
            if (token->kind == TokenKind::Word && !isStrict) {
                const auto isSplit = split(*token);
                if (!isSplit)
                    return tl::unexpected(isSplit.error());
                if (*isSplit)
                    continue;
            }
            m_tokens.push_back(std::move(*token));
        }
        m_tokens.push_back(
            {TokenKind::End, "", static_cast<int>(m_text.size()) + 1, static_cast<int>(m_text.size()) + 1, 0});
        return std::move(m_tokens);
    }

private:
    char at(std::size_t offset) const { return offset < m_text.size() ? m_text[offset] : '\0'; }

    bool isSpaceHere()
    {
        if (m_use == Use::Filter && m_text.substr(m_at, 2) == "\xc2\xa0") {
            ++m_at;
            return true;
        }
        return isSpace(m_text[m_at]);
    }

    Token take(TokenKind kind, std::size_t length)
    {
        Token token{kind, std::string(m_text.substr(m_at, length)), static_cast<int>(m_at) + 1,
                    static_cast<int>(m_at + length) + 1, 0};
        m_at += length;
        return token;
    }

    /// Where commas separate values also in a filter.
    void noteBrackets(TokenKind kind)
    {
        if (kind == TokenKind::Open)
            m_brackets.push_back(!m_tokens.empty() && m_tokens.back().kind == TokenKind::Function);
        else if (kind == TokenKind::OpenList)
            m_brackets.push_back(true);
        else if ((kind == TokenKind::Close || kind == TokenKind::CloseList) && !m_brackets.empty())
            m_brackets.pop_back();
        m_isList = kind == TokenKind::OpenList || (m_isList && kind != TokenKind::CloseList);
    }
    bool areValuesSeparated() const { return !m_brackets.empty() && m_brackets.back(); }

    tl::expected<Token, Error> strict()
    {
        const char c = at(m_at);
        if (isDigit(c) || (c == '.' && isDigit(at(m_at + 1))))
            return number();
        if (isNameStart(c))
            return name();
        if (c == '\'' || c == '"')
            return quoted();
        return sign();
    }

    tl::expected<Token, Error> number()
    {
        // "1..2" is a range: its first point does not belong to the number.
        const std::size_t range = m_text.find("..", m_at);
        double value = 0;
        const char *begin = m_text.data() + m_at;
        const auto [end, error] = std::from_chars(begin, m_text.data() + std::min(range, m_text.size()), value);
        if (error != std::errc())
            return mistake(Mistake::NumberTooLarge, m_at);
        const auto length = static_cast<std::size_t>(end - begin);
        const char following = at(m_at + length);
        if (isNameStart(following) || isDigit(following) || (following == '.' && at(m_at + length + 1) != '.'))
            return mistake(Mistake::NumberRunsOn, m_at + length, std::string(1, following));
        Token token = take(TokenKind::Number, length);
        token.number = value;
        return token;
    }

    TokenKind kindOfName(const std::string &word, std::size_t end) const
    {
        for (const auto &[text, kind] :
             {std::pair("and", TokenKind::And), {"or", TokenKind::Or}, {"not", TokenKind::Not}}) {
            if (word == text || (lower(word) == text && (m_use == Use::Filter || !m_names.find(word))))
                return kind;
        }
        // In a filter "log (error or warning)" searches for log: a call has its parenthesis right behind the name.
        std::size_t following = end;
        while (m_use == Use::Condition && isSpace(at(following)))
            ++following;
        return at(following) == '(' && (m_use == Use::Condition || findFunction(word)) ? TokenKind::Function
                                                                                       : TokenKind::Word;
    }

    Token name()
    {
        std::size_t end = m_at;
        while (isNameStart(at(end)) || isDigit(at(end)))
            ++end;
        return take(kindOfName(std::string(m_text.substr(m_at, end - m_at)), end), end - m_at);
    }

    tl::expected<Token, Error> quoted()
    {
        const std::size_t begin = m_at;
        const char mark = m_text[m_at];
        std::string found;
        for (++m_at; m_at < m_text.size() && m_text[m_at] != mark; ++m_at) {
            const char escaped = mark == '"' && m_text[m_at] == '\\' ? escapedAt(m_at + 1) : '\0';
            m_at += escaped == '\0' ? 0 : 1;
            found += escaped == '\0' ? m_text[m_at] : escaped;
        }
        if (m_at >= m_text.size())
            return mistake(Mistake::UnclosedQuote, begin);
        ++m_at;
        return Token{TokenKind::String, std::move(found), static_cast<int>(begin) + 1, static_cast<int>(m_at) + 1, 0};
    }

    char escapedAt(std::size_t offset) const
    {
        const char c = at(offset);
        return c == '"' || c == '\\' ? c : c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : '\0';
    }

    tl::expected<Token, Error> sign()
    {
        const char c = at(m_at);
        const char after = at(m_at + 1);
        if (isComparisonSign(c) && (after == '=' || (c == '<' && after == '>')))
            return take(TokenKind::Comparison, 2);
        if ((c == '&' || c == '|') && after == c)
            return take(c == '&' ? TokenKind::And : TokenKind::Or, 2);
        switch (c) {
        case '<':
        case '>':
        case '=':
            return take(TokenKind::Comparison, 1);
        case '&':
            return mistake(Mistake::SingleAmpersand, m_at);
        case '|':
            return mistake(Mistake::SingleBar, m_at);
        case '!':
            return take(TokenKind::Bang, 1);
        case '+':
        case '-':
            return take(TokenKind::Sign, 1);
        case '*':
            return after == '*' ? tl::expected<Token, Error>(mistake(Mistake::DoubleStar, m_at))
                                : take(TokenKind::Product, 1);
        case '/':
        case '%':
            return take(TokenKind::Product, 1);
        case '^':
            return take(TokenKind::Power, 1);
        case '(':
            return take(TokenKind::Open, 1);
        case ')':
            return take(TokenKind::Close, 1);
        case '[':
            return take(TokenKind::OpenList, 1);
        case ']':
            return take(TokenKind::CloseList, 1);
        case ',':
            return take(TokenKind::Comma, 1);
        default:
            break;
        }
        if (c == '.' && after == '.')
            return take(TokenKind::Range, 2);
        return mistake(Mistake::UnknownCharacter, m_at, c > ' ' && c < '\x7f' ? std::string(1, c) : std::string());
    }

    /// A token of a filter: whatever is not a sign is part of a word.
    tl::expected<Token, Error> loose()
    {
        const char c = at(m_at);
        const bool isDoubled = (c == '&' || c == '|') && at(m_at + 1) == c;
        const bool opensList = c == '[' && isListNext();
        if (isComparisonSign(c) || c == '(' || c == ')' || isDoubled || opensList || (areValuesSeparated() && c == ',')
            || (m_isList && c == ']'))
            return sign();
        if (c == '"' || c == '\'')
            return quoted();
        if (isArithmetic(c) && (m_at + 1 == m_text.size() || isSpace(at(m_at + 1))))
            return sign();
        std::size_t end = m_at;
        while (end < m_text.size() && !endsWord(end))
            ++end;
        Token token = take(TokenKind::Word, end - m_at);
        token.kind = kindOfName(token.text, end);
        if (const auto value = numberIn(token.text); value && token.kind == TokenKind::Word) {
            token.kind = TokenKind::Number;
            token.number = *value;
        }
        return token;
    }

    /// After "name in" or "name not in".
    bool isListNext() const
    {
        std::size_t count = m_tokens.size();
        if (count < 2 || m_tokens[count - 1].kind != TokenKind::Word || lower(m_tokens[count - 1].text) != "in")
            return false;
        count -= m_tokens[count - 2].kind == TokenKind::Not ? 1 : 0;
        return count >= 2 && m_names.find(m_tokens[count - 2].text).has_value();
    }

    /// A single & or | belongs to a word: file names and commands have them.
    bool endsWord(std::size_t offset) const
    {
        const char c = at(offset);
        return isSpace(c) || m_text.substr(offset, 2) == "\xc2\xa0" || isComparisonSign(c) || c == '(' || c == ')'
               || ((c == '&' || c == '|') && at(offset + 1) == c) || (areValuesSeparated() && c == ',')
               || (m_isList && c == ']');
    }

    /// Whether the word of a filter was replaced by its parts. "0.001..0.1" after a sign is a range. "batch_size*2" is
    /// arithmetic if it is not a name itself and consists of known names and numbers, but what is compared with a column
    /// of strings stays as it is: "run = 2024-01-05".
    tl::expected<bool, Error> split(const Token &word)
    {
        const TokenKind before = m_tokens.empty() ? TokenKind::End : m_tokens.back().kind;
        const std::size_t dots = word.text.find("..");
        if (dots != std::string::npos && dots > 0 && before == TokenKind::Comparison
            && (m_tokens.back().text.front() == '=' || m_tokens.back().text.front() == '!'))
            return splitRange(word, dots);
        if (std::ranges::none_of(word.text, isArithmetic) || m_names.find(word.text) || isValueOfString())
            return false;
        const bool isAfterValue =
            before == TokenKind::Number || before == TokenKind::Word || before == TokenKind::String;
        if (isAfterValue && (word.text.front() == '-' || word.text.front() == '+'))
            return false;  // "adam -lr": two words
        auto parts = Lexer(word.text, Use::Condition, m_names).tokens();
        if (!parts)
            return false;
        parts->pop_back();  // End
        if (at(m_at) == '(' && findFunction(parts->back().text))
            parts->back().kind = TokenKind::Function;
        for (const Token &part : *parts) {
            const bool isSign =
                part.kind == TokenKind::Product || part.kind == TokenKind::Power || part.kind == TokenKind::Sign;
            const bool isValue = part.kind == TokenKind::Number || part.kind == TokenKind::Function
                                 || (part.kind == TokenKind::Word && m_names.find(part.text));
            if (!isSign && !isValue)
                return false;
        }
        append(std::move(*parts), word.position - 1);
        return true;
    }

    tl::expected<bool, Error> splitRange(const Token &word, std::size_t dots)
    {
        const auto low = numberIn(std::string_view(word.text).substr(0, dots));
        const auto high = numberIn(std::string_view(word.text).substr(dots + 2));
        if (!low || !high)
            return mistake(Mistake::BadRange, static_cast<std::size_t>(word.position) - 1, word.text);
        const int middle = word.position + static_cast<int>(dots);
        m_tokens.push_back({TokenKind::Number, word.text.substr(0, dots), word.position, middle, *low});
        m_tokens.push_back({TokenKind::Range, "..", middle, middle + 2, 0});
        m_tokens.push_back({TokenKind::Number, word.text.substr(dots + 2), middle + 2, word.end, *high});
        return true;
    }

    bool isValueOfString() const
    {
        if (m_tokens.size() < 2 || m_tokens.back().kind != TokenKind::Comparison)
            return false;
        const auto symbol = m_names.find(m_tokens[m_tokens.size() - 2].text);
        return !symbol || symbol->type == SymbolType::String;
    }

    void append(std::vector<Token> parts, int offset)
    {
        for (Token &part : parts) {
            part.position += offset;
            part.end += offset;
            m_tokens.push_back(std::move(part));
        }
    }

    std::string_view m_text;
    Use m_use;
    const Names &m_names;
    std::size_t m_at = 0;
    std::vector<Token> m_tokens;
    std::vector<bool> m_brackets;
    bool m_isList = false;
};

}  // namespace

std::span<const Function> functions()
{
    return knownFunctions;
}

const Function *findFunction(std::string_view name)
{
    const auto found = std::ranges::find(knownFunctions, name, &Function::name);
    return found == knownFunctions.end() ? nullptr : &*found;
}

tl::expected<std::vector<Token>, Error> tokenize(std::string_view text, Use use, const Names &names)
{
    if (use == Use::Condition && text.size() > longestCondition)
        return mistake(Mistake::TooLong, longestCondition);
    return Lexer(text, use, names).tokens();
}

}  // namespace sweepscope::expression
