#include "rankreports.h"

#include "series/feedseries.h"

#include <algorithm>
#include <filesystem>

namespace sweepscope::ctl {

namespace {

constexpr std::size_t mostEvents = 20;

std::vector<std::string> tracesIn(const std::filesystem::path &folder)
{
    std::vector<std::string> traces;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with("trace-rank-") && name.ends_with(".json"))
            traces.push_back(entry->path().string());
    }
    std::ranges::sort(traces);
    return traces;
}

void addEvents(std::vector<RankEvent> &events, const AttemptLayout &files, int rank)
{
    series::FeedSeries feed({files.rankFeed(rank), files.rankRing(rank), files.rankIndex(rank)},
                            series::IndexUse::Read);
    for (Expected<std::uint64_t> read = feed.poll(); read && *read > 0; read = feed.poll()) {
    }
    for (const feed::Event &event : feed.events()) {
        using Kind = feed::EventKind;
        if (event.kind == Kind::Message || event.kind == Kind::Warning || event.kind == Kind::Error)
            events.push_back({rank, event});
    }
}

}  // namespace

RankReports readRankReports(const AttemptLayout &files, int ranks)
{
    RankReports reports{tracesIn(files.folder), {}};
    for (int rank = 0; rank < ranks; ++rank)
        addEvents(reports.events, files, rank);
    std::vector<RankEvent> &events = reports.events;
    std::ranges::stable_sort(events, {}, [](const RankEvent &reported) { return reported.event.timeNs; });
    if (events.size() > mostEvents)
        events.erase(events.begin(), events.end() - static_cast<std::ptrdiff_t>(mostEvents));
    return reports;
}

}  // namespace sweepscope::ctl
