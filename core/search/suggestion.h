#pragma once

#include "facts/fact.h"
#include "search/searchhistory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::search {

enum class Method { Random, Sobol, Tpe, Gp };

/// Incremented when the numbers of a method change, so that replay can tell a change from a fault.
int versionOf(Method method);

/// "random", "sobol", "tpe", "gp"
std::string toString(Method method);
std::optional<Method> methodFromString(const std::string &name);
/// The method of an open-ended sweep.
Method methodOf(const sweep::SweepSpec &spec);

struct Suggestion {
    sweep::ParameterSet parameters;
    Method method = Method::Random;  ///< the one that chose it
    facts::Fact why{};               ///< ChosenAtRandom ... ChosenFromRest, without Method, Version and inputs
};

/// The point that trial `number`, from 1, should try. Depends on nothing but the arguments. Never a point that is in the
/// history while the space has another. Without a further point: PointsExhausted or ConstraintsTight.
tl::expected<Suggestion, facts::Fact> suggest(const SearchHistory &history, Method method, int number);

}  // namespace sweepscope::search
