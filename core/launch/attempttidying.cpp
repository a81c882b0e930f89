#include "launch/attempttidying.h"

#include "base/folderentries.h"
#include "feed/feedreader.h"
#include "feed/logpacking.h"
#include "launch/agentmessage.h"
#include "launch/outputrequest.h"
#include "series/feedseries.h"

#include <charconv>
#include <filesystem>
#include <set>
#include <string>
#include <sys/resource.h>
#include <system_error>

namespace sweepscope::launch {

namespace {

/// Completes the index. If the disk is full or another process writes the index, readers use the log instead.
void completeIndex(const AttemptLayout &layout, int rank)
{
    series::FeedSeries feed({layout.rankFeed(rank), {}, layout.rankIndex(rank)}, series::IndexUse::Build);
    while (feed.poll().value_or(0) > 0) {
    }
    feed.save();
}

/// Compresses the log. If that is impossible, the log stays as it is; readers handle both.
void packLog(const std::filesystem::path &log)
{
    const auto packed = feed::packLog(log);
    if (!packed && packed.error().code != ErrorCode::Unsupported && packed.error().code != ErrorCode::NotFound)
        logWarning(packed.error().message);
}

/// Checks whether a feed has records after its preamble.
struct Reported final : public feed::RecordVisitor {
    bool anything = false;
    void series(const feed::SeriesDeclaration &) override { anything = true; }
    void point(const feed::Point &) override { anything = true; }
    void event(const feed::Event &) override { anything = true; }
    void gap(const feed::Gap &) override { anything = true; }
};

/// Returns false also if the log cannot be read.
bool isWithoutRecords(const std::filesystem::path &log)
{
    Reported reported;
    feed::FeedReader reader(log, {});
    return reader.poll(reported).has_value() && !reader.damage() && !reported.anything;
}

void removeIfEmpty(const std::filesystem::path &file)
{
    std::error_code error;
    if (std::filesystem::file_size(file, error) == 0 && !error)
        std::filesystem::remove(file, error);
}

/// With 19, an agent gets so little of a core that is shared with a few ranks or compilers that it stays for minutes.
constexpr int niceness = 10;

/// Finds the ranks by their files.
std::set<int> ranksOf(const AttemptLayout &layout)
{
    constexpr std::string_view prefix = "rank-";
    std::set<int> ranks;
    for (const auto &entry : entriesOf(layout.ofRanks())) {
        const std::string name = entry.path().filename().string();
        int rank = 0;
        if (!name.starts_with(prefix))
            continue;
        const char *const number = name.data() + prefix.size();
        const auto read = std::from_chars(number, name.data() + name.size(), rank);
        if (read.ec == std::errc() && read.ptr != number && *read.ptr == '.' && rank >= 0)
            ranks.insert(rank);
    }
    return ranks;
}

}  // namespace

void tidyAttempt(const AttemptLayout &layout, std::optional<RankRange> ranks)
{
    ::setpriority(PRIO_PROCESS, 0, niceness);
    std::error_code error;
    for (const int rank : ranksOf(layout)) {
        if (ranks && (rank < ranks->first || rank > ranks->last))
            continue;
        removeIfEmpty(layout.rankLog(rank));
        if (!std::filesystem::exists(layout.rankFeed(rank), error)
            || std::filesystem::is_symlink(layout.rankRing(rank), error))
            continue;
        if (isWithoutRecords(layout.rankFeed(rank))) {
            std::filesystem::remove(layout.rankFeed(rank), error);
            std::filesystem::remove(layout.rankIndex(rank), error);
            continue;
        }
        completeIndex(layout, rank);
        packLog(layout.rankFeed(rank));
    }
    packLog(layout.hostFeed());
    std::filesystem::remove(layout.parametersFile(), error);  // launch.json contains them
    std::filesystem::remove(layout.folder / outputRequestFile, error);
    removeIfEmpty(layout.agentLog());
}

}  // namespace sweepscope::launch
