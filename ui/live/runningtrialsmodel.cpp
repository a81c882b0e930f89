#include "ui/live/runningtrialsmodel.h"

#include "sweep/trialtime.h"
#include "ui/base/trialheader.h"
#include "ui/models/devicenames.h"
#include "ui/models/reasontext.h"
#include "ui/models/valuetext.h"
#include "ui/plot/axistickers.h"
#include "ui/plot/chart.h"
#include "ui/plot/overviewfeeds.h"
#include "ui/theme/stateappearance.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sweepscope::ui {

namespace {

/// A trial stalls after this time, and the time of this many steps at its rate, without a value.
constexpr double silentSeconds = 10;
constexpr double silentSteps = 20;

bool isBefore(const TrialChoice &a, const TrialChoice &b)
{
    return std::tie(a.sweepId, a.trial) < std::tie(b.sweepId, b.trial);
}

QString roundNumber(double value)
{
    return QString::number(value, value < 10 ? 'g' : 'f', value < 10 ? 2 : 0);
}

bool isSilentAt(const RunningTrial &trial, WallNs now)
{
    if (trial.isUnreachable || trial.state != sweep::TrialState::Running || !trial.pace || !trial.pace->stepsPerSecond)
        return false;
    return toSeconds(now - trial.pace->at) > std::max(silentSeconds, silentSteps / *trial.pace->stepsPerSecond);
}

}  // namespace

std::optional<double> RunningTrial::secondsLeft() const
{
    if (isUnreachable || state == sweep::TrialState::Paused || !pace || !pace->stepsPerSecond || isSilent
        || progress <= 0 || reportedStep <= 0)
        return std::nullopt;
    const double all = static_cast<double>(reportedStep) / progress;
    return std::max(0.0, all - static_cast<double>(step())) / *pace->stepsPerSecond;
}

QString ranksText(int ranks)
{
    return ranks == 1 ? RunningTrialsModel::tr("1 rank") : RunningTrialsModel::tr("%1 ranks").arg(ranks);
}

QString paceText(double stepsPerSecond)
{
    return stepsPerSecond >= 0.95 ? RunningTrialsModel::tr("%1 steps/s").arg(roundNumber(stepsPerSecond))
                                  : RunningTrialsModel::tr("%1 s/step").arg(roundNumber(1 / stepsPerSecond));
}

QString shortPaceText(double stepsPerSecond)
{
    return stepsPerSecond >= 0.95 ? RunningTrialsModel::tr("%1/s").arg(roundNumber(stepsPerSecond))
                                  : RunningTrialsModel::tr("%1 s each").arg(roundNumber(1 / stepsPerSecond));
}

std::vector<RunningTrial> runningTrials(const std::vector<sweep::SweepRecord> &sweeps, const TrialsOfSweep &trials,
                                        const std::vector<protocol::DeviceStatus> &machine, qint64 shownSweep)
{
    std::vector<RunningTrial> running;
    for (const sweep::SweepRecord &sweep : sweeps) {
        if (!sweep::isActive(sweep.state))
            continue;
        for (const sweep::TrialRecord &record : trials(sweep.id)) {
            const bool isHeld = record.state == sweep::TrialState::Paused && record.attempts > 0;
            if (!sweep::isUnderWay(record.state) && !isHeld)
                continue;
            RunningTrial trial;
            trial.trial = {sweep.id, record.number};
            trial.sweepName = QString::fromStdString(sweep.name);
            trial.state = sweep::waitsAsJob(record) ? sweep::TrialState::Queued : record.state;
            trial.ranks = record.ranks;
            trial.devices = devicesText(record.devices, machine);
            trial.shortDevices = shortDevicesText(record.devices, machine);
            trial.parameters = parametersText(record.parameters);
            trial.attempt = record.attempts;
            trial.reportedStep = record.step;
            trial.progress = record.progress;
            trial.isUnreachable = isUnreachable(record.reason);
            running.push_back(std::move(trial));
        }
    }
    std::ranges::sort(running, [](const auto &a, const auto &b) { return isBefore(a.trial, b.trial); });
    const auto isShown = [shownSweep](const RunningTrial &one) { return one.trial.sweepId == shownSweep; };
    if (std::ranges::all_of(running, isShown)) {
        for (RunningTrial &trial : running)
            trial.sweepName.clear();
    }
    return running;
}

void RunningTrialsModel::changed(std::size_t row)
{
    const QModelIndex place = index(static_cast<int>(row));
    Q_EMIT dataChanged(place, place);
}

void RunningTrialsModel::setTrials(std::vector<RunningTrial> trials)
{
    const auto runs = [&trials](const RunningTrial &known) {
        return std::ranges::any_of(trials, [&known](const RunningTrial &one) { return one.trial == known.trial; });
    };
    for (std::size_t row = m_trials.size(); row-- > 0;) {
        if (runs(m_trials[row]))
            continue;
        beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
        m_trials.erase(m_trials.begin() + static_cast<std::ptrdiff_t>(row));
        endRemoveRows();
    }
    for (std::size_t row = 0; row < trials.size(); ++row) {
        RunningTrial &next = trials[row];
        if (row >= m_trials.size() || m_trials[row].trial != next.trial) {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
            m_trials.insert(m_trials.begin() + static_cast<std::ptrdiff_t>(row), std::move(next));
            endInsertRows();
            continue;
        }
        RunningTrial &present = m_trials[row];
        if (present.attempt != next.attempt) {
            present = std::move(next);  // updated from the feeds
            changed(row);
            continue;
        }
        const auto reported = [](const RunningTrial &one) {
            return std::tie(one.sweepName, one.state, one.ranks, one.devices, one.shortDevices, one.parameters,
                            one.reportedStep, one.progress, one.isUnreachable);
        };
        if (reported(present) == reported(next))
            continue;
        std::tie(present.sweepName, present.state, present.ranks, present.devices, present.shortDevices,
                 present.parameters, present.reportedStep, present.progress, present.isUnreachable) = reported(next);
        changed(row);
    }
}

void RunningTrialsModel::setFrame(const PlotFrame &frame, WallNs now)
{
    for (std::size_t row = 0; row < m_trials.size(); ++row) {
        RunningTrial &trial = m_trials[row];
        const QString name = OverviewFeeds::curveName(trial.trial.sweepId, trial.trial.trial);
        const auto curve =
            std::ranges::find_if(frame.main.curves, [&name](const PlotCurve &one) { return one.name == name; });
        if (curve == frame.main.curves.end())
            continue;
        const bool same = trial.pace == curve->pace && trial.series == curve->series
                          && trial.columns.size() == curve->columns.size() && trial.newest == curve->newest;
        if (same)
            continue;
        trial.series = curve->series;
        trial.unit = curve->unit;
        trial.columns = curve->columns;
        trial.newest = curve->newest;
        trial.pace = curve->pace;
        trial.isSilent = isSilentAt(trial, now);
        changed(row);
    }
}

void RunningTrialsModel::setNow(WallNs now)
{
    for (std::size_t row = 0; row < m_trials.size(); ++row) {
        const bool silent = isSilentAt(m_trials[row], now);
        if (std::exchange(m_trials[row].isSilent, silent) != silent)
            changed(row);
    }
}

int RunningTrialsModel::rowOf(const TrialChoice &trial) const
{
    const auto found = std::ranges::find_if(m_trials, [&trial](const auto &one) { return one.trial == trial; });
    return found == m_trials.end() ? -1 : static_cast<int>(found - m_trials.begin());
}

int RunningTrialsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}

QVariant RunningTrialsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const RunningTrial &one = trial(index.row());
    const QString name = tr("Trial %1").arg(one.trial.trial);
    if (role == Qt::DisplayRole)
        return name;
    if (role == Qt::DecorationRole)
        return stateIcon(one.state);
    if (role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    QStringList lines{one.sweepName.isEmpty() ? name : one.sweepName + QStringLiteral(" · ") + name};
    lines.last() += QStringLiteral(" · ") + stateText(one.state);
    if (!one.parameters.isEmpty())
        lines << one.parameters;
    lines << ranksText(one.ranks) + QStringLiteral(" · ") + one.devices;
    QString pace = tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(one.step())));
    if (one.progress > 0)
        pace += QStringLiteral(" · %1%").arg(static_cast<int>(std::floor(one.progress * 100)));
    if (one.isUnreachable)
        pace += QStringLiteral(" · ") + tr("no connection");
    else if (one.state != sweep::TrialState::Paused && one.pace && one.pace->stepsPerSecond)
        pace += QStringLiteral(" · ") + (one.isSilent ? tr("no progress") : paceText(*one.pace->stepsPerSecond));
    if (const auto left = one.secondsLeft())
        pace += QStringLiteral(" · ") + timeLeftText(*left);
    lines << pace;
    if (one.newest)
        lines << panelTitle(one.series) + QLatin1Char(' ')
                     + valueText(*one.newest, displayUnit(one.unit, std::abs(*one.newest)), 4);
    return lines.join(role == Qt::ToolTipRole ? QLatin1Char('\n') : QLatin1Char(','));
}

}  // namespace sweepscope::ui
