#include "exporting/trialfeeds.h"

#include "base/thincopy.h"
#include "sweep/trialchain.h"

#include <system_error>

namespace sweepscope::exporting {

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

Expected<void> checkCopies(const std::vector<RankFeed> &feeds)
{
    for (const RankFeed &feed : feeds) {
        std::error_code error;
        if (std::filesystem::exists(thinCopyNote(feed.layout.rankFeed(feed.place.rank)), error))
            return makeError(ErrorCode::Unavailable,
                             "only some points of the curves of trial " + std::to_string(feed.place.trial)
                                 + " have been copied from the other machine: fetch all of them on the Live page");
    }
    return {};
}

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

void addDamage(std::string &damage, const std::string &found)
{
    if (!found.empty())
        damage += (damage.empty() ? "" : "; ") + found;
}

}  // namespace sweepscope::exporting
