#pragma once

#include "expression/expression.h"
#include "sweep/dimensionvalues.h"
#include "sweep/problem.h"
#include "sweep/sweepspec.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sweepscope::sweep {

using expression::Expression;
using expression::Truth;

/// The space of a sweep ready to be walked: values, conditions and constraints compiled, every name with a slot.
///
/// Slots 0 … dimensions-1 hold the parameters in declared order; the fixed values that expressions may also name
/// (`ranks`, and the built-in worker's settings) come after. A switched-off parameter is NaN in its slot, except
/// `ranks`, which then is run.ranks.
class SearchSpace {
public:
    /// `spec` must outlive the result. The problems are all those of [space] and [constraints].
    static tl::expected<SearchSpace, std::vector<Problem>> compile(const SweepSpec &spec);

    std::size_t dimensionCount() const { return m_dimensions.size(); }
    const DimensionValues &values(std::size_t dimension) const { return m_dimensions[dimension].values; }
    /// Whether a condition of another parameter or a constraint reads it.
    bool isRead(std::size_t dimension) const { return m_dimensions[dimension].isRead; }
    const Expression *when(std::size_t dimension) const;
    const std::vector<Expression> &constraints() const { return m_constraints; }

    /// A fresh set of slot values, the fixed ones filled in.
    const std::vector<double> &initialSlots() const { return m_initialSlots; }
    bool isActive(std::size_t dimension, std::span<const double> slots) const;
    void switchOff(std::size_t dimension, std::span<double> slots) const;
    /// What expressions see of the dimension's grid value `index`: the number, 0 or 1, or the text's number.
    double numberAt(std::size_t dimension, std::uint64_t index) const;
    /// A constraint that depends on a switched-off parameter does not apply.
    bool allows(std::size_t constraint, std::span<const double> slots) const;
    bool allowsAll(std::span<const double> slots) const;

private:
    struct CompiledDimension {
        DimensionValues values;
        std::optional<Expression> when;
        bool isRead = false;
        double offValue = 0;
        std::vector<double> numbers;  ///< what expressions see of each value; empty: calculated when asked for
    };
    SearchSpace() = default;
    std::vector<expression::Symbol> readFixedValues(const SweepSpec &spec);
    void compileDimensions(const SweepSpec &spec, std::vector<std::optional<Expression>> conditions);

    std::vector<CompiledDimension> m_dimensions;
    std::vector<Expression> m_constraints;
    std::vector<double> m_initialSlots;
    expression::StringNumbers m_strings;
};

/// What may be a parameter's name: letters, digits and _, not first a digit; no word of the expressions' language.
/// Empty = fine.
std::string checkParameterName(const std::string &name);

/// "space.lr", or "space.2" for a dimension without a usable name.
std::string dimensionField(const SweepSpec &spec, std::size_t index);
std::string constraintField(const SweepSpec &spec, std::size_t index);

inline constexpr std::size_t maxDimensions = 100;
inline constexpr std::size_t maxConstraints = 100;

}  // namespace sweepscope::sweep
