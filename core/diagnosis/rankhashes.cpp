#include "diagnosis/rankhashes.h"

#include <algorithm>

namespace sweepscope::diagnosis {

std::map<std::int64_t, double> hashesOf(const series::Series &series)
{
    std::map<std::int64_t, double> hashes;
    for (std::size_t i = 0; i < series.size(); ++i)
        hashes[series.sample(i).step] = series.sample(i).value;
    return hashes;
}

std::vector<int> outsiders(const std::vector<std::pair<int, double>> &hashes)
{
    if (hashes.empty())
        return {};
    const auto votes = [&hashes](double hash) {
        return std::count_if(hashes.begin(), hashes.end(), [hash](const auto &other) { return other.second == hash; });
    };
    double majority = hashes.front().second;
    for (const auto &[rank, hash] : hashes) {
        if (votes(hash) > votes(majority))
            majority = hash;
    }
    std::vector<int> ranks;
    for (const auto &[rank, hash] : hashes) {
        if (hash != majority)
            ranks.push_back(rank);
    }
    return ranks;
}

}  // namespace sweepscope::diagnosis
