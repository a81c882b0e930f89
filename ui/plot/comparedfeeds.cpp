#include "ui/plot/comparedfeeds.h"

#include "ui/plot/columns.h"
#include "ui/plot/curvenames.h"
#include "ui/plot/groupmedians.h"
#include "ui/theme/trialcolors.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace sweepscope::ui {

using namespace std::chrono_literals;

namespace {

/// Of one frame, for reading.
constexpr auto readingTime = 90ms;
/// Of the first one, which waits for nothing else.
constexpr auto firstReadingTime = 40ms;
/// Of all curves together: 64 bytes each.
constexpr int mostColumns = 700'000;
constexpr int fewestColumns = 64;
/// A curve with at most this many points per column is read in full: then a selection of trials, which has more columns,
/// need not read it again.
constexpr std::size_t fewPoints = 2;
/// Of the medians of groups, if the points of their trials are at too many different places.
constexpr std::size_t mostPlaces = 300;

int columnsOfEach(std::size_t trials, int pixels)
{
    if (trials <= ComparedFeeds::mostOpen)
        return pixels;
    return std::clamp(mostColumns / static_cast<int>(trials), fewestColumns, pixels);
}

/// Returns a step through `count` places that visits each once, and spreads the first ones over all: about the golden
/// section of the count, without a common divisor.
std::size_t spreadingStep(std::size_t count)
{
    constexpr double goldenSection = 0.618;
    auto step = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * goldenSection));
    while (std::gcd(step, count) != 1)
        ++step;
    return step;
}

}  // namespace

bool ComparedFeeds::Question::isOfSameCurve(const Question &other) const
{
    return series == other.series && axis == other.axis && smoothing == other.smoothing;
}

void ComparedFeeds::updateSources(const std::vector<TrialSource> &sources)
{
    std::map<std::pair<qint64, int>, Trial> before = std::exchange(m_aside, {});
    for (Trial &trial : m_trials)
        before.insert_or_assign({trial.source.sweepId, trial.source.trial}, std::move(trial));
    m_trials.clear();
    for (const TrialSource &source : sources) {
        auto kept = before.extract({source.sweepId, source.trial});
        if (!kept || !kept.mapped().source.sameFiles(source)) {
            m_trials.push_back({.source = source});
            m_missing = std::max(m_missing, 1);
            continue;
        }
        Trial &trial = m_trials.emplace_back(std::move(kept.mapped()));
        // There may be more since it was read.
        const bool isIncomplete = trial.names.isEmpty() && (source.hasReported || source.isMirrored);
        if (trial.source.ended != source.ended || isIncomplete)
            trial.isRead = false;
        trial.source = source;
        if (trial.feeds)
            trial.feeds->updateSource(source);
    }
    putAside(before);
}

void ComparedFeeds::putAside(std::map<std::pair<qint64, int>, Trial> &trials)
{
    for (auto &[key, trial] : trials) {
        const bool isOfSweep = !m_trials.empty() && key.first == m_trials.front().source.sweepId;
        if (!isOfSweep || !trial.isRead || trial.hasChanged || trial.source.ended == 0)
            continue;
        trial.feeds.reset();
        m_aside.emplace(key, std::move(trial));
    }
}

bool ComparedFeeds::poll()
{
    bool changed = false;
    for (Trial &trial : m_trials) {
        if (!trial.feeds || !trial.feeds->poll())
            continue;
        trial.hasChanged = changed = true;
    }
    return changed || m_missing > 0;
}

QStringList ComparedFeeds::seriesNames() const
{
    QStringList names;
    std::set<QString> known;
    const QStringList *before = nullptr;
    for (const Trial &trial : m_trials) {
        if (before && trial.names == *before)
            continue;  // as most are
        before = &trial.names;
        for (const QString &name : trial.names) {
            if (known.insert(name).second)
                names.append(name);
        }
    }
    return names;
}

QString ComparedFeeds::chooseSeries(const QString &wanted, const QStringList &names) const
{
    const QString objective = m_trials.empty() ? QString() : QString::fromStdString(m_trials.front().source.objective);
    for (const QString &name : {wanted, objective, QStringLiteral("loss")}) {
        if (!name.isEmpty() && names.contains(name))
            return name;
    }
    return names.isEmpty() ? QString() : names.first();
}

/// Whether a trial's curve is not, or not in full, what the question asks for.
bool ComparedFeeds::isMissing(const Trial &trial, const Question &question) const
{
    if (!trial.isRead || trial.hasChanged || !trial.answered)
        return true;
    if (!trial.names.contains(question.series))
        return false;
    return !trial.answered->isOfSameCurve(question)
           || (!trial.isExact && (trial.answered->part != question.part || trial.answered->columns < question.columns));
}

/// What comes from another machine may still grow.
bool ComparedFeeds::mayClose(const Trial &trial) const
{
    return m_trials.size() > mostOpen && trial.source.ended > 0 && trial.missingBytes == 0
           && !(trial.source.isMirrored && trial.names.isEmpty());
}

void ComparedFeeds::read(Trial &trial) const
{
    if (!trial.feeds) {
        trial.feeds = std::make_unique<TrialFeeds>(trial.source, TrialFeeds::Readings::None);
        while (trial.feeds->poll()) {
        }
    }
    trial.names = trial.feeds->seriesNames();
    trial.isRead = true;
}

void ComparedFeeds::answer(Trial &trial, const Question &question, const PlotRequest &request) const
{
    trial.hasChanged = false;
    trial.answered = question;
    trial.curve = {};
    trial.ends.clear();
    trial.isExact = false;
    if (!trial.names.contains(question.series))
        return;
    PlotRequest own = request;
    own.series = question.series;
    const std::size_t points = trial.feeds->points(question.series.toStdString());
    const bool hasFewPoints = points <= fewPoints * static_cast<std::size_t>(question.columns);
    own.columns = hasFewPoints ? std::max(question.columns, 2 * static_cast<int>(points)) : question.columns;
    own.rankView = RankView::Mean;
    own.charts = {{chosenChart()}};
    own.follow = true;
    const PlotFrame all = trial.feeds->range(own, question.series.toStdString());
    const double start = question.axis == series::XAxis::WallTime ? all.start : 0;
    trial.range = {all.from - start, all.to - start};
    own.follow = !question.part;
    if (question.part) {
        own.from = question.part->first + start;
        own.to = question.part->second + start;
    }
    PlotFrame frame = trial.feeds->frame(own);
    trial.droppedRecords = frame.droppedRecords;
    trial.missingBytes = frame.missingBytes;
    trial.problem = frame.problem;
    trial.unit = frame.main.unit;
    if (frame.main.curves.empty())
        return;
    trial.curve = std::move(frame.main.curves.front());
    moveBy(trial.curve.columns, -start);
    moveBy(trial.curve.raw, -start);
    for (const AttemptEnd &end : frame.main.attemptEnds)
        trial.ends.push_back({end.x - start, end.attempt, std::nullopt});
    trial.isExact = !question.part && trial.curve.columns.size() >= points;
}

PlotFrame ComparedFeeds::frame(const PlotRequest &request)
{
    Question question{{}, request.axis, request.smoothing, columnsOfEach(m_trials.size(), request.columns), {}};
    if (!request.follow)
        question.part = {request.from, request.to};
    QStringList names = seriesNames();
    question.series = chooseSeries(request.series, names);
    const std::size_t step = spreadingStep(std::max<std::size_t>(m_trials.size(), 1));
    const bool isFirstFrame = std::ranges::none_of(m_trials, [](const Trial &trial) { return trial.isRead; });
    const auto end = std::chrono::steady_clock::now() + (isFirstFrame ? firstReadingTime : readingTime);
    for (std::size_t looked = 0; looked < m_trials.size() && std::chrono::steady_clock::now() < end; ++looked) {
        Trial &trial = m_trials[m_next * step % m_trials.size()];
        m_next = (m_next + 1) % m_trials.size();
        if (!isMissing(trial, question))
            continue;
        read(trial);
        const bool knowsMore =
            std::ranges::any_of(trial.names, [&](const QString &name) { return !names.contains(name); });
        if (knowsMore) {
            names = seriesNames();
            const QString better = chooseSeries(request.series, names);
            if (std::exchange(question.series, better) != better)
                looked = 0;  // curves of another series do not count
        }
        answer(trial, question, request);
        if (mayClose(trial))
            trial.feeds.reset();
    }

    PlotFrame frame;
    frame.view = request.view;
    frame.main.isOfTrials = true;
    frame.seriesNames = names;
    frame.main.id = question.series;
    // Smoothed in another way rather than not at all, until it is read again.
    const auto isShown = [&](const Trial &trial) {
        return trial.answered && trial.answered->series == question.series && trial.answered->axis == question.axis
               && !trial.curve.columns.empty();
    };
    bool isFirst = true;
    frame.from = request.from;
    frame.to = request.to;
    for (const Trial &trial : m_trials) {
        if (!request.follow || !isShown(trial))
            continue;
        frame.from = isFirst ? trial.range.first : std::min(frame.from, trial.range.first);
        frame.to = isFirst ? trial.range.second : std::max(frame.to, trial.range.second);
        isFirst = false;
    }
    frame.to = std::max(frame.to, frame.from + 1e-9);
    std::vector<int> colors;
    for (const Trial &trial : m_trials)
        colors.push_back(trial.source.trial);
    colors = distinctColors(colors);
    m_missing = 0;
    std::vector<const Trial *> grouped;
    for (std::size_t i = 0; i < m_trials.size(); ++i) {
        const Trial &trial = m_trials[i];
        m_missing += isMissing(trial, question) ? 1 : 0;
        frame.droppedRecords += trial.droppedRecords;
        if (frame.problem.isEmpty() && !trial.problem.isEmpty())
            frame.problem =
                QCoreApplication::translate("ComparedFeeds", "Trial %1: %2").arg(trial.source.trial).arg(trial.problem);
        if (!isShown(trial))
            continue;
        if (trial.source.groups.empty())
            addCurve(frame, trial, colors[i]);
        else
            grouped.push_back(&trial);
    }
    addMedians(frame, grouped);
    frame.missingCurves = m_missing;
    return frame;
}

/// Below the curves of single trials.
void ComparedFeeds::addMedians(PlotFrame &frame, const std::vector<const Trial *> &trials) const
{
    if (trials.empty())
        return;
    std::map<int, const CurveGroup *> groups;
    std::vector<GroupedCurve> curves;
    for (const Trial *trial : trials) {
        for (const CurveGroup &group : trial->source.groups) {
            groups.emplace(group.place, &group);
            curves.push_back({&trial->curve.columns, group.place});
        }
    }
    const auto count = static_cast<std::size_t>(groups.rbegin()->first) + 1;
    std::vector<GroupMedian> medians = groupMedians(curves, count, frame.from, frame.to, mostPlaces);
    std::vector<PlotCurve> drawn;
    for (const auto &[place, group] : groups) {
        PlotCurve &curve = drawn.emplace_back();
        curve.name = group->name;
        curve.tint = group->color;
        curve.columns = std::move(medians[static_cast<std::size_t>(place)].median);
        curve.band = std::move(medians[static_cast<std::size_t>(place)].band);
        if (!curve.columns.empty())
            curve.newest = curve.columns.back().mean;
        curve.extent = extentOf(curve.columns, curve.raw, frame.from, frame.to);
    }
    frame.main.hasGroups = true;
    frame.main.unit = trials.front()->unit;
    frame.main.curves.insert(frame.main.curves.begin(), std::make_move_iterator(drawn.begin()),
                             std::make_move_iterator(drawn.end()));
}

void ComparedFeeds::addCurve(PlotFrame &frame, const Trial &trial, int color) const
{
    PlotCurve &curve = frame.main.curves.emplace_back(trial.curve);
    curve.name = trialCurveName(trial.source.trial, trial.source.sweepName);
    curve.color = color;
    curve.tint = trial.source.tint;
    curve.isFaint = trial.source.isFaint;
    curve.trial = trial.source.trial;
    curve.sweep = trial.source.sweepId;
    if (trial.source.state == sweep::TrialState::Failed || trial.source.state == sweep::TrialState::Lost)
        curve.state = trial.source.state;
    curve.extent = extentOf(curve.columns, curve.raw, frame.from, frame.to);
    frame.main.unit = trial.unit;
    if (m_trials.size() > mostOpen)
        return;  // the marks would be a thicket
    for (AttemptEnd end : trial.ends) {
        end.color = color;
        frame.main.attemptEnds.push_back(end);
    }
}

QStringList ComparedFeeds::watchedFiles() const
{
    QStringList files;
    for (const Trial &trial : m_trials) {
        if (trial.feeds)
            files += trial.feeds->watchedFiles();
    }
    return files;
}

bool ComparedFeeds::hasRings() const
{
    return std::ranges::any_of(m_trials, [](const Trial &trial) { return trial.feeds && trial.feeds->hasRings(); });
}

}  // namespace sweepscope::ui
