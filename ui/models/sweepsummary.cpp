#include "ui/models/sweepsummary.h"

#include "sweep/metricvalue.h"
#include "sweep/trialtime.h"
#include "ui/theme/stateappearance.h"
#include "wording/failuretitle.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

struct SweepSummaryWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::SweepSummary)
};

bool isBetter(double value, double than, sweep::Goal goal)
{
    return goal == sweep::Goal::Minimize ? value < than : value > than;
}

constexpr std::size_t mostPoints = 120;  ///< of a small curve

std::vector<double> courseOfBest(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal)
{
    std::vector<std::pair<WallNs, double>> ends;
    for (const sweep::TrialRecord &trial : trials) {
        if (trial.ended && sweep::mayBeBest(trial) && std::isfinite(trial.objectiveBest->value))
            ends.emplace_back(*trial.ended, *sweep::rankedValue(trial));
    }
    std::ranges::sort(ends);
    std::vector<double> course;
    const std::size_t stride = (ends.size() + mostPoints - 1) / mostPoints;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const double value = ends[i].second;
        const double before = i > 0 ? ends[i - 1].second : value;
        ends[i].second = isBetter(value, before, goal) ? value : before;
        if (i % stride == 0 || i + 1 == ends.size())
            course.push_back(ends[i].second);
    }
    return course;
}

/// Whether the sweep runs, but none of its trials, because their devices are in use. Between two trials there is no
/// such reason.
bool isHeldUp(const sweep::SweepRecord &sweep, const SweepSummary &summary)
{
    return sweep.state == sweep::SweepState::Running && summary.running == 0 && summary.waiting > 0
           && sweep.held.has_value();
}

/// A probe is judged by its throughput.
bool hasNoResult(const SweepSummary &summary)
{
    return summary.lacksObjective && !summary.isProbe && !summary.isRun;
}

}  // namespace

int bestTrial(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal)
{
    const sweep::TrialRecord *best = nullptr;
    for (const sweep::TrialRecord &trial : trials) {
        if (sweep::mayBeBest(trial) && (!best || sweep::isBetter(trial, *best, goal)))
            best = &trial;
    }
    return best ? best->number : 0;
}

namespace {

constexpr qsizetype mostReported = 6;

QStringList reportedBy(const std::vector<sweep::TrialRecord> &trials)
{
    QStringList names;
    for (const sweep::TrialRecord &trial : trials) {
        for (const sweep::MetricValue &metric : trial.metrics) {
            const QString name = QString::fromStdString(metric.name);
            if (names.size() < mostReported && !sweep::isBookkeeping(metric.name) && !names.contains(name))
                names << name;
        }
        if (names.size() == mostReported)
            break;
    }
    return names;
}

}  // namespace

SweepSummary summarize(const sweep::SweepRecord &sweep, const std::vector<sweep::TrialRecord> &trials, int concurrent,
                       WallNs now)
{
    SweepSummary summary;
    summary.total = std::max(sweep.trialsTotal, static_cast<int>(trials.size())) + sweep.trialsToCome.value_or(0);
    summary.hasNoEnd = !sweep.trialsToCome;
    double shares = 0;
    for (const sweep::TrialRecord &trial : trials) {
        if (sweep::isRemoved(trial)) {
            --summary.total;
            continue;
        }
        switch (trial.state) {
        case sweep::TrialState::Queued:
            ++summary.waiting;
            break;
        case sweep::TrialState::Starting:
        case sweep::TrialState::Running:
            ++summary.running;
            summary.inQueue += sweep::waitsAsJob(trial) ? 1 : 0;
            shares += std::isfinite(trial.progress) ? std::clamp(trial.progress, 0.0, 1.0) : 0.0;
            break;
        case sweep::TrialState::Paused:
            ++summary.paused;
            shares += std::isfinite(trial.progress) ? std::clamp(trial.progress, 0.0, 1.0) : 0.0;
            break;
        case sweep::TrialState::Completed:
            ++summary.completed;
            break;
        case sweep::TrialState::Pruned:
            ++summary.pruned;
            break;
        case sweep::TrialState::Failed:
        case sweep::TrialState::Lost:
            ++summary.failed;
            break;
        case sweep::TrialState::Stopped:
            ++summary.stopped;
            break;
        }
    }
    if (summary.failed > 0)
        summary.failures = sweep::failureGroups(trials);
    if (summary.total > 0)
        summary.progress = (summary.ended() + shares) / summary.total;
    summary.bestTrial = bestTrial(trials, sweep.goal);
    if (summary.bestTrial != 0) {
        const auto best = std::ranges::find(trials, summary.bestTrial, &sweep::TrialRecord::number);
        summary.best = best->objectiveBest;
        summary.best->value = *sweep::rankedValue(*best);
        summary.bestMean = best->pointMean;
    }
    summary.lacksObjective = summary.completed > 0 && std::ranges::none_of(trials, [](const sweep::TrialRecord &trial) {
                                 return trial.objectiveLast.has_value();
                             });
    if (summary.lacksObjective)
        summary.reported = reportedBy(trials);
    summary.bestSoFar = courseOfBest(trials, sweep.goal);
    if (sweep.state == sweep::SweepState::Running)
        summary.secondsLeft = sweep::estimateSecondsLeft(sweep, trials, std::max(concurrent, 1), now);
    return summary;
}

int trialToShow(const std::vector<sweep::TrialRecord> &trials, sweep::Goal goal)
{
    const sweep::TrialRecord *running = nullptr;
    const sweep::TrialRecord *ended = nullptr;
    for (const sweep::TrialRecord &trial : trials) {
        const bool runs = trial.state == sweep::TrialState::Running || trial.state == sweep::TrialState::Starting;
        if (runs && (!running || trial.started.value_or(0) >= running->started.value_or(0)))
            running = &trial;
        if (trial.ended && (!ended || *trial.ended >= *ended->ended))
            ended = &trial;
    }
    if (running)
        return running->number;
    if (const int best = bestTrial(trials, goal); best != 0)
        return best;
    if (ended)
        return ended->number;
    return trials.empty() ? 0 : trials.front().number;
}

QIcon stateIcon(const sweep::SweepRecord &sweep, const SweepSummary &summary)
{
    if (sweep.state == sweep::SweepState::Completed && (summary.failed > 0 || hasNoResult(summary)))
        return QIcon(QStringLiteral(":/icons/severity-warning.svg"));
    return isHeldUp(sweep, summary) ? stateIcon(sweep::TrialState::Queued) : stateIcon(sweep.state);
}

QString stateText(const sweep::SweepRecord &sweep, const SweepSummary &summary)
{
    QString text = isHeldUp(sweep, summary) ? stateText(sweep::TrialState::Queued) : stateText(sweep.state);
    if (sweep.state != sweep::SweepState::Failed && summary.failed > 0 && !summary.isRun)
        text = SweepSummaryWords::tr("%1, %L2 failed").arg(text).arg(summary.failed);
    else if (sweep.state == sweep::SweepState::Completed && hasNoResult(summary))
        text = SweepSummaryWords::tr("%1, no %2").arg(text, QString::fromStdString(sweep.objective));
    return sweep.archived ? SweepSummaryWords::tr("%1, archived").arg(text) : text;
}

QString failuresText(const SweepSummary &summary)
{
    constexpr std::size_t most = 48;
    if (summary.failures.empty())
        return {};
    const QString first = QString::fromStdString(wording::failureTitle(summary.failures.front().cause, most));
    if (summary.failures.size() == 1)
        return first;
    const std::size_t others = summary.failures.size() - 1;
    return others == 1 ? SweepSummaryWords::tr("%1, and 1 other cause").arg(first)
                       : SweepSummaryWords::tr("%1, and %L2 other causes").arg(first).arg(others);
}

namespace {

QString progressOfRun(const SweepSummary &summary)
{
    constexpr int percent = 100;
    return summary.running + summary.paused == 0 || summary.progress <= 0
               ? QString()
               : SweepSummaryWords::tr("%1%").arg(static_cast<int>(summary.progress * percent));
}

}  // namespace

QString completedText(const SweepSummary &summary)
{
    if (summary.isRun)
        return progressOfRun(summary);
    QString text = QLocale().toString(summary.completed);
    if (!summary.hasNoEnd)
        text = SweepSummaryWords::tr("%1 of %L2").arg(text).arg(summary.total);
    return summary.pruned == 0 ? text : SweepSummaryWords::tr("%1, %L2 pruned").arg(text).arg(summary.pruned);
}

QString countsText(const SweepSummary &summary)
{
    if (summary.isRun)
        return progressOfRun(summary);
    QStringList parts;
    if (summary.hasNoEnd)
        parts << SweepSummaryWords::tr("%Ln completed", nullptr, summary.completed);
    else if (summary.total == 1)
        parts << SweepSummaryWords::tr("%L1 of 1 trial completed").arg(summary.completed);
    else
        parts << SweepSummaryWords::tr("%L1 of %L2 trials completed").arg(summary.completed).arg(summary.total);
    if (summary.running > summary.inQueue)
        parts << SweepSummaryWords::tr("%Ln running", nullptr, summary.running - summary.inQueue);
    if (summary.inQueue > 0)
        parts << SweepSummaryWords::tr("%Ln in Slurm's queue", nullptr, summary.inQueue);
    if (summary.paused > 0)
        parts << SweepSummaryWords::tr("%Ln paused", nullptr, summary.paused);
    if (summary.failed > 0)
        parts << SweepSummaryWords::tr("%Ln failed", nullptr, summary.failed);
    if (summary.pruned > 0)
        parts << SweepSummaryWords::tr("%Ln pruned", nullptr, summary.pruned);
    if (summary.stopped > 0)
        parts << SweepSummaryWords::tr("%Ln stopped", nullptr, summary.stopped);
    return parts.join(u", "_s);
}

}  // namespace sweepscope::ui
