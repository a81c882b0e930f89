#include "ui/live/comparedfeeds.h"

#include "ui/live/columns.h"
#include "ui/theme/trialcolors.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

ComparedFeeds::ComparedFeeds(const std::vector<TrialSource> &sources)
{
    for (const TrialSource &source : sources)
        m_trials.emplace_back(source);
}

void ComparedFeeds::updateSources(const std::vector<TrialSource> &sources)
{
    for (std::size_t i = 0; i < std::min(sources.size(), m_trials.size()); ++i)
        m_trials[i].updateSources({sources[i]});
}

bool ComparedFeeds::poll()
{
    bool changed = false;
    for (TrialFeeds &trial : m_trials)
        changed |= trial.poll();
    return changed;
}

QString ComparedFeeds::chooseSeries(const QString &wanted, const QStringList &names) const
{
    const QString objective =
        m_trials.empty() ? QString() : QString::fromStdString(m_trials.front().source().objective);
    for (const QString &name : {wanted, objective, QStringLiteral("loss")}) {
        if (!name.isEmpty() && names.contains(name))
            return name;
    }
    return names.isEmpty() ? QString() : names.first();
}

PlotFrame ComparedFeeds::frame(const PlotRequest &request)
{
    PlotFrame frame;
    frame.view = request.view;
    frame.main.isOfTrials = true;
    for (const TrialFeeds &trial : m_trials) {
        for (const QString &name : trial.seriesNames()) {
            if (!frame.seriesNames.contains(name))
                frame.seriesNames.append(name);
        }
    }
    frame.main.id = chooseSeries(request.series, frame.seriesNames);
    frame.from = request.from;
    frame.to = request.to;

    // Find the start of each trial, and the range of all.
    std::vector<double> starts;
    bool isFirst = true;
    for (const TrialFeeds &trial : m_trials) {
        const PlotFrame range = trial.range(request, frame.main.id.toStdString());
        const double start = request.axis == series::XAxis::WallTime ? range.start : 0;
        starts.push_back(start);
        if (!request.follow || !trial.seriesNames().contains(frame.main.id))
            continue;
        frame.from = isFirst ? range.from - start : std::min(frame.from, range.from - start);
        frame.to = isFirst ? range.to - start : std::max(frame.to, range.to - start);
        isFirst = false;
    }
    PlotRequest each = request;
    each.series = frame.main.id;
    each.rankView = RankView::Mean;
    each.charts = {{chosenChart()}};
    each.follow = false;
    each.from = frame.from;
    each.to = std::max(frame.to, frame.from + 1e-9);
    frame.to = each.to;
    std::vector<int> numbers;
    for (const TrialFeeds &trial : m_trials)
        numbers.push_back(trial.source().trial);
    const std::vector<int> colors = distinctColors(numbers);
    for (std::size_t i = 0; i < m_trials.size(); ++i)
        addCurve(frame, m_trials[i], each, starts[i], colors[i]);
    return frame;
}

void ComparedFeeds::addCurve(PlotFrame &frame, TrialFeeds &trial, PlotRequest request, double start, int color) const
{
    request.from += start;
    request.to += start;
    PlotFrame own = trial.frame(request);
    frame.droppedRecords += own.droppedRecords;
    if (frame.problem.isEmpty() && !own.problem.isEmpty())
        frame.problem =
            QCoreApplication::translate("ComparedFeeds", "Trial %1: %2").arg(trial.source().trial).arg(own.problem);
    if (own.main.id != frame.main.id || own.main.curves.empty())
        return;  // does not report this series
    PlotCurve curve = std::move(own.main.curves.front());
    moveBy(curve.columns, -start);
    moveBy(curve.raw, -start);
    curve.name = QCoreApplication::translate("ComparedFeeds", "trial %1").arg(trial.source().trial);
    curve.color = color;
    curve.extent = extentOf(curve.columns, curve.raw, frame.from, frame.to);
    for (AttemptEnd &end : own.main.attemptEnds)
        frame.main.attemptEnds.push_back({end.x - start, end.attempt, curve.color});
    frame.main.unit = own.main.unit;
    frame.main.curves.push_back(std::move(curve));
}

QStringList ComparedFeeds::watchedFiles() const
{
    QStringList files;
    for (const TrialFeeds &trial : m_trials)
        files += trial.watchedFiles();
    return files;
}

bool ComparedFeeds::hasRings() const
{
    return std::ranges::any_of(m_trials, [](const TrialFeeds &trial) { return trial.hasRings(); });
}

}  // namespace sweepscope::ui
