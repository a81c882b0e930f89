#pragma once

#include <cstdint>

/// The sweep's own random numbers. The distributions of the standard library give other values with every library;
/// these give the same trials everywhere.
namespace sweepscope::sweep {

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : m_state(seed) {}

    static constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15ULL;

    static constexpr std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t next()
    {
        m_state += gamma;
        return mix(m_state);
    }

    /// Evenly in [0, 1), with 53 bits.
    double nextUnit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    /// Evenly in 0 … count-1; `count` is at least 1. What would favour small numbers is drawn again.
    std::uint64_t nextBelow(std::uint64_t count)
    {
        const std::uint64_t unfair = (0 - count) % count;  // 2^64 modulo count
        for (;;) {
            const std::uint64_t drawn = next();
            if (drawn >= unfair)
                return drawn % count;
        }
    }

private:
    std::uint64_t m_state;
};

/// Seed of trial `number` (from 1): the number-th output of SplitMix64 started at the sweep's seed, its upper 31 bits,
/// so that it fits every framework's seed.
constexpr std::uint64_t trialSeed(std::uint64_t sweepSeed, int number)
{
    return SplitMix64::mix(sweepSeed + static_cast<std::uint64_t>(number) * SplitMix64::gamma) >> 33;
}

}  // namespace sweepscope::sweep
