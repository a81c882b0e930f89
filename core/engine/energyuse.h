#pragma once

#include <optional>

namespace sweepscope::engine {

/// Energy of the attempts of a sweep that have ended.
struct EnergyUse {
    std::optional<double> joules{};  ///< of those whose energy is known; nullopt: of none
    int unknown = 0;                 ///< attempts whose energy this engine could not measure
};

}  // namespace sweepscope::engine
