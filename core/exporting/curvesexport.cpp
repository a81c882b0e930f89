#include "exporting/sweepexport.h"

#include "base/thincopy.h"
#include "exporting/curvestable.h"
#include "exporting/feedcurves.h"
#include "exporting/outputfile.h"
#include "sweep/trialchain.h"

#include <memory>
#include <string>

namespace sweepscope::exporting {

namespace {

/// The feed of one rank of one attempt.
struct RankFeed {
    RankPlace place;
    AttemptLayout layout;
    const sweep::TrialRecord *record = nullptr;
};

std::vector<RankFeed> rankFeeds(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                const std::vector<sweep::TrialRecord> &trials, const std::set<int> &ranks)
{
    std::vector<RankFeed> feeds;
    for (const sweep::TrialRecord &trial : trials) {
        for (int attempt = 1; attempt <= trial.attempts; ++attempt) {
            const AttemptLayout layout = workspace.attempt(sweep.folder, trial.number, attempt);
            for (int rank = 0; rank < trial.ranks; ++rank) {
                if (ranks.empty() || ranks.contains(rank))
                    feeds.push_back({{trial.number, attempt, rank}, layout, &trial});
            }
        }
    }
    return feeds;
}

/// What is wrong with a feed; empty = nothing. The engine has read rank 0's while it was whole.
std::string damageOf(const FeedCurves &curves, const RankFeed &feed)
{
    const sweep::TrialRecord &trial = *feed.record;
    if (!curves.damage().empty())
        return curves.damage();
    const bool isFollowed = feed.place.rank == 0 && feed.place.attempt == trial.attempts && sweep::isFinal(trial.state);
    if (!isFollowed || curves.lastStep() >= trial.step)
        return {};
    // It may have reported nothing: the step is that of an attempt that it would have continued.
    if (curves.lastStep() == 0 && sweep::chainOf(trial).first != trial.attempts)
        return {};
    return feed.layout.rankFeed(feed.place.rank).string() + " ends at step " + std::to_string(curves.lastStep())
           + ", but the trial reached step " + std::to_string(trial.step) + ": it was truncated";
}

}  // namespace

Expected<void> exportCurves(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                            const std::vector<sweep::TrialRecord> &trials, const std::filesystem::path &file,
                            const Progress &progress, const CurvesChoice &choice)
{
    auto output = OutputFile::create(file);
    if (!output)
        return tl::unexpected(output.error());
    const std::unique_ptr<CurvesTable> table = formatOf(file) == Format::Json ? jsonCurves(output->stream(), sweep.name)
                                                                              : csvCurves(output->stream(), sweep.name);
    const std::vector<RankFeed> feeds = rankFeeds(workspace, sweep, trials, choice.ranks);
    for (const RankFeed &feed : feeds) {
        std::error_code error;
        if (std::filesystem::exists(thinCopyNote(feed.layout.rankFeed(feed.place.rank)), error))
            return makeError(ErrorCode::Unavailable,
                             "only some points of the curves of trial " + std::to_string(feed.place.trial)
                                 + " have been copied from the other machine: fetch all of them on the Live page");
    }
    std::string damage;
    for (std::size_t i = 0; i < feeds.size(); ++i) {
        const RankFeed &feed = feeds[i];
        // Looking through a feed is a quarter of the work, writing it the rest.
        const auto report = [&](double share) {
            return !progress || progress((static_cast<double>(i) + share) / static_cast<double>(feeds.size()));
        };
        FeedCurves curves(feed.layout.rankFeed(feed.place.rank), feed.layout.rankRing(feed.place.rank));
        curves.readOnly(choice.series);
        const auto sink = [&](const FeedCurves::Curve &curve, const feed::Point &point) {
            if (choice.has(point.step, point.timeNs))
                table->point(feed.place, curve.name, point);
        };
        const bool wentOn = report(0.0) && curves.scan([&](double share) { return report(share / 4); })
                            && curves.read(sink, [&](double share) { return report(0.25 + share * 3 / 4); });
        if (!wentOn)
            return makeError(ErrorCode::Unavailable, "the export was canceled; " + file.string() + " was not written");
        for (const feed::Gap &gap : curves.gaps())
            table->gap(feed.place, gap);
        if (const std::string found = damageOf(curves, feed); !found.empty())
            damage += (damage.empty() ? "" : "; ") + found;
    }
    table->end();
    return finish(*output, file, damage, progress);
}

std::vector<std::string> declaredSeries(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                        const sweep::TrialRecord &trial, std::uint64_t mostBytes)
{
    std::vector<std::string> names;
    const sweep::AttemptRange chain = sweep::chainOf(trial);
    for (int attempt = chain.last; attempt >= chain.first && names.empty(); --attempt) {
        const AttemptLayout layout = workspace.attempt(sweep.folder, trial.number, attempt);
        FeedCurves curves(layout.rankFeed(0), layout.rankRing(0));
        curves.scanUpTo(mostBytes);
        for (const FeedCurves::Curve &curve : curves.curves())
            names.push_back(curve.name);
    }
    return names;
}

}  // namespace sweepscope::exporting
