#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sweepscope::search {

/// Points of a Sobol sequence in [0, 1)^d, scrambled by `seed`: any number of first points covers the cube evenly, and
/// another seed gives another sequence. Direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008); nested
/// uniform scrambling by hashing (Burley, Practical Hash-based Owen Scrambling, JCGT 9, 2020).
class SobolSequence {
public:
    /// `dimensions` is 1 to 3,667.
    SobolSequence(std::size_t dimensions, std::uint64_t seed);

    /// Returns point `index`, from 0.
    std::vector<double> point(std::uint64_t index) const;

private:
    std::size_t m_dimensions;
    std::uint64_t m_seed;
};

}  // namespace sweepscope::search
