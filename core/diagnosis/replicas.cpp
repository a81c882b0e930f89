#include "diagnosis/examinations.h"
#include "diagnosis/rankhashes.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <map>

namespace sweepscope::diagnosis {

namespace {

constexpr const char *hashSeries = "weights_hash";

}  // namespace

Outcome examineReplicas(const AttemptEvidence &evidence)
{
    std::vector<std::pair<int, std::map<std::int64_t, double>>> all;
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
