#include "expression/expression.h"

#include "expression/parser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace sweepscope::expression {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t usualDepth = 32;

template <typename Compare>
double compared(double a, double b, Compare compare)
{
    if (std::isnan(a) || std::isnan(b))
        return unknown;
    return compare(a, b) ? 1 : 0;
}

double bothOf(double a, double b)
{
    if (a == 0 || b == 0)
        return 0;
    return std::isnan(a) || std::isnan(b) ? unknown : 1;
}

double eitherOf(double a, double b)
{
    if ((!std::isnan(a) && a != 0) || (!std::isnan(b) && b != 0))
        return 1;
    return std::isnan(a) || std::isnan(b) ? unknown : 0;
}

/// The sign of the divisor, as in Python: people test divisibility with it.
double modulo(double a, double b)
{
    const double rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

using OneArgument = double (*)(double);
constexpr std::array<std::pair<std::string_view, OneArgument>, 9> oneArgument{{
    {"abs", [](double a) { return std::fabs(a); }},
    {"floor", [](double a) { return std::floor(a); }},
    {"ceil", [](double a) { return std::ceil(a); }},
    {"round", [](double a) { return std::round(a); }},
    {"sqrt", [](double a) { return std::sqrt(a); }},
    {"exp", [](double a) { return std::exp(a); }},
    {"log", [](double a) { return std::log(a); }},
    {"log2", [](double a) { return std::log2(a); }},
    {"log10", [](double a) { return std::log10(a); }},
}};

int functionIndex(std::string_view name)
{
    const auto found = std::ranges::find(oneArgument, name, [](const auto &one) { return one.first; });
    return static_cast<int>(found - oneArgument.begin());
}

bool isEquality(Comparison comparison)
{
    return comparison == Comparison::Equal || comparison == Comparison::Identical || comparison == Comparison::Unequal;
}

bool isWord(const std::string &text, std::string_view word)
{
    return std::ranges::equal(text, word, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

Comparison mirrored(Comparison comparison)
{
    switch (comparison) {
    case Comparison::Less:
        return Comparison::Greater;
    case Comparison::LessOrEqual:
        return Comparison::GreaterOrEqual;
    case Comparison::Greater:
        return Comparison::Less;
    case Comparison::GreaterOrEqual:
        return Comparison::LessOrEqual;
    default:
        return comparison;
    }
}

}  // namespace

std::optional<Symbol> SymbolList::find(std::string_view name) const
{
    const auto found = std::ranges::find(m_symbols, name, &Symbol::name);
    return found == m_symbols.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> SymbolList::all() const
{
    std::vector<std::string> names;
    for (const Symbol &symbol : m_symbols) {
        if (symbol.unusable.empty())
            names.push_back(symbol.name);
    }
    return names;
}

double StringNumbers::numberOf(const std::string &string)
{
    return m_numbers.try_emplace(string, static_cast<double>(m_numbers.size())).first->second;
}

/// From the tree to the program, once names have a meaning. After a mistake what it makes is thrown away.
class Compiler {
public:
    Compiler(std::string_view text, Use use, const Names &names, StringNumbers &strings)
        : m_text(text), m_use(use), m_names(names), m_strings(strings)
    {}

    tl::expected<Expression, Error> compile(const Node &root)
    {
        if (isFilter())
            truth(root);
        else
            value(root);
        if (!m_error && !isFilter() && !m_hasTruth)
            fail(Mistake::NotACondition, root);
        if (m_error)
            return tl::unexpected(std::move(*m_error));
        std::ranges::sort(m_made.m_slots);
        m_made.m_slots.erase(std::unique(m_made.m_slots.begin(), m_made.m_slots.end()), m_made.m_slots.end());
        return std::move(m_made);
    }

private:
    using Code = Expression::Code;
    bool isFilter() const { return m_use == Use::Filter; }

    void fail(Mistake mistake, const Node &where, std::string subject = {}, std::vector<std::string> known = {})
    {
        if (!m_error)
            m_error = Error{mistake, where.position, where.text, std::move(subject), std::move(known)};
    }

    std::size_t emit(Code code, int index = 0, double number = 0)
    {
        const bool isValue = code == Code::Constant || code == Code::Load || code == Code::Match;
        const bool isBinary = (code >= Code::Equal && code <= Code::GreaterOrEqual) || code == Code::And
                              || code == Code::Or || (code >= Code::Add && code <= Code::Power);
        m_depth += isValue ? 1 : isBinary ? -1 : code == Code::Minimum || code == Code::Maximum ? 1 - index : 0;
        m_made.m_deepest = std::max(m_made.m_deepest, static_cast<std::size_t>(std::max(m_depth, 0)));
        m_made.m_program.push_back({code, index, number});
        return m_made.m_program.size() - 1;
    }

    /// Checked; nothing: there is no such name, or it must not be used.
    std::optional<Symbol> symbol(const Node &node)
    {
        auto found = m_names.find(node.text);
        if (found && found->isDoubtful)
            fail(Mistake::DoubtfulName, node);
        else if (found && !found->unusable.empty())
            fail(Mistake::UnusableName, node, found->unusable);
        return found;
    }

    void load(const Symbol &symbol)
    {
        m_made.m_slots.push_back(symbol.slot);
        emit(Code::Load, symbol.slot);
        m_hasTruth = m_hasTruth || symbol.type == SymbolType::Boolean;
    }

    void value(const Node &node)
    {
        switch (node.kind) {
        case Node::Kind::Number:
            emit(Code::Constant, 0, node.number);
            return;
        case Node::Kind::Word:
            return name(node);
        case Node::Kind::String:
        case Node::Kind::Range:
            return fail(Mistake::StringComparison, node);
        case Node::Kind::Sum:
            return arithmetic(node, node.text == "+" ? Code::Add : Code::Subtract);
        case Node::Kind::Product:
            return arithmetic(node, node.text == "*" ? Code::Multiply : node.text == "/" ? Code::Divide : Code::Modulo);
        case Node::Kind::Power:
            return arithmetic(node, Code::Power);
        case Node::Kind::Negative:
            value(node.parts.front());
            emit(Code::Negate);
            return;
        case Node::Kind::Call:
            return call(node);
        case Node::Kind::Compare:
        case Node::Kind::And:
        case Node::Kind::Or:
        case Node::Kind::Not:
            return truth(node);
        }
    }

    void name(const Node &node)
    {
        const auto known = symbol(node);
        if (known && known->type == SymbolType::String)
            fail(Mistake::StringComparison, node);
        else if (known)
            load(*known);
        else if (isWord(node.text, "true") || isWord(node.text, "false"))
            truthValue(isWord(node.text, "true"));
        else
            fail(Mistake::UnknownName, node, {}, m_names.all());
    }

    void truthValue(bool isTrue)
    {
        emit(Code::Constant, 0, isTrue ? 1 : 0);
        m_hasTruth = true;
    }

    void arithmetic(const Node &node, Code code)
    {
        value(node.parts.front());
        value(node.parts.back());
        emit(code);
    }

    void call(const Node &node)
    {
        for (const Node &part : node.parts)
            value(part);
        if (node.text == "min" || node.text == "max")
            emit(node.text == "min" ? Code::Minimum : Code::Maximum, static_cast<int>(node.parts.size()));
        else if (node.text == "pow")
            emit(Code::Power);
        else
            emit(Code::Call, functionIndex(node.text));
    }

    /// What `and`, `or`, `not` join. In a filter a value that is not compared is searched for.
    void truth(const Node &node)
    {
        switch (node.kind) {
        case Node::Kind::And:
        case Node::Kind::Or:
            return joined(node);
        case Node::Kind::Not:
            truth(node.parts.front());
            emit(Code::Not);
            return;
        case Node::Kind::Compare:
            m_hasTruth = true;
            return compare(node);
        default:
            break;
        }
        if (!isFilter())
            return value(node);
        search(node);
    }

    /// The jumps spare what cannot change the result any more.
    void joined(const Node &node)
    {
        const bool isAnd = node.kind == Node::Kind::And;
        std::vector<std::size_t> jumps;
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
            truth(node.parts[i]);
            if (i > 0)
                emit(isAnd ? Code::And : Code::Or);
            if (i + 1 < node.parts.size())
                jumps.push_back(emit(isAnd ? Code::JumpIfFalse : Code::JumpIfTrue));
        }
        for (const std::size_t jump : jumps)
            m_made.m_program[jump].index = static_cast<int>(m_made.m_program.size());
    }

    void search(const Node &node)
    {
        const auto known = node.kind == Node::Kind::Word ? m_names.find(node.text) : std::nullopt;
        if (known && known->type == SymbolType::Boolean) {
            load(*known);
            emit(Code::FalseIfUnknown);
        } else if (node.kind == Node::Kind::Word || node.kind == Node::Kind::Number) {
            match({{}, -1, Comparison::Equal, node.text, false, {}, {}, -1, {}});
        } else if (node.kind == Node::Kind::String) {
            match({{}, -1, Comparison::Equal, node.text, true, {}, {}, -1, {}});
        } else if (node.kind == Node::Kind::Call) {
            match({{}, -1, Comparison::Equal, node.text, false, {}, {}, -1, {}});
            for (const Node &part : node.parts) {
                truth(part);
                emit(Code::And);
            }
        } else {
            searchAsWritten(node);
        }
    }

    /// Signs were part of the words after all: each word must match.
    void searchAsWritten(const Node &node)
    {
        const auto begin = static_cast<std::size_t>(node.position - 1);
        std::string_view written = m_text.substr(begin, static_cast<std::size_t>(node.end - 1) - begin);
        bool isFirst = true;
        while (true) {
            const std::size_t start = written.find_first_not_of(" \t\r\n()");
            if (start == std::string_view::npos)
                break;
            written.remove_prefix(start);
            const std::size_t end = std::min(written.find_first_of(" \t\r\n()"), written.size());
            match({{}, -1, Comparison::Equal, std::string(written.substr(0, end)), false, {}, {}, -1, {}});
            if (!std::exchange(isFirst, false))
                emit(Code::And);
            written.remove_prefix(end);
        }
    }

    void match(Match match)
    {
        m_made.m_matches.push_back(std::move(match));
        emit(Code::Match, static_cast<int>(m_made.m_matches.size()) - 1);
    }

    static bool isLiteral(const Node &node)
    {
        return node.kind == Node::Kind::Word || node.kind == Node::Kind::Number || node.kind == Node::Kind::String
               || node.kind == Node::Kind::Range;
    }

    void compare(const Node &node)
    {
        const Node &left = node.parts.front();
        const Node &right = node.parts.back();
        if (isFilter() && isLiteral(left) && isLiteral(right))
            return compareColumn(node, left, right);
        if (isString(left, right) || isString(right, left) || node.comparison == Comparison::Contains)
            return compareStrings(node, left, right);
        if (isUnset(left, right))
            return isMissing(node, left);
        if (right.kind == Node::Kind::Range) {
            // low <= left and left <= high
            value(left);
            value(right.parts.front());
            emit(Code::GreaterOrEqual);
            value(left);
            value(right.parts.back());
            emit(Code::LessOrEqual);
            emit(Code::And);
            if (node.comparison == Comparison::Unequal)
                emit(Code::Not);
        } else {
            value(left);
            value(right);
            emit(codeOf(node.comparison));
        }
        if (isFilter())
            emit(node.comparison == Comparison::Unequal ? Code::TrueIfUnknown : Code::FalseIfUnknown);
    }

    static Code codeOf(Comparison comparison)
    {
        switch (comparison) {
        case Comparison::Unequal:
            return Code::Unequal;
        case Comparison::Less:
            return Code::Less;
        case Comparison::LessOrEqual:
            return Code::LessOrEqual;
        case Comparison::Greater:
            return Code::Greater;
        case Comparison::GreaterOrEqual:
            return Code::GreaterOrEqual;
        default:
            return Code::Equal;
        }
    }

    /// "momentum is unset", where neither a parameter nor one of the strings that `left` can be has this name.
    bool isUnset(const Node &left, const Node &right) const
    {
        if (left.kind != Node::Kind::Word || right.kind != Node::Kind::Word || !isWord(right.text, "unset")
            || m_names.find(right.text))
            return false;
        const auto known = m_names.find(left.text);
        return known && std::ranges::find(known->strings, right.text) == known->strings.end();
    }

    void isMissing(const Node &node, const Node &left)
    {
        const auto known = symbol(left);
        if (!known || !isEquality(node.comparison))
            return fail(Mistake::StringComparison, left);
        load(*known);
        emit(Code::IsMissing);
        if (node.comparison == Comparison::Unequal)
            emit(Code::Not);
    }

    /// `node` is a string, because it is quoted, a parameter of strings, or a word compared with one.
    bool isString(const Node &node, const Node &other) const
    {
        if (node.kind == Node::Kind::String)
            return true;
        if (node.kind != Node::Kind::Word || isUnset(other, node) || isUnset(node, other))
            return false;
        if (const auto known = m_names.find(node.text))
            return known->type == SymbolType::String;
        const auto known = other.kind == Node::Kind::Word ? m_names.find(other.text) : std::nullopt;
        return known && known->type == SymbolType::String;
    }

    void compareStrings(const Node &node, const Node &left, const Node &right)
    {
        const bool contains = node.comparison == Comparison::Contains;
        if (contains ? !isString(left, right) || (right.kind != Node::Kind::String && right.kind != Node::Kind::Word)
                     : !isString(left, right) || !isString(right, left) || !isEquality(node.comparison))
            return failAsString(node, left, right);
        if (contains)
            return containsString(left, right);
        const auto leftSymbol = left.kind == Node::Kind::Word ? symbol(left) : std::nullopt;
        const auto rightSymbol = right.kind == Node::Kind::Word ? symbol(right) : std::nullopt;
        string(left, leftSymbol, rightSymbol);
        string(right, rightSymbol, leftSymbol);
        emit(codeOf(node.comparison));
    }

    /// At the first of the two that is one; an unknown name is the mistake before it.
    void failAsString(const Node &node, const Node &left, const Node &right)
    {
        for (const Node *side : {&left, &right}) {
            const bool isKnown = side->kind != Node::Kind::Word || m_names.find(side->text)
                                 || isWord(side->text, "true") || isWord(side->text, "false");
            if (!isKnown && !(node.comparison == Comparison::Contains && side == &right))
                return fail(Mistake::UnknownName, *side, {}, m_names.all());
        }
        fail(Mistake::StringComparison, isString(left, right) ? left : right);
    }

    void string(const Node &node, const std::optional<Symbol> &own, const std::optional<Symbol> &other)
    {
        if (own)
            return load(*own);
        if (other && std::ranges::find(other->strings, node.text) == other->strings.end())
            return fail(Mistake::NeverString, node, other->name, other->strings);
        emit(Code::Constant, 0, m_strings.numberOf(node.text));
    }

    /// All strings that the parameter can be are known: it is one of those that contain the other.
    void containsString(const Node &left, const Node &right)
    {
        const auto known = symbol(left);
        if (!known)
            return fail(Mistake::UnknownName, left, {}, m_names.all());
        bool isFirst = true;
        for (const std::string &one : known->strings) {
            if (one.find(right.text) == std::string::npos)
                continue;
            load(*known);
            emit(Code::Constant, 0, m_strings.numberOf(one));
            emit(Code::Equal);
            if (!std::exchange(isFirst, false))
                emit(Code::Or);
        }
        if (isFirst)
            fail(Mistake::NeverString, right, known->name, known->strings);
    }

    /// Of a filter: a column and what it is compared with, in either order.
    void compareColumn(const Node &node, const Node &left, const Node &right)
    {
        const auto nameOf = [this](const Node &side) {
            return side.kind == Node::Kind::Word || side.kind == Node::Kind::String ? m_names.find(side.text)
                                                                                    : std::nullopt;
        };
        const auto leftColumn = nameOf(left);
        const bool isName = right.kind == Node::Kind::Word && !isWord(right.text, "unset");
        const auto rightColumn = isName ? nameOf(right) : std::nullopt;
        if (!leftColumn && rightColumn && left.kind != Node::Kind::Range)
            return match(columnMatch(node, right, *rightColumn, left, mirrored(node.comparison)));
        if (leftColumn && rightColumn && node.comparison != Comparison::Contains) {
            if (leftColumn->type != SymbolType::String && rightColumn->type != SymbolType::String) {
                load(*leftColumn);
                load(*rightColumn);
                emit(codeOf(node.comparison));
                emit(node.comparison == Comparison::Unequal ? Code::TrueIfUnknown : Code::FalseIfUnknown);
                return;
            }
            if (leftColumn->type == SymbolType::String && rightColumn->type == SymbolType::String
                && !m_names.hasValue(*leftColumn, right.text)) {
                Match both = columnMatch(node, left, *leftColumn, right, node.comparison);
                both.otherSlot = rightColumn->slot;
                return match(std::move(both));
            }
        }
        match(columnMatch(node, left, leftColumn.value_or(Symbol{left.text, -1, {}, {}, {}}), right, node.comparison));
    }

    static Match columnMatch(const Node &node, const Node &column, const Symbol &symbol, const Node &value,
                             Comparison comparison)
    {
        Match match{column.text, symbol.slot, comparison, value.text, value.kind == Node::Kind::String, {}, {}, -1, {}};
        if (value.kind == Node::Kind::Number)
            match.number = value.number;
        if (value.kind == Node::Kind::Range) {
            match.number = value.parts.front().number;
            match.upTo = value.parts.back().number;
        }
        match.asWritten = node.parts.front().text + node.text + node.parts.back().text;
        return match;
    }

    std::string_view m_text;
    Use m_use;
    const Names &m_names;
    StringNumbers &m_strings;
    Expression m_made;
    int m_depth = 0;
    bool m_hasTruth = false;
    std::optional<Error> m_error;
};

tl::expected<Expression, Error> Expression::compile(std::string_view text, Use use, const Names &names,
                                                    StringNumbers &strings)
{
    const auto root = parse(text, use, names);
    if (!root)
        return tl::unexpected(root.error());
    return Compiler(text, use, names, strings).compile(*root);
}

double Expression::run(std::span<const double> values, const Matcher *matcher, double *stack) const
{
    double *top = stack - 1;
    const auto binary = [&top](auto &&result) {
        --top;
        *top = result(top[0], top[1]);
    };
    const std::size_t size = m_program.size();
    for (std::size_t at = 0; at < size; ++at) {
        const Instruction &step = m_program[at];
        switch (step.code) {
        case Code::Constant:
            *++top = step.value;
            break;
        case Code::Load:
            *++top = values[static_cast<std::size_t>(step.index)];
            break;
        case Code::Match:
            *++top = matcher->matches(static_cast<std::size_t>(step.index)) ? 1 : 0;
            break;
        case Code::Equal:
            binary([](double a, double b) { return compared(a, b, std::equal_to<>{}); });
            break;
        case Code::Unequal:
            binary([](double a, double b) { return compared(a, b, std::not_equal_to<>{}); });
            break;
        case Code::Less:
            binary([](double a, double b) { return compared(a, b, std::less<>{}); });
            break;
        case Code::LessOrEqual:
            binary([](double a, double b) { return compared(a, b, std::less_equal<>{}); });
            break;
        case Code::Greater:
            binary([](double a, double b) { return compared(a, b, std::greater<>{}); });
            break;
        case Code::GreaterOrEqual:
            binary([](double a, double b) { return compared(a, b, std::greater_equal<>{}); });
            break;
        case Code::IsMissing:
            *top = std::isnan(*top) ? 1 : 0;
            break;
        case Code::And:
            binary(bothOf);
            break;
        case Code::Or:
            binary(eitherOf);
            break;
        case Code::Not:
            *top = std::isnan(*top) ? unknown : *top == 0 ? 1 : 0;
            break;
        case Code::JumpIfFalse:
            at = *top == 0 ? static_cast<std::size_t>(step.index) - 1 : at;
            break;
        case Code::JumpIfTrue:
            if (!std::isnan(*top) && *top != 0) {
                *top = 1;
                at = static_cast<std::size_t>(step.index) - 1;
            }
            break;
        case Code::FalseIfUnknown:
            *top = std::isnan(*top) ? 0 : *top;
            break;
        case Code::TrueIfUnknown:
            *top = std::isnan(*top) ? 1 : *top;
            break;
        case Code::Add:
            binary(std::plus<>{});
            break;
        case Code::Subtract:
            binary(std::minus<>{});
            break;
        case Code::Multiply:
            binary(std::multiplies<>{});
            break;
        case Code::Divide:
            binary(std::divides<>{});
            break;
        case Code::Modulo:
            binary(modulo);
            break;
        case Code::Power:
            binary([](double a, double b) { return std::pow(a, b); });
            break;
        case Code::Negate:
            *top = -*top;
            break;
        case Code::Call:
            *top = oneArgument[static_cast<std::size_t>(step.index)].second(*top);
            break;
        case Code::Minimum:
        case Code::Maximum: {
            top -= step.index - 1;
            double result = *top;
            for (int i = 1; i < step.index; ++i)
                result = std::isnan(top[i]) || std::isnan(result) ? unknown
                         : step.code == Code::Minimum             ? std::min(result, top[i])
                                                                  : std::max(result, top[i]);
            *top = result;
            break;
        }
        }
    }
    return *top;
}

Truth Expression::evaluate(std::span<const double> values, const Matcher *matcher) const
{
    double result = 0;
    if (m_deepest <= usualDepth) {
        std::array<double, usualDepth> stack;  // NOLINT: initialising it would cost more than the program
        result = run(values, matcher, stack.data());
    } else {
        std::vector<double> stack(m_deepest);
        result = run(values, matcher, stack.data());
    }
    if (!std::isnan(result))
        return result != 0 ? Truth::True : Truth::False;
    // 0/0 of values that are there is not true.
    const bool isAnyMissing = std::ranges::any_of(
        m_slots, [&values](int slot) { return std::isnan(values[static_cast<std::size_t>(slot)]); });
    return isAnyMissing ? Truth::Unknown : Truth::False;
}

}  // namespace sweepscope::expression
