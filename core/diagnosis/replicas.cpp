#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <map>

namespace sweepscope::diagnosis {

namespace {

constexpr const char *hashSeries = "weights_hash";

using Hashes = std::map<std::int64_t, double>;

Hashes hashesOf(const series::Series &series)
{
    Hashes hashes;
    for (std::size_t i = 0; i < series.size(); ++i)
        hashes[series.sample(i).step] = series.sample(i).value;
    return hashes;
}

/// The ranks whose hash is not the most frequent one; on a tie, not rank 0's.
std::vector<int> outsiders(const std::vector<std::pair<int, double>> &hashes)
{
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

}  // namespace

Outcome examineReplicas(const AttemptEvidence &evidence)
{
    std::vector<std::pair<int, Hashes>> all;
    for (const RankEvidence &rank : evidence.ranks) {
        if (const series::Series *series = rank.find(hashSeries))
            all.emplace_back(rank.rank, hashesOf(*series));
    }
    if (all.size() < 2)
        return Outcome::notEnoughData(std::string("fewer than two ranks report ") + hashSeries);
    bool isComparable = false;
    for (const auto &[step, hash] : all.front().second) {
        std::vector<std::pair<int, double>> hashes;
        for (const auto &[rank, byStep] : all) {
            if (const auto found = byStep.find(step); found != byStep.end())
                hashes.emplace_back(rank, found->second);
        }
        isComparable = isComparable || hashes.size() > 1;
        const std::vector<int> ranks = outsiders(hashes);
        if (ranks.empty())
            continue;
        const auto differing = std::find_if(evidence.ranks.begin(), evidence.ranks.end(),
                                            [&](const RankEvidence &rank) { return rank.rank == ranks.front(); });
        const series::Series &series = *differing->find(hashSeries);
        Finding finding;
        if (ranks.size() == 1)
            finding.rank = ranks.front();
        finding.window = {series.front().timeNs, series.back().timeNs, step, series.back().step};
        finding.value = static_cast<double>(ranks.size());
        finding.sentence = "the weights of " + wording::ranks(ranks) + " differ from the other ranks' since step "
                           + std::to_string(step);
        return Outcome::found(std::move(finding));
    }
    if (!isComparable)
        return Outcome::notEnoughData(std::string("no two ranks report ") + hashSeries + " at the same step");
    return Outcome::clear();
}

}  // namespace sweepscope::diagnosis
