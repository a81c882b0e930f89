#pragma once

#include "sweep/sweepspec.h"

#include <cstdint>
#include <optional>

namespace sweepscope::pruning {

/// The steps at which trials of a sweep are compared.
class Rungs {
public:
    explicit Rungs(const sweep::PruneSection &prune) : m_prune(prune) {}
    /// Returns the last rung that a trial at this step has reached; nullopt before the first.
    std::optional<std::int64_t> upTo(std::int64_t step) const;
    /// Steps between the first rungs.
    std::int64_t interval() const;

private:
    sweep::PruneSection m_prune;
};

/// What a trial has reported when it reaches a rung. NaN: nothing.
struct RungValue {
    std::int64_t rung = 0;
    double best = 0;  ///< until then
    double last = 0;  ///< of the first report at or after the rung
};

/// Step of a rung that grows: `first`, then ceil(first * factor) and so on.
std::int64_t nextRung(std::int64_t rung, double factor);

}  // namespace sweepscope::pruning
