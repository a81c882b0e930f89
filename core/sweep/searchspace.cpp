#include "sweep/searchspace.h"

#include "sweep/keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

namespace sweepscope::sweep {

using expression::Symbol;
using expression::SymbolType;

namespace {

constexpr std::uint64_t mostRememberedValues = 10'000;

SymbolType typeOf(const ParameterValue &value)
{
    if (std::holds_alternative<std::string>(value))
        return SymbolType::String;
    return std::holds_alternative<bool>(value) ? SymbolType::Boolean : SymbolType::Number;
}

Symbol symbolOf(const Dimension &dimension, int slot)
{
    Symbol symbol{dimension.name, slot, SymbolType::Number, {}, {}};
    if (dimension.kind == DimensionKind::Choice && !dimension.values.empty()) {
        symbol.type = typeOf(dimension.values.front());
        for (const ParameterValue &value : dimension.values) {
            if (const auto *text = std::get_if<std::string>(&value))
                symbol.strings.push_back(*text);
        }
    }
    return symbol;
}

/// What is the same in every trial and can be named all the same.
std::vector<std::pair<std::string, ParameterValue>> fixedValues(const SweepSpec &spec)
{
    std::vector<std::pair<std::string, ParameterValue>> fixed{{"ranks", std::int64_t{spec.run.ranks}}};
    if (spec.run.worker == WorkerKind::Builtin) {
        for (const Key &setting : builtinSettings()) {
            const auto given = spec.run.settings.find(setting.name);
            fixed.emplace_back(setting.name, given == spec.run.settings.end() ? setting.defaultValue : given->second);
        }
    }
    std::erase_if(fixed, [&spec](const auto &value) {
        return std::any_of(spec.space.begin(), spec.space.end(),
                           [&value](const Dimension &dimension) { return dimension.name == value.first; });
    });
    return fixed;
}

double numberOf(const ParameterValue &value, expression::StringNumbers &strings)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *real = std::get_if<double>(&value))
        return *real;
    if (const auto *boolean = std::get_if<bool>(&value))
        return *boolean ? 1 : 0;
    return strings.numberOf(std::get<std::string>(value));
}

std::vector<Problem> checkSizes(const SweepSpec &spec)
{
    if (spec.space.size() > maxDimensions)
        return {{"space", "has " + std::to_string(spec.space.size()) + " parameters: at most 100 can be searched"}};
    if (spec.constraints.size() > maxConstraints)
        return {
            {"constraints", "there are " + std::to_string(spec.constraints.size()) + ": at most 100 can be checked"}};
    return {};
}

std::vector<Problem> checkDimensions(const SweepSpec &spec)
{
    std::vector<Problem> problems;
    std::set<std::string> names;
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const Dimension &dimension = spec.space[i];
        const std::string field = dimensionField(spec, i);
        const std::string badName = checkParameterName(dimension.name);
        if (!badName.empty())
            problems.push_back({field, badName});
        else if (!names.insert(dimension.name).second)
            problems.push_back({field, "two parameters have this name: rename or remove one"});
        const std::string badValues = checkDimension(dimension, spec.method == SearchMethod::Grid);
        if (!badValues.empty())
            problems.push_back({field, badValues});
    }
    return problems;
}

std::vector<Problem> checkConstraintNames(const SweepSpec &spec)
{
    std::vector<Problem> problems;
    std::set<std::string> names;
    for (std::size_t i = 0; i < spec.constraints.size(); ++i) {
        const std::string &name = spec.constraints[i].name;
        if (name.empty())
            problems.push_back({constraintField(spec, i), "this constraint has no name: give it one, e.g. fits"});
        else if (!names.insert(name).second)
            problems.push_back({constraintField(spec, i), "two constraints have this name: rename one"});
    }
    return problems;
}

}  // namespace

std::string checkParameterName(const std::string &name)
{
    if (name.empty())
        return "this parameter has no name: give it one, e.g. lr";
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isAllowed = [&isLetter](char c) { return isLetter(c) || (c >= '0' && c <= '9'); };
    if (name.size() > 64 || !isLetter(name.front()) || !std::all_of(name.begin(), name.end(), isAllowed))
        return "a parameter's name consists of letters, digits and _, begins with no digit and has at most 64 "
               "characters";
    constexpr std::array<std::string_view, 5> words{"and", "or", "not", "true", "false"};
    if (std::find(words.begin(), words.end(), name) != words.end())
        return "'" + name + "' is reserved in conditions and cannot name a parameter: choose another name";
    return {};
}

std::string dimensionField(const SweepSpec &spec, std::size_t index)
{
    return entryField("space", spec.space[index].name, index);
}

std::string constraintField(const SweepSpec &spec, std::size_t index)
{
    return entryField("constraints", spec.constraints[index].name, index);
}

tl::expected<SearchSpace, std::vector<Problem>> SearchSpace::compile(const SweepSpec &spec)
{
    std::vector<Problem> problems = checkSizes(spec);
    if (!problems.empty())
        return tl::unexpected(std::move(problems));
    problems = checkDimensions(spec);

    SearchSpace space;
    std::vector<Symbol> symbols = space.readFixedValues(spec);
    const std::size_t firstParameter = symbols.size();
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        Symbol symbol = symbolOf(spec.space[i], static_cast<int>(i));
        symbol.unusable = "is declared later: a condition can only use parameters declared before its own";
        symbol.isDoubtful =
            std::any_of(problems.begin(), problems.end(), [&, field = dimensionField(spec, i)](const Problem &problem) {
                return problem.field == field;
            });
        symbols.push_back(std::move(symbol));
    }
    const auto compileExpression = [&](const std::string &text, const std::string &field) -> std::optional<Expression> {
        auto compiled =
            Expression::compile(text, expression::Use::Condition, expression::SymbolList(symbols), space.m_strings);
        if (compiled)
            return std::move(*compiled);
        if (const expression::Error &error = compiled.error(); error.mistake != expression::Mistake::DoubtfulName)
            problems.push_back({field, describe(error, true), 0, 0, error.position});
        return std::nullopt;
    };
    std::vector<std::optional<Expression>> conditions(spec.space.size());
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        if (!spec.space[i].when.empty())
            conditions[i] = compileExpression(spec.space[i].when, dimensionField(spec, i));
        symbols[firstParameter + i].unusable.clear();
    }
    for (std::size_t i = 0; i < spec.constraints.size(); ++i) {
        if (auto compiled = compileExpression(spec.constraints[i].expression, constraintField(spec, i)))
            space.m_constraints.push_back(std::move(*compiled));
    }
    const std::vector<Problem> badNames = checkConstraintNames(spec);
    problems.insert(problems.end(), badNames.begin(), badNames.end());
    if (!problems.empty())
        return tl::unexpected(std::move(problems));
    space.compileDimensions(spec, std::move(conditions));
    return space;
}

/// Slots and symbols of what is the same in every trial; the parameters' slots before them are NaN.
std::vector<Symbol> SearchSpace::readFixedValues(const SweepSpec &spec)
{
    std::vector<Symbol> symbols;
    m_initialSlots.assign(spec.space.size(), std::numeric_limits<double>::quiet_NaN());
    for (const auto &[name, value] : fixedValues(spec)) {
        Symbol symbol{name, static_cast<int>(m_initialSlots.size()), typeOf(value), {}, {}};
        if (symbol.type == SymbolType::String) {
            const Key *setting = findBuiltinSetting(name);
            symbol.strings = setting->choices.empty() ? std::vector{std::get<std::string>(value)} : setting->choices;
        }
        symbols.push_back(std::move(symbol));
        m_initialSlots.push_back(numberOf(value, m_strings));
    }
    return symbols;
}

void SearchSpace::compileDimensions(const SweepSpec &spec, std::vector<std::optional<Expression>> conditions)
{
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const Dimension &dimension = spec.space[i];
        CompiledDimension compiled{DimensionValues(dimension), std::move(conditions[i]), false, m_initialSlots[i], {}};
        if (dimension.name == "ranks")
            compiled.offValue = spec.run.ranks;
        for (const ParameterValue &value : dimension.values)
            compiled.numbers.push_back(numberOf(value, m_strings));
        m_dimensions.push_back(std::move(compiled));
    }
    const auto markRead = [this](const Expression &expression) {
        for (const int slot : expression.slots()) {
            if (static_cast<std::size_t>(slot) < m_dimensions.size())
                m_dimensions[static_cast<std::size_t>(slot)].isRead = true;
        }
    };
    for (const CompiledDimension &dimension : m_dimensions) {
        if (dimension.when)
            markRead(*dimension.when);
    }
    for (const Expression &constraint : m_constraints)
        markRead(constraint);
    for (CompiledDimension &dimension : m_dimensions) {
        const std::uint64_t size = dimension.values.size();
        if (dimension.isRead && dimension.values.isContinuous() && size <= mostRememberedValues) {
            for (std::uint64_t i = 0; i < size; ++i)
                dimension.numbers.push_back(std::get<double>(dimension.values.at(i)));
        }
    }
}

const Expression *SearchSpace::when(std::size_t dimension) const
{
    const auto &condition = m_dimensions[dimension].when;
    return condition ? &*condition : nullptr;
}

bool SearchSpace::isActive(std::size_t dimension, std::span<const double> slots) const
{
    const auto &condition = m_dimensions[dimension].when;
    return !condition || condition->evaluate(slots) == Truth::True;
}

void SearchSpace::switchOff(std::size_t dimension, std::span<double> slots) const
{
    slots[dimension] = m_dimensions[dimension].offValue;
}

double SearchSpace::numberAt(std::size_t dimension, std::uint64_t index) const
{
    const CompiledDimension &compiled = m_dimensions[dimension];
    if (!compiled.numbers.empty())
        return compiled.numbers[index];
    const ParameterValue value = compiled.values.at(index);
    const auto *whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

bool SearchSpace::allows(std::size_t constraint, std::span<const double> slots) const
{
    return m_constraints[constraint].evaluate(slots) != Truth::False;
}

bool SearchSpace::allowsAll(std::span<const double> slots) const
{
    for (std::size_t i = 0; i < m_constraints.size(); ++i) {
        if (!allows(i, slots))
            return false;
    }
    return true;
}

}  // namespace sweepscope::sweep
