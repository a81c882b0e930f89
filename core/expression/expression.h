#pragma once

#include "base/error.h"
#include "expression/expressionerror.h"
#include "expression/lexer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sweepscope::expression {

enum class SymbolType { Number, Boolean, String };

/// A name that an expression may use. Its value is in slot `slot` of the values passed to Expression::evaluate().
struct Symbol {
    std::string name;
    int slot = 0;
    SymbolType type = SymbolType::Number;
    std::vector<std::string> strings;  ///< String: all values it can have; a condition cannot compare it with others
    std::string unusable;     ///< not empty: why an expression that names it is wrong ("is declared later …")
    bool isDoubtful = false;  ///< its declaration has mistakes: nothing can be said about what names it
};

/// What names mean where an expression is used.
class Names {
public:
    virtual ~Names() = default;
    virtual std::optional<Symbol> find(std::string_view name) const = 0;
    virtual std::vector<std::string> all() const = 0;  ///< to suggest from
    /// Whether the column `symbol` of a filter has this value in any row.
    virtual bool hasValue(const Symbol &, std::string_view) const { return false; }
};

class SymbolList : public Names {
public:
    explicit SymbolList(std::span<const Symbol> symbols) : m_symbols(symbols) {}
    std::optional<Symbol> find(std::string_view name) const override;
    std::vector<std::string> all() const override;

private:
    std::span<const Symbol> m_symbols;
};

/// Expressions calculate with numbers alone: every string gets one, the same wherever it occurs.
class StringNumbers {
public:
    double numberOf(const std::string &string);

private:
    std::unordered_map<std::string, double> m_numbers;
};

/// True, false, or unknown because a parameter that it needs is switched off.
enum class Truth { False, True, Unknown };

/// A part of a filter that only the table can decide: words to search for, or a column compared with a literal, with the
/// rules that its kind of column has for case, units and missing values.
struct Match {
    std::string name;  ///< empty: search for `value`
    int slot = -1;     ///< of the column; -1: no column has the name
    Comparison comparison = Comparison::Equal;
    std::string value;
    bool isQuoted = false;
    std::optional<double> number;  ///< the value, if it is one
    std::optional<double> upTo;    ///< of a range: its other end
    int otherSlot = -1;            ///< the value is another column
    std::string asWritten;         ///< the whole comparison without blanks around the sign
};

class Matcher {
public:
    virtual ~Matcher() = default;
    /// Of Expression::matches().
    virtual bool matches(std::size_t index) const = 0;
};

/// A constraint, a condition or a filter of trials, such as "optimizer = sgd and batch_size * ranks <= 256", compiled to
/// a program for a stack machine. docs/sweep-file.md describes the language.
///
/// A switched-off parameter (NaN in its slot) makes its comparison unknown, and `and`, `or`, `not` treat unknown as
/// Kleene's logic does. In a filter nothing is unknown: a comparison with a missing value is false, != is true.
/// Safe to evaluate from several threads.
class Expression {
public:
    static tl::expected<Expression, Error> compile(std::string_view text, Use use, const Names &names,
                                                   StringNumbers &strings);

    /// Slots it reads, ascending, each once.
    const std::vector<int> &slots() const { return m_slots; }
    const std::vector<Match> &matches() const { return m_matches; }
    /// In instructions: what an evaluation costs at most.
    std::size_t size() const { return m_program.size(); }
    /// `values` by slot. `matcher`: of a filter.
    Truth evaluate(std::span<const double> values, const Matcher *matcher = nullptr) const;

private:
    friend class Compiler;
    enum class Code : std::uint8_t {
        Constant,
        Load,
        Match,
        Equal,
        Unequal,
        Less,
        LessOrEqual,
        Greater,
        GreaterOrEqual,
        IsMissing,
        And,
        Or,
        Not,
        JumpIfFalse,  ///< keeps the value
        JumpIfTrue,
        FalseIfUnknown,
        TrueIfUnknown,
        Add,
        Subtract,
        Multiply,
        Divide,
        Modulo,
        Power,
        Negate,
        Call,
        Minimum,  ///< of the topmost `index`
        Maximum,
    };
    struct Instruction {
        Code code = Code::Constant;
        int index = 0;  ///< slot, match, function, target or count
        double value = 0;
    };
    double run(std::span<const double> values, const Matcher *matcher, double *stack) const;

    std::vector<Instruction> m_program;
    std::vector<int> m_slots;
    std::vector<Match> m_matches;
    std::size_t m_deepest = 0;  ///< values on the stack at once
};

}  // namespace sweepscope::expression
