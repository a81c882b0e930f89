#include "sweep/expression.h"

#include "sweep/expressionlanguage.h"
#include "sweep/expressiontokens.h"
#include "sweep/suggestion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::sweep {

double TextNumbers::numberOf(const std::string &text)
{
    return m_numbers.try_emplace(text, static_cast<double>(m_numbers.size())).first->second;
}

double TextNumbers::numberOf(const ParameterValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value))
        return *real;
    if (const auto *boolean = std::get_if<bool>(&value))
        return *boolean ? 1 : 0;
    return numberOf(std::get<std::string>(value));
}

namespace {

tl::unexpected<ExpressionError> mistake(const Token &token, std::string message)
{
    return tl::unexpected(ExpressionError{std::move(message), token.position});
}

/// What a token is once names have a meaning.
struct Resolved {
    const Symbol *symbol = nullptr;
    bool isText = false;
    bool isTruth = false;  ///< a comparison, true, false, or a parameter that is one of them
};

tl::expected<std::vector<Resolved>, ExpressionError> resolve(const std::vector<Token> &tokens,
                                                             std::span<const Symbol> symbols)
{
    std::vector<Resolved> resolved(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token &token = tokens[i];
        resolved[i].isText = token.kind == TokenKind::Text;
        resolved[i].isTruth = token.kind == TokenKind::Comparison;
        if (token.kind != TokenKind::Name)
            continue;
        const auto found = std::find_if(symbols.begin(), symbols.end(),
                                        [&token](const Symbol &symbol) { return symbol.name == token.text; });
        if (found != symbols.end()) {
            if (found->isDoubtful)
                return tl::unexpected(ExpressionError{found->name + " has mistakes itself", token.position, true});
            if (!found->unusable.empty())
                return mistake(token, "'" + token.text + "' " + found->unusable);
            resolved[i] = {&*found, found->type == SymbolType::Text, found->type == SymbolType::Boolean};
        } else if (token.text == "true" || token.text == "false") {
            resolved[i].isTruth = true;
        } else {
            std::vector<std::string> names;
            for (const Symbol &symbol : symbols) {
                if (symbol.unusable.empty())
                    names.push_back(symbol.name);
            }
            const std::string near = suggestion(token.text, names);
            return mistake(token, "'" + token.text + "' is not known here"
                                      + (near.empty() && !names.empty() ? "; known are " + orList(names) : near)
                                      + "; texts are written in quotes, e.g. 'sgd'");
        }
    }
    return resolved;
}

bool endsText(TokenKind kind)
{
    return kind == TokenKind::And || kind == TokenKind::Or || kind == TokenKind::Close || kind == TokenKind::Comma;
}

bool beginsText(TokenKind kind)
{
    return kind == TokenKind::And || kind == TokenKind::Or || kind == TokenKind::Not || kind == TokenKind::Open
           || kind == TokenKind::Comma;
}

/// Texts only ever stand in `text == text` or `text != text`, and a literal is one that the parameter can have.
tl::expected<void, ExpressionError> checkTexts(const std::vector<Token> &tokens, const std::vector<Resolved> &resolved)
{
    const auto isEquality = [&tokens](std::size_t i) {
        return i < tokens.size() && tokens[i].kind == TokenKind::Comparison
               && (tokens[i].text == "==" || tokens[i].text == "!=");
    };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!resolved[i].isText)
            continue;
        const bool hasRight = isEquality(i + 1) && i + 2 < tokens.size() && resolved[i + 2].isText;
        if (!hasRight || (i > 0 && !beginsText(tokens[i - 1].kind))
            || (i + 3 < tokens.size() && !endsText(tokens[i + 3].kind)))
            return mistake(tokens[i], "a text can only be compared with a text, by == or !=, e.g. optimizer == 'sgd'");
        const bool literalRight = tokens[i + 2].kind == TokenKind::Text;
        const Symbol *symbol = literalRight ? resolved[i].symbol : resolved[i + 2].symbol;
        const Token &literal = tokens[literalRight ? i + 2 : i];
        if (symbol != nullptr && literal.kind == TokenKind::Text
            && std::find(symbol->texts.begin(), symbol->texts.end(), literal.text) == symbol->texts.end()) {
            return mistake(literal, symbol->name + " is never '" + literal.text + "'"
                                        + suggestion(literal.text, symbol->texts) + ": it can be "
                                        + orList(symbol->texts));
        }
        i += 2;
    }
    return {};
}

/// Names become v<slot> and texts become numbers, so that nothing a person writes can mean something else to muParser.
/// The word `not` becomes a function call around all that it negates, up to the next and, or or closing parenthesis.
std::string rewrite(const std::vector<Token> &tokens, const std::vector<Resolved> &resolved, TextNumbers &texts,
                    std::vector<int> &slots)
{
    std::string rewritten;
    std::vector<int> openNots{0};  // by depth of parentheses
    const auto closeNots = [&] { rewritten.append(static_cast<std::size_t>(std::exchange(openNots.back(), 0)), ')'); };
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token &token = tokens[i];
        switch (token.kind) {
        case TokenKind::Text:
            rewritten += toText(texts.numberOf(token.text));
            break;
        case TokenKind::Name:
            if (const Symbol *symbol = resolved[i].symbol) {
                rewritten += "v" + std::to_string(symbol->slot);
                slots.push_back(symbol->slot);
            } else {
                rewritten += token.text == "true" ? "1" : "0";
            }
            break;
        case TokenKind::And:
        case TokenKind::Or:
            closeNots();
            rewritten += token.kind == TokenKind::And ? " && " : " || ";
            break;
        case TokenKind::Not:
            rewritten += "not(";
            ++openNots.back();
            break;
        case TokenKind::Open:
            rewritten += "(";
            openNots.push_back(0);
            break;
        case TokenKind::Close:
            closeNots();
            openNots.pop_back();
            rewritten += ")";
            break;
        case TokenKind::Comma:
            closeNots();
            rewritten += ",";
            break;
        case TokenKind::Function:
            rewritten += token.text;  // muParser wants the parenthesis right behind it
            break;
        default:
            rewritten += " " + token.text + " ";
        }
    }
    closeNots();
    return rewritten;
}

}  // namespace

struct Expression::State {
    mu::Parser parser;
    std::vector<int> slots;
    std::vector<double> values;  ///< one per slot of `slots`; muParser holds their addresses
};

Expression::Expression(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Expression::Expression(Expression &&) noexcept = default;
Expression &Expression::operator=(Expression &&) noexcept = default;
Expression::~Expression() = default;

const std::vector<int> &Expression::slots() const
{
    return m_state->slots;
}

tl::expected<Expression, ExpressionError> Expression::compile(std::string_view text, std::span<const Symbol> symbols,
                                                              TextNumbers &texts)
{
    const auto tokens = tokenize(text);
    if (!tokens)
        return tl::unexpected(tokens.error());
    const auto resolved = resolve(*tokens, symbols);
    if (!resolved)
        return tl::unexpected(resolved.error());
    if (const auto checked = checkTexts(*tokens, *resolved); !checked)
        return tl::unexpected(checked.error());
    if (std::none_of(resolved->begin(), resolved->end(), [](const Resolved &token) { return token.isTruth; }))
        return mistake(tokens->front(), "this is a value, not a condition: compare it, e.g. by == or <=");

    auto state = std::make_unique<State>();
    const std::string rewritten = rewrite(*tokens, *resolved, texts, state->slots);
    std::sort(state->slots.begin(), state->slots.end());
    state->slots.erase(std::unique(state->slots.begin(), state->slots.end()), state->slots.end());
    state->values.assign(state->slots.size(), 0);
    try {
        defineLanguage(state->parser);
        for (std::size_t i = 0; i < state->slots.size(); ++i)
            state->parser.DefineVar("v" + std::to_string(state->slots[i]), &state->values[i]);
        state->parser.SetExpr(rewritten);
        state->parser.Eval();
    } catch (const mu::Parser::exception_type &error) {
        return mistake(tokens->front(), "cannot be calculated: " + error.GetMsg());
    }
    return Expression(std::move(state));
}

Truth Expression::evaluate(std::span<const double> values) const
{
    bool anyOff = false;
    for (std::size_t i = 0; i < m_state->slots.size(); ++i) {
        m_state->values[i] = values[static_cast<std::size_t>(m_state->slots[i])];
        anyOff = anyOff || std::isnan(m_state->values[i]);
    }
    const double result = m_state->parser.Eval();
    if (std::isnan(result))
        return anyOff ? Truth::Unknown : Truth::False;  // 0/0 of values that are there: no answer is no yes
    return result != 0 ? Truth::True : Truth::False;
}

}  // namespace sweepscope::sweep
