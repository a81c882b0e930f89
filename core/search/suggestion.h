#pragma once

#include "facts/fact.h"
#include "search/method.h"
#include "search/searchhistory.h"

#include <cstddef>
#include <optional>

namespace sweepscope::search {

struct Suggestion {
    sweep::ParameterSet parameters;
    Method method = Method::Random;  ///< the method that chose the point, never Auto
    facts::Fact why{};               ///< ChosenAtRandom ... ChosenFromRest, without Method, Version and inputs
};

/// Results that a method waits for before they influence its points; nullopt if they never do. Not for Auto.
std::optional<std::size_t> resultsNeeded(const SearchHistory &history, Method method);

/// The point that trial `number`, from 1, should try; with Command, which is for OutsideSampler, one at random. Depends on nothing but the arguments. Never a point that is in the
/// history while the space has another. Without a further point: PointsExhausted or ConstraintsTight.
tl::expected<Suggestion, facts::Fact> suggest(const SearchHistory &history, Method method, int number);

}  // namespace sweepscope::search
