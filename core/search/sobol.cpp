#include "search/sobol.h"

#include "sweep/splitmix.h"

#include <boost/random/sobol.hpp>

namespace sweepscope::search {

namespace {

std::uint32_t reversed(std::uint32_t bits)
{
    bits = (bits << 16) | (bits >> 16);
    bits = ((bits & 0x00ff00ffU) << 8) | ((bits & 0xff00ff00U) >> 8);
    bits = ((bits & 0x0f0f0f0fU) << 4) | ((bits & 0xf0f0f0f0U) >> 4);
    bits = ((bits & 0x33333333U) << 2) | ((bits & 0xccccccccU) >> 2);
    return ((bits & 0x55555555U) << 1) | ((bits & 0xaaaaaaaaU) >> 1);
}

/// Flips each bit depending only on the bits above it: the hash of Laine and Karras, on reversed bits, with the
/// constants of Burley's paper.
std::uint32_t scrambled(std::uint32_t bits, std::uint32_t seed)
{
    bits = reversed(bits);
    bits += seed;
    bits ^= bits * 0x6c50b47cU;
    bits ^= bits * 0xb82f1e52U;
    bits ^= bits * 0xc7afe638U;
    bits ^= bits * 0x8d22f6e6U;
    return reversed(bits);
}

}  // namespace

SobolSequence::SobolSequence(std::size_t dimensions, std::uint64_t seed) : m_dimensions(dimensions), m_seed(seed) {}

std::vector<double> SobolSequence::point(std::uint64_t index) const
{
    std::vector<double> point(m_dimensions, 0.0);
    boost::random::sobol_engine<std::uint32_t, 32> engine(m_dimensions);
    // Boost skips the first point, the origin, which scrambling moves elsewhere.
    std::vector<std::uint32_t> bits(m_dimensions, 0);
    if (index > 0) {
        engine.discard((index - 1) * m_dimensions);
        for (std::uint32_t &value : bits)
            value = engine();
    }
    for (std::size_t i = 0; i < m_dimensions; ++i) {
        const auto seed =
            static_cast<std::uint32_t>(sweep::SplitMix64::mix(m_seed + i * sweep::SplitMix64::gamma) >> 32);
        point[i] = scrambled(bits[i], seed) * 0x1.0p-32;
    }
    return point;
}

}  // namespace sweepscope::search
