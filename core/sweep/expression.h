#pragma once

#include "sweep/parameter.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

namespace sweepscope::sweep {

enum class SymbolType { Number, Boolean, Text };

/// A name that an expression may use. Its value stands in slot `slot` of the values given to Expression::evaluate().
struct Symbol {
    std::string name;
    int slot = 0;
    SymbolType type = SymbolType::Number;
    std::vector<std::string> texts;  ///< Text: all values it can have; a comparison with another one is a mistake
    std::string unusable;            ///< not empty: why an expression that names it is wrong ("is declared later …")
    bool isDoubtful = false;         ///< its declaration has mistakes: nothing can be said about what names it
};

/// Expressions calculate with numbers alone: every text gets one, the same wherever it occurs.
class TextNumbers {
public:
    double numberOf(const std::string &text);
    double numberOf(const ParameterValue &value);

private:
    std::unordered_map<std::string, double> m_numbers;
};

struct ExpressionError {
    std::string message;
    int position = 0;                  ///< character (byte) of the expression, from 1
    bool namesDoubtfulSymbol = false;  ///< the expression may be right: see Symbol::isDoubtful
};

/// True, false, or cannot be said because a parameter that it needs is switched off.
enum class Truth { False, True, Unknown };

/// A condition or constraint, such as "optimizer == 'sgd' and batch_size * ranks <= 256", compiled by muParser.
///
/// Numbers, names, 'texts' (compared by == and != alone), + - * / % ^, comparisons, and/&&, or/||, not/!, parentheses,
/// true, false and the functions abs min max floor ceil round sqrt exp log log2 log10 pow. A switched-off parameter
/// (NaN in its slot) makes its comparison unknown, and `and`, `or`, `not` treat unknown as Kleene's logic does.
/// One thread at a time.
class Expression {
public:
    static tl::expected<Expression, ExpressionError> compile(std::string_view text, std::span<const Symbol> symbols,
                                                             TextNumbers &texts);
    Expression(Expression &&) noexcept;
    Expression &operator=(Expression &&) noexcept;
    ~Expression();

    /// Slots it reads, ascending, each once.
    const std::vector<int> &slots() const;
    /// `values` by slot.
    Truth evaluate(std::span<const double> values) const;

private:
    struct State;
    explicit Expression(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

}  // namespace sweepscope::sweep
