#include "launch/ranksteps.h"

#include "process/processstat.h"
#include "series/feedseries.h"

#include <algorithm>
#include <string_view>

namespace sweepscope::launch {

namespace {

using facts::Code;
using facts::Fact;
using facts::Field;

constexpr std::string_view markOfWaiting = "waiting in ";  // of the built-in worker

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

RankStep readRankStep(const AttemptLayout &layout, const RankProcess &rank)
{
    series::FeedSeries feed({layout.rankFeed(rank.rank), {}, layout.rankIndex(rank.rank)}, series::IndexUse::Read);
    for (;;) {
        const auto records = feed.poll();
        if (!records || *records == 0)
            break;
    }
    RankStep step;
    step.rank = rank.rank;
    for (const series::Series &series : feed.all()) {
        if (!series.empty())
            step.step = std::max(step.step.value_or(series.back().step), series.back().step);
    }
    for (const feed::Event &event : feed.events())
        step.isWaiting |= event.text.starts_with(markOfWaiting) && event.step == step.step.value_or(0);
    const auto stat = process::readProcessStat(rank.identity.pid);
    step.isStopped = rank.alive && stat && (stat->state == 'T' || stat->state == 't');
    return step;
}

std::vector<RankStep> readRankSteps(const AttemptLayout &layout, const std::vector<RankProcess> &ranks)
{
    std::vector<RankStep> steps;
    for (const RankProcess &rank : ranks) {
        if (rank.alive)
            steps.push_back(readRankStep(layout, rank));
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

RankFault describeEarlyExit(const RankStep &left, const std::vector<RankStep> &idle, std::chrono::milliseconds grace,
                            const std::string &lastWords)
{
    std::vector<int> ranks;
    std::vector<int> behind;
    bool waitForLeft = false;
    for (const RankStep &rank : idle) {
        ranks.push_back(rank.rank);
        waitForLeft = waitForLeft || rank.isWaiting || (left.step && rank.step && *rank.step > *left.step);
        // A rank that waits for the other in a step has not reported that step.
        if (left.step && rank.step && *rank.step + 1 < *left.step)
            behind.push_back(rank.rank);
    }
    RankFault fault;
    fault.reason = Fact(Code::ExitedEarly)
                       .with(Field::Rank, left.rank)
                       .with(Field::Seconds, secondsOf(grace))
                       .with(Field::Ranks, listOf(ranks));
    if (!lastWords.empty())
        fault.reason = std::move(fault.reason).with(Field::Detail, lastWords);
    if (behind.size() == 1) {
        const auto rank = std::ranges::find(idle, behind.front(), &RankStep::rank);
        fault.reason = std::move(fault.reason)
                           .dueTo(Fact(Code::RanksBehind)
                                      .with(Field::Step, *rank->step)
                                      .with(Field::Bound, static_cast<double>(*left.step))
                                      .with(Field::Ranks, listOf(behind)));
    }
    if (waitForLeft)
        fault.rank = left.rank;
    else if (behind.size() == 1)
        fault.rank = behind.front();
    else if (ranks.size() == 1)
        fault.rank = ranks.front();
    return fault;
}

}  // namespace sweepscope::launch
