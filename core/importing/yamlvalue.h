#pragma once

#include "base/error.h"
#include "sweep/parameter.h"
#include "sweep/problem.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweepscope::importing {

/// Files of other programs that define a sweep are small.
inline constexpr std::uint64_t mostSourceBytes = 1024 * 1024;

/// A YAML document as plain values. Scalars are typed as in PyYAML (YAML 1.1: `yes` is true), except that `1e-4` is a
/// number: PyYAML makes it a string, which is never meant.
struct YamlValue {
    enum class Kind { Null, Scalar, List, Map };
    Kind kind = Kind::Null;
    sweep::ParameterValue scalar;    ///< Scalar
    std::vector<std::string> names;  ///< Map: of `items`, in the order of the file
    std::vector<YamlValue> items;    ///< List, Map
    int line = 0;                    ///< from 1
    int column = 0;

    bool isMap() const { return kind == Kind::Map; }
    bool isList() const { return kind == Kind::List; }
    bool isScalar() const { return kind == Kind::Scalar; }
    /// The value of a map's key; null if there is none.
    const YamlValue *find(std::string_view name) const;
    /// Nullptr unless it is a string.
    const std::string *string() const;
    std::optional<double> number() const;
    std::optional<std::int64_t> integer() const;
    /// A scalar's text; empty for others.
    std::string text() const;
};

/// Parses one document. The problem has line and column: of invalid YAML, of a key that occurs twice, of a merge key, and
/// of a document that is nested or repeats itself through aliases beyond reason.
tl::expected<YamlValue, sweep::Problem> parseYaml(std::string_view text);

}  // namespace sweepscope::importing
