#include "ui/plot/overviewfeeds.h"

#include <algorithm>

namespace sweepscope::ui {

QString OverviewFeeds::curveName(qint64 sweepId, int trial)
{
    return QStringLiteral("%1/%2").arg(sweepId).arg(trial);
}

void OverviewFeeds::updateSources(const std::vector<TrialSource> &sources)
{
    std::map<Key, TrialFeeds> before = std::exchange(m_trials, {});
    for (const TrialSource &source : sources) {
        const Key key{source.sweepId, source.trial};
        auto kept = before.extract(key);
        if (kept && kept.mapped().source().sameFiles(source)) {
            kept.mapped().updateSource(source);
            m_trials.insert(std::move(kept));
        } else {
            m_trials.try_emplace(key, source);
        }
    }
}

bool OverviewFeeds::poll()
{
    bool changed = false;
    for (auto &[key, trial] : m_trials)
        changed |= trial.poll();
    return changed;
}

PlotFrame OverviewFeeds::frame(const PlotRequest &request)
{
    PlotFrame frame;
    frame.view = request.view;
    frame.main.isOfTrials = true;
    PlotRequest each = request;
    each.follow = true;
    each.rankView = RankView::Mean;
    each.charts = {{chosenChart()}};
    for (auto &[key, trial] : m_trials) {
        // The curve does not show pauses between attempts.
        each.axis = trial.source().continuesOthers() ? series::XAxis::Step : series::XAxis::WallTime;
        PlotFrame own = trial.frame(each);
        if (own.main.curves.empty())
            continue;  // nothing reported yet
        PlotCurve curve = std::move(own.main.curves.front());
        curve.name = curveName(key.first, key.second);
        curve.color = key.second - 1;  // so that rankColor() returns trialColor() of the trial
        curve.series = own.main.id;
        curve.unit = own.main.unit;
        curve.pace = trial.pace();
        frame.main.curves.push_back(std::move(curve));
    }
    return frame;
}

QStringList OverviewFeeds::watchedFiles() const
{
    QStringList files;
    for (const auto &[key, trial] : m_trials)
        files += trial.watchedFiles();
    return files;
}

bool OverviewFeeds::hasRings() const
{
    return std::ranges::any_of(m_trials, [](const auto &trial) { return trial.second.hasRings(); });
}

}  // namespace sweepscope::ui
