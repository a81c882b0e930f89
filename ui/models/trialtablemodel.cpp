#include "ui/models/trialtablemodel.h"

#include "ui/models/sweepsummary.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"

#include <QGuiApplication>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int columnsBeforeParameters = 2;
constexpr int columnsAfterParameters = 6;

QVariant toVariant(const sweep::ParameterValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return QVariant::fromValue<qlonglong>(*whole);
    if (const auto *number = std::get_if<double>(&value))
        return *number;
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag;
    return QString::fromStdString(std::get<std::string>(value));
}

QString joinedDevices(const sweep::TrialRecord &trial)
{
    QStringList devices;
    for (const std::string &device : trial.devices)
        devices << QString::fromStdString(device);
    return devices.join(u", "_s);
}

bool isActive(const sweep::TrialRecord &trial)
{
    return sweep::isUnderWay(trial.state) || (trial.state == sweep::TrialState::Paused && trial.attempts > 0);
}

}  // namespace

TrialTableModel::TrialTableModel(WallClock clock, QObject *parent)
    : QAbstractTableModel(parent), m_clock(std::move(clock))
{}

void TrialTableModel::setSweep(const sweep::SweepRecord &sweep, std::vector<sweep::TrialRecord> trials)
{
    beginResetModel();
    m_sweep = sweep;
    m_trials = std::move(trials);
    m_best = bestTrial(m_trials, m_sweep.goal);
    endResetModel();
}

void TrialTableModel::updateTrials(const std::vector<sweep::TrialRecord> &trials, int firstNumber, int lastNumber)
{
    const auto known = std::min(m_trials.size(), trials.size());
    const auto sameRow = [&](std::size_t row) { return m_trials[row].number == trials[row].number; };
    if (trials.size() < m_trials.size() || (known > 0 && (!sameRow(0) || !sameRow(known - 1)))) {
        setSweep(m_sweep, trials);
        return;
    }
    const auto first = std::ranges::lower_bound(trials, firstNumber, {}, &sweep::TrialRecord::number) - trials.begin();
    const auto end = std::ranges::upper_bound(trials, lastNumber, {}, &sweep::TrialRecord::number) - trials.begin();
    const auto firstRow = static_cast<int>(first);
    const auto lastKnownRow = static_cast<int>(std::min(end, static_cast<std::ptrdiff_t>(known))) - 1;
    if (firstRow <= lastKnownRow) {
        std::copy(trials.begin() + firstRow, trials.begin() + lastKnownRow + 1, m_trials.begin() + firstRow);
        Q_EMIT dataChanged(index(firstRow, 0), index(lastKnownRow, columnCount() - 1));
    }
    if (trials.size() > known) {
        beginInsertRows({}, static_cast<int>(known), static_cast<int>(trials.size()) - 1);
        m_trials.insert(m_trials.end(), trials.begin() + static_cast<std::ptrdiff_t>(known), trials.end());
        endInsertRows();
    }
    updateBest();
}

void TrialTableModel::tick()
{
    const auto first = std::ranges::find_if(m_trials, isActive);
    if (first == m_trials.end())
        return;
    auto last = m_trials.end() - 1;
    while (!isActive(*last))
        --last;
    const int column = section(Column::Duration);
    Q_EMIT dataChanged(index(static_cast<int>(first - m_trials.begin()), column),
                       index(static_cast<int>(last - m_trials.begin()), column), {Qt::DisplayRole, RawRole});
}

void TrialTableModel::updateBest()
{
    const int before = std::exchange(m_best, bestTrial(m_trials, m_sweep.goal));
    if (before == m_best)
        return;
    for (const int number : {before, m_best}) {
        if (const int row = rowOf(number); row >= 0) {
            const QModelIndex cell = index(row, section(Column::ObjectiveBest));
            Q_EMIT dataChanged(cell, cell, {Qt::DecorationRole, Qt::FontRole, Qt::ToolTipRole});
        }
    }
}

int TrialTableModel::rowOf(int trialNumber) const
{
    const auto found = std::ranges::lower_bound(m_trials, trialNumber, {}, &sweep::TrialRecord::number);
    return found != m_trials.end() && found->number == trialNumber ? static_cast<int>(found - m_trials.begin()) : -1;
}

std::optional<double> TrialTableModel::seconds(const sweep::TrialRecord &trial) const
{
    const std::optional<WallNs> began = trial.attemptStarted ? trial.attemptStarted : trial.started;
    if (!began)
        return std::nullopt;
    if (trial.ended)
        return toSeconds(*trial.ended - *began);
    if (isActive(trial))
        return std::max(0.0, toSeconds(m_clock() - *began));
    return std::nullopt;
}

TrialTableModel::Column TrialTableModel::columnKind(int section) const
{
    const auto parameters = static_cast<int>(m_sweep.parameterNames.size());
    if (section < columnsBeforeParameters)
        return static_cast<Column>(section);
    if (section < columnsBeforeParameters + parameters)
        return Column::Parameter;
    return static_cast<Column>(static_cast<int>(Column::ObjectiveBest) + section - columnsBeforeParameters
                               - parameters);
}

int TrialTableModel::section(Column column) const
{
    const auto place = static_cast<int>(column);
    if (column <= Column::Parameter)
        return place;
    return place - 1 + static_cast<int>(m_sweep.parameterNames.size());
}

int TrialTableModel::parameterSection(const QString &name) const
{
    const auto found = std::ranges::find(m_sweep.parameterNames, name.toStdString());
    return found == m_sweep.parameterNames.end()
               ? -1
               : columnsBeforeParameters + static_cast<int>(found - m_sweep.parameterNames.begin());
}

const std::string &TrialTableModel::parameterName(int section) const
{
    return m_sweep.parameterNames[static_cast<std::size_t>(section - columnsBeforeParameters)];
}

int TrialTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}

int TrialTableModel::columnCount(const QModelIndex &parent) const
{
    if (parent.isValid())
        return 0;
    return columnsBeforeParameters + static_cast<int>(m_sweep.parameterNames.size()) + columnsAfterParameters;
}

QVariant TrialTableModel::raw(const sweep::TrialRecord &trial, int section) const
{
    switch (columnKind(section)) {
    case Column::Number:
        return trial.number;
    case Column::State:
        return static_cast<int>(trial.state);
    case Column::Parameter: {
        const sweep::ParameterValue *value = sweep::find(trial.parameters, parameterName(section));
        return value ? toVariant(*value) : QVariant();
    }
    case Column::ObjectiveBest:
        return trial.objectiveBest ? trial.objectiveBest->value : QVariant();
    case Column::ObjectiveLast:
        return trial.objectiveLast ? trial.objectiveLast->value : QVariant();
    case Column::Duration: {
        const std::optional<double> duration = seconds(trial);
        return duration ? *duration : QVariant();
    }
    case Column::Attempts:
        return trial.attempts;
    case Column::Devices:
        return trial.devices.empty() ? QVariant() : joinedDevices(trial);
    case Column::Cause:
        return trial.cause.empty() ? QVariant() : QString::fromStdString(trial.cause);
    }
    return {};
}

QString TrialTableModel::text(const sweep::TrialRecord &trial, int section) const
{
    switch (columnKind(section)) {
    case Column::State:
        return stateText(trial.state);
    case Column::Parameter: {
        const sweep::ParameterValue *value = sweep::find(trial.parameters, parameterName(section));
        return value ? parameterText(*value) : u"–"_s;
    }
    case Column::ObjectiveBest:
        return trial.objectiveBest ? numberText(trial.objectiveBest->value) : u"–"_s;
    case Column::ObjectiveLast:
        return trial.objectiveLast ? numberText(trial.objectiveLast->value) : u"–"_s;
    case Column::Duration: {
        const std::optional<double> duration = seconds(trial);
        return duration ? durationText(*duration) : u"–"_s;
    }
    case Column::Cause:
        return QString::fromStdString(trial.cause).section(QLatin1Char('\n'), 0, 0);
    case Column::Number:
    case Column::Attempts:
    case Column::Devices:
        break;
    }
    return raw(trial, section).toString();
}

QString TrialTableModel::durationToolTip(const sweep::TrialRecord &trial)
{
    if (!trial.started)
        return {};
    const QString start = dateTimeText(trial.attemptStarted.value_or(*trial.started));
    const QString span =
        trial.ended ? tr("%1 to %2").arg(start, dateTimeText(*trial.ended)) : tr("Since %1").arg(start);
    return trial.attempts > 1 ? tr("Attempt %1: %2\nThe first one began %3")
                                    .arg(trial.attempts)
                                    .arg(span, dateTimeText(*trial.started))
                              : span;
}

QString TrialTableModel::toolTip(const sweep::TrialRecord &trial, int section) const
{
    const auto atStep = [](const std::optional<sweep::ObjectiveValue> &objective) {
        return objective ? tr("%1 at step %2").arg(exactText(objective->value)).arg(objective->step) : QString();
    };
    switch (columnKind(section)) {
    case Column::Number:
        return tr("Trial %1, ranks: %2, seed: %3").arg(trial.number).arg(trial.ranks).arg(trial.seed);
    case Column::Parameter: {
        const sweep::ParameterValue *value = sweep::find(trial.parameters, parameterName(section));
        return value ? exactText(*value)
                     : tr("This trial does not have %1").arg(QString::fromStdString(parameterName(section)));
    }
    case Column::ObjectiveBest: {
        const QString best = atStep(trial.objectiveBest);
        return trial.number == m_best ? tr("%1\nThe best of this sweep").arg(best) : best;
    }
    case Column::ObjectiveLast:
        return atStep(trial.objectiveLast);
    case Column::Duration:
        return durationToolTip(trial);
    case Column::State:
    case Column::Cause:
        return QString::fromStdString(trial.cause);
    case Column::Attempts:
        return {};
    case Column::Devices:
        return joinedDevices(trial);
    }
    return {};
}

QVariant TrialTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const sweep::TrialRecord &trial = this->trial(index.row());
    const Column kind = columnKind(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(trial, index.column());
    case RawRole:
        return raw(trial, index.column());
    case StateRole:
        return static_cast<int>(trial.state);
    case ProgressRole:
        return isActive(trial) ? trial.progress : QVariant();
    case Qt::ToolTipRole:
        return toolTip(trial, index.column());
    case Qt::DecorationRole:
        if (kind == Column::State)
            return stateIcon(trial.state);
        if (kind == Column::ObjectiveBest && trial.number == m_best)
            return symbolIcon(u"best"_s, QPalette::Text);
        return {};
    case Qt::FontRole:
        if (kind == Column::ObjectiveBest && trial.number == m_best)
            return emphasisFont(QGuiApplication::font());
        return {};
    case Qt::TextAlignmentRole: {
        if (kind == Column::State || kind == Column::Devices || kind == Column::Cause)
            return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        const bool words = kind == Column::Parameter && raw(trial, index.column()).typeId() == QMetaType::QString;
        return QVariant((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

QVariant TrialTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column kind = columnKind(section);
    if (role == Qt::TextAlignmentRole) {
        const bool left = kind == Column::State || kind == Column::Devices || kind == Column::Cause;
        return QVariant((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    const QString objective = QString::fromStdString(m_sweep.objective);
    const QString goal = m_sweep.goal == sweep::Goal::Minimize ? tr("lower is better") : tr("higher is better");
    if (role == Qt::ToolTipRole) {
        switch (kind) {
        case Column::ObjectiveBest:
            return tr("Best value of %1 so far (%2)").arg(objective, goal);
        case Column::ObjectiveLast:
            return tr("Newest value of %1").arg(objective);
        case Column::Duration:
            return tr("Of the last attempt");
        case Column::Attempts:
            return tr("Attempts started so far");
        case Column::Cause:
            return tr("Why a trial waits, failed, was stopped or lost");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (kind) {
    case Column::Number:
        return tr("Trial");
    case Column::State:
        return tr("State");
    case Column::Parameter:
        return QString::fromStdString(parameterName(section));
    case Column::ObjectiveBest:
        return objective.isEmpty() ? tr("Best") : tr("Best %1").arg(objective);
    case Column::ObjectiveLast:
        return tr("Last");
    case Column::Duration:
        return tr("Duration");
    case Column::Attempts:
        return tr("Attempts");
    case Column::Devices:
        return tr("Devices");
    case Column::Cause:
        return tr("Why");
    }
    return {};
}

}  // namespace sweepscope::ui
