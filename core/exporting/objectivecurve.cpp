#include "exporting/objectivecurve.h"

#include "exporting/feedcurves.h"
#include "exporting/pointthinner.h"
#include "exporting/trialfeeds.h"
#include "sweep/trialchain.h"

#include <deque>
#include <set>

namespace sweepscope::exporting {

std::optional<ObjectiveCurve> objectiveCurve(const WorkspaceLayout &workspace, const sweep::SweepRecord &sweep,
                                             const sweep::TrialRecord &trial, std::uint64_t mostPoints,
                                             const Progress &progress)
{
    const sweep::AttemptRange chain = sweep::chainOf(trial);
    ObjectiveCurve result;
    std::deque<FeedCurves> attempts;
    std::uint64_t total = 0;
    const auto share = [&](double done) { return !progress || progress(done); };
    const std::vector<sweep::TrialRecord> trials{trial};
    for (const RankFeed &feed : rankFeeds(workspace, sweep, trials, std::set<int>{0})) {
        if (!chain.contains(feed.place.attempt))
            continue;
        FeedCurves &curves = attempts.emplace_back(feed.layout.rankFeed(0), feed.layout.rankRing(0));
        curves.readOnly({sweep.objective});
        if (!curves.scan([&](double done) { return share(done / 2); }))
            return std::nullopt;
        addDamage(result.damage, damageOf(curves, feed));
        for (const FeedCurves::Curve &curve : curves.curves())
            total += curve.name == sweep.objective ? curve.points : 0;
    }
    PointThinner thinner(total, mostPoints, [&result](const feed::Point &point) { result.points.push_back(point); });
    for (FeedCurves &curves : attempts) {
        const auto add = [&thinner](const FeedCurves::Curve &, const feed::Point &point) { thinner.add(point); };
        if (!curves.read(add, [&](double done) { return share(0.5 + done / 2); }))
            return std::nullopt;
    }
    thinner.end();
    return result;
}

}  // namespace sweepscope::exporting
