#include "launch/ranksteps.h"

#include "process/processstat.h"
#include "series/feedseries.h"

#include <algorithm>

namespace sweepscope::launch {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

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

/// The format of Field::Ranks.
std::string listOf(const std::vector<int> &ranks)
{
    std::string list;
    for (const int rank : ranks)
        list += (list.empty() ? "" : ",") + std::to_string(rank);
    return list;
}

}  // namespace

double secondsOf(std::chrono::milliseconds duration)
{
    return static_cast<double>(duration.count()) / 1000;
}

std::vector<RankStep> readRankSteps(const AttemptLayout &layout, const std::vector<RankProcess> &ranks)
{
    std::vector<RankStep> steps;
    for (const RankProcess &rank : ranks) {
        if (!rank.alive)
            continue;
        const auto stat = process::readProcessStat(rank.identity.pid);
        steps.push_back({rank.rank, lastStep(layout, rank.rank), stat && (stat->state == 'T' || stat->state == 't')});
    }
    return steps;
}

RankFault describeHang(const std::vector<RankStep> &steps, std::chrono::milliseconds silence,
                       std::chrono::milliseconds longest)
{
    RankFault fault;
    fault.reason = Fact(Code::Hung).with(Field::Seconds, secondsOf(silence)).with(Field::Longest, secondsOf(longest));
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
        fault.reason = std::move(fault.reason)
                           .dueTo(Fact(Code::RanksBehind)
                                      .with(Field::Step, *lowest)
                                      .with(Field::Bound, static_cast<double>(*highest))
                                      .with(Field::Ranks, listOf(behind)));
    else if (lowest)
        fault.reason = std::move(fault.reason).dueTo(Fact(Code::LastStep).with(Field::Step, *lowest));
    if (!stopped.empty())
        fault.reason = std::move(fault.reason).dueTo(Fact(Code::RanksStopped).with(Field::Ranks, listOf(stopped)));
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
    return {left, Fact(Code::ExitedEarly)
                      .with(Field::Rank, left)
                      .with(Field::Seconds, secondsOf(grace))
                      .with(Field::Ranks, listOf(waiting))};
}

}  // namespace sweepscope::launch
