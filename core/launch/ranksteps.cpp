#include "launch/ranksteps.h"

#include "device/processstat.h"
#include "series/feedseries.h"

#include <algorithm>

namespace sweepscope::launch {

namespace {

std::optional<std::int64_t> lastStep(const AttemptLayout &layout, int rank)
{
    series::FeedSeries feed({layout.rankFeed(rank), {}, layout.rankIndex(rank)}, series::IndexUse::Read);
    for (;;) {
        const auto records = feed.poll();
        if (!records || *records == 0)
            break;
    }
    std::optional<std::int64_t> last;
    for (const series::Series &series : feed.all()) {
        if (!series.empty())
            last = std::max(last.value_or(series.back().step), series.back().step);
    }
    return last;
}

/// Tenths of a second below a minute: steps are short.
std::string roughly(std::chrono::milliseconds duration)
{
    using namespace std::chrono_literals;
    if (duration >= 60s)
        return inWords(std::chrono::round<std::chrono::seconds>(duration));
    return duration >= 10s ? inWords(std::chrono::round<std::chrono::seconds>(duration)) : inWords(duration);
}

}  // namespace

std::string ranksInWords(const std::vector<int> &ranks)
{
    constexpr std::size_t mostNamed = 8;
    if (ranks.size() > mostNamed)
        return std::to_string(ranks.size()) + " ranks";
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i)
        text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
    return text;
}

std::string inWords(std::chrono::milliseconds duration)
{
    const auto count = duration.count();
    if (count > 0 && count % 60'000 == 0)
        return std::to_string(count / 60'000) + " min";
    if (count % 1000 == 0)
        return std::to_string(count / 1000) + " s";
    return std::to_string(count) + " ms";
}

std::vector<RankStep> readRankSteps(const AttemptLayout &layout, const std::vector<RankProcess> &ranks)
{
    std::vector<RankStep> steps;
    for (const RankProcess &rank : ranks) {
        if (!rank.alive)
            continue;
        const auto stat = device::readProcessStat(rank.identity.pid);
        steps.push_back({rank.rank, lastStep(layout, rank.rank), stat && (stat->state == 'T' || stat->state == 't')});
    }
    return steps;
}

RankFault describeHang(const std::vector<RankStep> &steps, std::chrono::milliseconds silence,
                       std::chrono::milliseconds longest)
{
    RankFault fault;
    fault.sentence = "hung: no step was reported for " + roughly(silence) + " (the longest time between two was "
                     + roughly(longest) + ")";
    std::optional<std::int64_t> lowest;
    std::optional<std::int64_t> highest;
    for (const RankStep &rank : steps) {
        if (rank.step) {
            lowest = std::min(lowest.value_or(*rank.step), *rank.step);
            highest = std::max(highest.value_or(*rank.step), *rank.step);
        }
    }
    std::vector<int> behind;
    std::vector<int> stopped;
    for (const RankStep &rank : steps) {
        if (rank.step && rank.step == lowest && lowest != highest)
            behind.push_back(rank.rank);
        if (rank.isStopped)
            stopped.push_back(rank.rank);
    }
    if (!behind.empty())
        fault.sentence += "; " + ranksInWords(behind) + (behind.size() == 1 ? " was" : " were") + " behind at step "
                          + std::to_string(*lowest) + ", the others had come to " + std::to_string(*highest);
    else if (lowest)
        fault.sentence += "; the last one was step " + std::to_string(*lowest);
    if (!stopped.empty())
        fault.sentence +=
            "; " + ranksInWords(stopped) + (stopped.size() == 1 ? " is" : " are") + " stopped by a signal";
    if (behind.size() == 1)
        fault.rank = behind.front();
    else if (stopped.size() == 1)
        fault.rank = stopped.front();
    return fault;
}

RankFault describeEarlyExit(int left, const std::vector<RankProcess> &ranks, std::chrono::milliseconds grace)
{
    std::vector<int> waiting;
    for (const RankProcess &rank : ranks) {
        if (rank.alive)
            waiting.push_back(rank.rank);
    }
    return {left, "rank " + std::to_string(left) + " ended early: it exited with code 0, and " + ranksInWords(waiting)
                      + (waiting.size() == 1 ? " was" : " were") + " left waiting, without a step, output or work for "
                      + inWords(grace)};
}

}  // namespace sweepscope::launch
