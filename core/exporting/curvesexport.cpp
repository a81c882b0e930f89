#include "exporting/sweepexport.h"

#include "exporting/curvestable.h"
#include "exporting/feedcurves.h"
#include "exporting/outputfile.h"
#include "exporting/trialfeeds.h"
#include "sweep/trialchain.h"

#include <memory>
#include <string>

namespace sweepscope::exporting {

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
    if (auto whole = checkCopies(feeds); !whole)
        return whole;
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
        addDamage(damage, damageOf(curves, feed));
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
