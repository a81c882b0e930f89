#pragma once

#include "search/searchhistory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sweepscope::search {

enum class Method { Random, Sobol, Tpe };

/// Goes up when the numbers of a method change, so that replay can tell a change from a fault.
int versionOf(Method method);

/// Chosen by chance, because nothing else applies or the method is random search.
struct DrawnAtRandom {};

/// The next point of the Sobol sequence.
struct NextInSequence {
    std::uint64_t index = 0;  ///< from 0
};

/// The first trials of a method that learns: there are too few results for a model.
struct Start {
    std::size_t finished = 0;
    std::size_t needed = 0;
};

/// The best of several candidates by a model.
struct ByModel {
    std::size_t good = 0;  ///< trials that the model counts as good
    std::size_t bad = 0;
    double logRatio = 0;           ///< of the densities of good and bad trials at the point
    std::vector<int> resembles{};  ///< good trials whose kernels contribute most, the largest first
};

/// The last resort in a space that is nearly used up.
struct LeftOver {
    std::uint64_t untried = 0;
};

using Why = std::variant<DrawnAtRandom, NextInSequence, Start, ByModel, LeftOver>;

struct Suggestion {
    sweep::ParameterSet parameters;
    Method method = Method::Random;  ///< the one that chose it
    int version = 1;
    Why why;
};

/// Why there is no further point.
struct NoPoint {
    enum class Cause {
        Exhausted,         ///< every point of the space was tried
        ConstraintsTight,  ///< no draw that the constraints allow was found
    };
    Cause cause = Cause::Exhausted;
    std::uint64_t points = 0;  ///< Exhausted: of the space
};

/// The point that trial `number`, from 1, should try. Depends on nothing but the arguments. Never a point that is in the
/// history while the space has another.
tl::expected<Suggestion, NoPoint> suggest(const SearchHistory &history, Method method, int number);

}  // namespace sweepscope::search
