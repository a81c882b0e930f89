#include "ui/plot/chartfeeds.h"

#include "ui/plot/columns.h"

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

namespace {

/// Returns the offset of a pinned trial's curves on the axis of the shown trial, which begins at `start`.
double offsetOf(const TrialFeeds &pinned, double start, const PlotRequest &request)
{
    return request.axis == series::XAxis::WallTime && request.relative ? start - pinned.startSeconds() : 0;
}

}  // namespace

ChartFeeds::ChartFeeds(const std::vector<TrialSource> &sources) : m_shown(sources.front())
{
    updateSources(sources);
}

void ChartFeeds::updateSources(const std::vector<TrialSource> &sources)
{
    m_shown.updateSource(sources.front());
    std::deque<TrialFeeds> before = std::exchange(m_pinned, {});
    for (std::size_t i = 1; i < sources.size(); ++i) {
        const auto kept =
            std::ranges::find_if(before, [&](const TrialFeeds &one) { return one.source().sameFiles(sources[i]); });
        if (kept == before.end()) {
            m_pinned.emplace_back(sources[i]);
        } else {
            m_pinned.push_back(std::move(*kept));
            m_pinned.back().updateSource(sources[i]);
            before.erase(kept);
        }
    }
}

bool ChartFeeds::poll()
{
    bool changed = m_shown.poll();
    for (TrialFeeds &trial : m_pinned)
        changed |= trial.poll();
    return changed;
}

TrialFeeds *ChartFeeds::pinned(const TrialChoice &trial)
{
    const auto found = std::ranges::find_if(m_pinned, [&trial](const TrialFeeds &one) {
        return one.source().sweepId == trial.sweepId && one.source().trial == trial.trial;
    });
    return found == m_pinned.end() ? nullptr : &*found;
}

/// A following view includes the whole pinned trials.
PlotRequest ChartFeeds::forAll(const PlotRequest &request) const
{
    if (!request.follow || m_pinned.empty())
        return request;
    PlotRequest all = request;
    const std::string series = m_shown.shownSeries(request);
    const PlotFrame shown = m_shown.range(request, series);
    all.follow = false;
    all.from = shown.from;
    all.to = shown.to;
    for (const TrialFeeds &trial : m_pinned) {
        const PlotFrame range = trial.range(request, series);
        const double offset = offsetOf(trial, shown.start, request);
        all.from = std::min(all.from, range.from + offset);
        all.to = std::max(all.to, range.to + offset);
    }
    return all;
}

void ChartFeeds::addPinned(std::vector<PlotPanel> &panels, const Chart &chart, const PlotFrame &frame,
                           const PlotRequest &request)
{
    TrialFeeds *trial = pinned(chart.pinned);
    if (!trial)
        return;
    const double offset = offsetOf(*trial, frame.start, request);
    PlotFrame own;
    own.from = frame.from - offset;
    own.to = frame.to - offset;
    std::optional<PlotPanel> panel = trial->panel(chart, own, request);
    if (!panel)
        return;
    for (PlotCurve &curve : panel->curves) {
        for (auto *columns : {&curve.columns, &curve.raw, &curve.stack})
            moveBy(*columns, offset);
        curve.extent = extentOf(curve.columns, curve.raw, frame.from, frame.to);
    }
    moveBy(panel->band, offset);
    for (AttemptEnd &end : panel->attemptEnds)
        end.x += offset;
    panels.push_back(std::move(*panel));
}

PlotFrame ChartFeeds::frame(const PlotRequest &request)
{
    const PlotRequest all = forAll(request);
    PlotFrame frame = m_shown.frame(all);
    if (m_pinned.empty())
        return frame;
    std::vector<PlotPanel> panels;
    for (const QString &id : chartsOf(request.charts)) {
        const Chart chart = Chart::fromId(id);
        if (chart.isPinned()) {
            addPinned(panels, chart, frame, all);
            continue;
        }
        const auto own = std::ranges::find_if(frame.strips, [&id](const PlotPanel &panel) { return panel.id == id; });
        if (own != frame.strips.end())
            panels.push_back(std::move(*own));
    }
    frame.strips = std::move(panels);
    for (TrialFeeds &trial : m_pinned)
        trial.endFrame();
    return frame;
}

QStringList ChartFeeds::watchedFiles() const
{
    QStringList files = m_shown.watchedFiles();
    for (const TrialFeeds &trial : m_pinned)
        files += trial.watchedFiles();
    files.removeDuplicates();
    return files;
}

bool ChartFeeds::hasRings() const
{
    return m_shown.hasRings()
           || std::ranges::any_of(m_pinned, [](const TrialFeeds &trial) { return trial.hasRings(); });
}

}  // namespace sweepscope::ui
