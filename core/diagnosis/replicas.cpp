#include "diagnosis/examinations.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <map>

namespace sweepscope::diagnosis {

namespace {

constexpr const char *hashSeries = "weights_hash";

/// A worker that compares the weights itself says so as the error that it ends with.
std::optional<Finding> findError(const AttemptEvidence &evidence)
{
    constexpr std::string_view words = "the weights of rank";
    for (const RankEvidence &rank : evidence.ranks) {
        for (const feed::Event &event : rank.events) {
            const std::size_t at = event.text.find(words);
            if (event.kind != feed::EventKind::Error || at == std::string::npos)
                continue;
            Finding finding;
            finding.window = {event.timeNs, event.timeNs, event.step, event.step};
            finding.value = 1;
            finding.sentence = event.text;
            const std::size_t digits = at + words.size() + 1;  // of "ranks 0 and 1 differ" none is to blame
            const std::size_t end = event.text.find_first_not_of("0123456789", digits);
            const bool isOne = end != digits && end != std::string::npos && event.text[end] != ',';
            if (isOne && end - digits < 6)
                finding.rank = std::stoi(event.text.substr(digits, end - digits));
            return finding;
        }
    }
    return std::nullopt;
}

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
    if (evidence.ranks.size() < 2)
        return Outcome::notEnoughData("the trial has one rank");
    if (auto error = findError(evidence))
        return Outcome::found(std::move(*error));
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
