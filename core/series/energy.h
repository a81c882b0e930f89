#pragma once

#include "base/clock.h"

#include <optional>
#include <span>
#include <vector>

namespace sweepscope::series {

struct TimedValue {
    WallNs time = 0;
    double value = 0;
};

/// What was recorded of a GPU, in the order of time.
struct GpuReadings {
    std::vector<TimedValue> joules;  ///< the driver's counter; may start again
    std::vector<TimedValue> watts;
};

/// The time for which a trial held a GPU, and the number of its ranks there.
struct GpuHolding {
    WallNs from = 0;
    WallNs until = 0;
    int ranks = 1;
};

/// How energy was measured: the driver's counter is exact, an integral of power readings is not.
enum class EnergyMethod { Counter, Power };

struct Energy {
    double joules = 0;
    EnergyMethod method = EnergyMethod::Counter;

    bool operator==(const Energy &) const = default;
};

inline constexpr double joulesPerKilowattHour = 3.6e6;

/// Both together: integrated if a part is.
Energy operator+(const Energy &a, const Energy &b);

/// Power readings further apart than this are not integrated: what the GPU did in between is unknown. The counter covers
/// any gap, unless a trial starts or ends within it.
inline constexpr WallNs longestReadingGap = 10'000'000'000;
/// The most of a holding that may lie before the first or after the last reading.
inline constexpr WallNs longestUnreadEdge = 5'000'000'000;

/// Returns the trial's share of the energy of a GPU. While `others` hold the GPU as well, it is divided by ranks.
/// Nullopt if readings do not cover the whole time.
std::optional<Energy> energyOf(const GpuReadings &gpu, const GpuHolding &own, std::span<const GpuHolding> others);

}  // namespace sweepscope::series
