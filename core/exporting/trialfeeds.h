#pragma once

#include "base/workspacelayout.h"
#include "exporting/curvestable.h"
#include "exporting/feedcurves.h"
#include "sweep/records.h"

#include <set>
#include <string>
#include <vector>

namespace sweepscope::exporting {

/// The feed of one rank of one attempt.
struct RankFeed {
    RankPlace place;
    AttemptLayout layout;
    const sweep::TrialRecord *record = nullptr;
};

/// The feeds of all attempts of these trials, in the order trial, attempt, rank. `ranks`: only these; empty: all.
std::vector<RankFeed> rankFeeds(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                const std::vector<sweep::TrialRecord> &trials, const std::set<int> &ranks = {});

/// Unavailable if one of the feeds is a copy that has only some of the points.
Expected<void> checkCopies(const std::vector<RankFeed> &feeds);

/// Returns what is wrong with a feed, or nothing. The engine knows how far the feed of rank 0 went.
std::string damageOf(const FeedCurves &curves, const RankFeed &feed);

/// Adds one problem to a list of problems.
void addDamage(std::string &damage, const std::string &found);

}  // namespace sweepscope::exporting
