#include "diagnosis/examinations.h"
#include "diagnosis/untrusted.h"
#include "diagnosis/words.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sweepscope::diagnosis {

namespace {

constexpr double factor = 5;
constexpr double leastStoppedSeconds = 8;  ///< no later than other faults that last
/// Perhaps it saves a checkpoint before it reports, for the first time.
constexpr double leastBehindSeconds = 30;
/// Perhaps all evaluate, for the first time; run.hang_after is as long.
constexpr double leastTogetherSeconds = 300;
constexpr std::size_t warmUp = 5;
constexpr std::size_t mostSamples = 20'000;

/// The longest time between two reports of a rank, without its first reports and the present silence.
std::optional<double> longestGap(const series::Series &series)
{
    if (series.size() < 2 * warmUp)
        return std::nullopt;
    WallNs longest = 0;
    const std::size_t begin = std::max(warmUp, series.size() - std::min(series.size(), mostSamples));
    WallNs before = series.sample(begin).timeNs;
    for (std::size_t i = begin + 1; i < series.size(); ++i) {
        const WallNs time = series.sample(i).timeNs;
        longest = std::max(longest, difference(time, before));
        before = time;
    }
    return toSeconds(longest);
}

/// A rank that reports every tenth step is not behind the others at once.
std::int64_t stepInterval(const series::Series &series)
{
    return std::max<std::int64_t>(1, difference(series.back().step, series.sample(series.size() - 2).step));
}

const series::Series *longestCurve(const RankEvidence &rank)
{
    const series::Series *longest = nullptr;
    for (const series::Series *curve : rank.curves) {
        if (longest == nullptr || curve->size() > longest->size())
            longest = curve;
    }
    return longest;
}

/// Training is over, only the rest is to be done: a test, or writing files.
bool isThrough(const RankEvidence &rank)
{
    const series::Series *total = rank.find("total_steps");
    return total != nullptr && static_cast<double>(rank.lastStep().value_or(0)) >= total->back().value;
}

struct Silence {
    double seconds = 0;
    double longestGap = 0;
    WallNs since = 0;
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
    std::vector<int> behind;
    std::vector<int> stopped;
};

Outcome judge(const Silence &silence, WallNs now, const std::string &collectives)
{
    const double least = !silence.stopped.empty()  ? leastStoppedSeconds
                         : !silence.behind.empty() ? leastBehindSeconds
                                                   : leastTogetherSeconds;
    const double threshold = std::max(factor * silence.longestGap, least);
    if (silence.seconds < threshold)
        return Outcome::clear();
    Finding finding;
    finding.window = {silence.since, now, silence.lowest, silence.highest};
    finding.value = silence.seconds;
    finding.threshold = threshold;
    finding.unit = "s";
    finding.sentence = "no step for " + duration(silence.seconds) + " (the longest interval before was "
                       + duration(silence.longestGap) + ")";
    if (!silence.stopped.empty())
        finding.sentence += "; " + wording::ranks(silence.stopped) + (silence.stopped.size() == 1 ? " is" : " are")
                            + " stopped by a signal";
    if (!silence.behind.empty())
        finding.sentence += "; " + wording::ranks(silence.behind) + (silence.behind.size() == 1 ? " is" : " are")
                            + " behind at step " + std::to_string(silence.lowest) + ", the others at "
                            + std::to_string(silence.highest);
    finding.sentence += collectives;
    const std::vector<int> &culprits = silence.stopped.empty() ? silence.behind : silence.stopped;
    if (culprits.size() == 1)
        finding.rank = culprits.front();
    return Outcome::found(std::move(finding));
}

/// "; rank 3 is waiting in all-reduce 1204, ranks 0 to 2 in all-reduce 1205": where ranks say so, and not all the same.
std::string collectivesOf(const AttemptEvidence &evidence)
{
    constexpr std::string_view mark = "waiting in ";  // of the built-in worker
    constexpr std::size_t longest = 60;
    std::vector<std::pair<std::string, std::vector<int>>> places;
    std::vector<int> elsewhere;
    for (const RankEvidence &rank : evidence.ranks) {
        std::string place;
        for (const feed::Event &event : rank.events) {
            if (event.text.starts_with(mark) && event.step == rank.lastStep().value_or(0))
                place = event.text.substr(mark.size(), longest);
        }
        if (place.empty()) {
            elsewhere.push_back(rank.rank);
            continue;
        }
        const auto known = std::ranges::find(places, place, &std::pair<std::string, std::vector<int>>::first);
        if (known != places.end())
            known->second.push_back(rank.rank);
        else
            places.push_back({place, {rank.rank}});
    }
    if (places.empty() || (places.size() == 1 && elsewhere.empty()))
        return {};
    std::ranges::sort(places, {}, [](const auto &place) { return place.second.size(); });
    std::string text;
    for (const auto &[place, ranks] : places)
        text += (text.empty() ? "; " : ", ") + wording::ranks(ranks)
                + (!text.empty()       ? " in "
                   : ranks.size() == 1 ? " is waiting in "
                                       : " are waiting in ")
                + place;
    if (!elsewhere.empty())
        text += ", which " + wording::ranks(elsewhere) + (elsewhere.size() == 1 ? " has" : " have") + " not reached";
    return text;
}

}  // namespace

Outcome examineHang(const AttemptEvidence &evidence)
{
    if (evidence.hang) {
        Finding finding;
        finding.rank = evidence.hang->rank;
        finding.window = {evidence.hang->time, evidence.hang->time, {}, {}};
        finding.sentence = evidence.hang->sentence + collectivesOf(evidence);
        finding.value = 1;
        return Outcome::found(std::move(finding));
    }
    const auto reports = [](const RankEvidence &rank) { return rank.lastStep().has_value(); };
    if (std::none_of(evidence.ranks.begin(), evidence.ranks.end(), reports))
        return Outcome::notEnoughData("no rank has reported anything");
    if (!evidence.now)
        return Outcome::clear();  // it ended by itself
    Silence silence;
    bool isFirst = true;
    for (const RankEvidence &rank : evidence.ranks) {
        const series::Series *curve = longestCurve(rank);
        const std::optional<double> gap = curve == nullptr ? std::nullopt : longestGap(*curve);
        if (!gap)
            return Outcome::notEnoughData("rank " + std::to_string(rank.rank) + " has reported too few steps");
        if (isThrough(rank))
            return Outcome::clear();
        const std::int64_t step = *rank.lastStep();
        silence.longestGap = std::max(silence.longestGap, *gap);
        silence.since = std::max(silence.since, *rank.lastTime());
        silence.lowest = isFirst ? step : std::min(silence.lowest, step);
        silence.highest = isFirst ? step : std::max(silence.highest, step);
        isFirst = false;
        if (rank.isStopped)
            silence.stopped.push_back(rank.rank);
    }
    const std::int64_t lag = difference(silence.highest, silence.lowest);
    for (const RankEvidence &rank : evidence.ranks) {
        if (*rank.lastStep() == silence.lowest && lag >= stepInterval(*longestCurve(rank)))
            silence.behind.push_back(rank.rank);
    }
    silence.seconds = toSeconds(difference(*evidence.now, silence.since));
    return judge(silence, *evidence.now, collectivesOf(evidence));
}

}  // namespace sweepscope::diagnosis
