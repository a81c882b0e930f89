#pragma once

#include <cstddef>
#include <vector>

/// Several objectives; smaller is better in each.
namespace sweepscope::search {

/// Rank of each point: 0 for those that no point dominates, 1 for those that only points of rank 0 dominate, and so on.
/// A point dominates another if it is nowhere worse and somewhere better.
std::vector<std::size_t> dominanceRanks(const std::vector<std::vector<double>> &points);

/// Volume between the points and `reference`, which is worse than each of them; infinite if a coordinate is -infinity.
/// By recursion over the objectives (WFG: While, Bradstreet, Barone, IEEE Trans. Evol. Comput. 16, 2012).
double hypervolume(const std::vector<std::vector<double>> &points, const std::vector<double> &reference);

/// Returns the places of the best `count` points: whole ranks while they fit, and from the next rank those that add
/// most hypervolume, one after the other.
std::vector<std::size_t> bestByDominance(const std::vector<std::vector<double>> &points, std::size_t count);

}  // namespace sweepscope::search
