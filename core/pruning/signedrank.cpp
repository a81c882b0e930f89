#include "pruning/signedrank.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sweepscope::pruning {

namespace {

constexpr std::size_t mostExact = 50;
constexpr std::size_t mostPermuted = 13;

struct Ranked {
    double rank = 0;  ///< average over equal magnitudes
    double difference = 0;
};

/// `ties`: the sum of t^3 - t over groups of t equal magnitudes.
std::vector<Ranked> rankedByMagnitude(std::span<const double> differences, double &ties)
{
    std::vector<Ranked> ranked;
    for (const double difference : differences)
        ranked.push_back({0, difference});
    std::ranges::sort(ranked, {}, [](const Ranked &each) { return std::fabs(each.difference); });
    for (std::size_t begin = 0; begin < ranked.size();) {
        std::size_t end = begin + 1;
        while (end < ranked.size() && std::fabs(ranked[end].difference) == std::fabs(ranked[begin].difference))
            ++end;
        const auto size = static_cast<double>(end - begin);
        for (std::size_t i = begin; i < end; ++i)
            ranked[i].rank = static_cast<double>(begin) + (size + 1) / 2;
        ties += size * size * size - size;
        begin = end;
    }
    return ranked;
}

/// Of n differences without ties and zeros, whose ranks above 0 sum to `sum`: counts the sets of ranks by their sum.
double exactProbability(std::size_t n, double sum)
{
    std::vector<double> ways(n * (n + 1) / 2 + 1);
    ways[0] = 1;
    for (std::size_t rank = 1; rank <= n; ++rank) {
        for (std::size_t total = ways.size() - 1; total >= rank; --total)
            ways[total] += ways[total - rank];
    }
    double above = 0;
    for (auto total = static_cast<std::size_t>(sum); total < ways.size(); ++total)
        above += ways[total];
    return above * std::pow(0.5, static_cast<double>(n));
}

/// Goes through all signs that the differences could have.
double permutedProbability(const std::vector<Ranked> &ranked, double sum)
{
    const std::uint32_t all = std::uint32_t{1} << ranked.size();
    std::uint32_t atLeast = 0;
    for (std::uint32_t signs = 0; signs < all; ++signs) {
        double total = 0;
        for (std::size_t i = 0; i < ranked.size(); ++i) {
            if (ranked[i].difference == 0)
                total += ranked[i].rank / 2;
            else if ((signs >> i & 1) != 0)
                total += ranked[i].rank;
        }
        atLeast += total >= sum ? 1 : 0;
    }
    return static_cast<double>(atLeast) / all;
}

}  // namespace

double signedRankProbability(std::span<const double> differences)
{
    if (differences.empty())
        return 1;
    double ties = 0;
    const std::vector<Ranked> ranked = rankedByMagnitude(differences, ties);
    double sum = 0;  // of the ranks above 0
    double zeros = 0;
    for (const Ranked &each : ranked) {
        if (each.difference > 0)
            sum += each.rank;
        else if (each.difference == 0)
            sum += each.rank / 2;
        zeros += each.difference == 0 ? 1 : 0;
    }
    const auto n = static_cast<double>(ranked.size());
    if (ties == 0 && zeros == 0 && ranked.size() <= mostExact)
        return exactProbability(ranked.size(), sum);
    if (ranked.size() <= mostPermuted)
        return permutedProbability(ranked, sum);
    const double mean = n * (n + 1) / 4;
    const double variance = (n * (n + 1) * (2 * n + 1) - ties / 2) / 24;
    return variance > 0 ? 0.5 * std::erfc((sum - mean) / std::sqrt(2 * variance)) : 1;
}

}  // namespace sweepscope::pruning
