#pragma once

#include <cstdint>
#include <random>

namespace sweepscope::simulation {

/// The source of all random choices; counts them, so that two runs of a seed can be compared.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_random(seed) {}

    /// Returns 0 to bound - 1.
    int below(int bound)
    {
        ++m_draws;
        return static_cast<int>(m_random() % static_cast<std::uint64_t>(bound));
    }
    bool oneIn(int bound) { return below(bound) == 0; }
    std::uint64_t draws() const { return m_draws; }

private:
    std::mt19937_64 m_random;
    std::uint64_t m_draws = 0;
};

}  // namespace sweepscope::simulation
