#include "ui/models/trialtablemodel.h"

#include "sweep/outcome.h"
#include "sweep/sweepfile.h"
#include "sweep/trialtime.h"
#include "ui/models/devicenames.h"
#include "ui/models/energytext.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweepsummary.h"
#include "ui/models/valuetext.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"

#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr double secondsPerHour = 3600;

/// Without what the state says already, and what the exception says first: a narrow cell has no room for more. "IndexError: list index out of range (train.py:6)".
QString shortReasonText(const facts::Fact &reason)
{
    using facts::Field;
    if (reason == facts::Fact(facts::Code::Queued))
        return {};  // the column of the state says so
    const std::string error = reason.text(Field::Detail);
    if (reason.code != facts::Code::RankExited || reason.integer(Field::IsError) != 1 || error.empty())
        return reasonText(reason);
    const std::string source = reason.text(Field::Source);
    return QString::fromStdString(source.empty() ? error : error + " (" + source + ')');
}

/// Excludes columns that change all the time, and long numbers that match almost everything.
bool isSearched(TrialTableModel::Column column)
{
    return column <= TrialTableModel::Column::ObjectiveLast || column == TrialTableModel::Column::Devices
           || column == TrialTableModel::Column::Tags;
}

/// The column of the value by which the trial is ranked.
TrialTableModel::Column rankedColumn(const sweep::TrialRecord &trial)
{
    return trial.pointMean ? TrialTableModel::Column::Mean : TrialTableModel::Column::ObjectiveBest;
}

bool isActive(const sweep::TrialRecord &trial)
{
    return sweep::isUnderWay(trial.state) || (trial.state == sweep::TrialState::Paused && trial.attempts > 0);
}

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

/// GPUs by the driver's id, which does not change when others are added or removed.
QString deviceIds(const sweep::TrialRecord &trial)
{
    QStringList devices;
    for (const std::string &device : trial.devices)
        devices << QString::fromStdString(device);
    return devices.join(u'\n');
}

QString joinedTags(const sweep::TrialRecord &trial)
{
    QStringList tags;
    for (const std::string &tag : trial.mark.tags)
        tags << QString::fromStdString(tag);
    return tags.join(u", "_s);
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
    m_spec = sweep::parseSweep(m_sweep.toml).spec;
    m_best = best();
    m_front.clear();
    m_energy = {};
    m_diverged.clear();
    m_searchTexts.assign(m_trials.size(), {});
    m_columns = TrialTableColumns(m_sweep);
    m_columns.addMetrics(m_columns.newMetrics(m_trials));
    endResetModel();
    updateFront();
}

void TrialTableModel::updateTrials(const std::vector<sweep::TrialRecord> &trials, int firstNumber, int lastNumber)
{
    const auto known = std::min(m_trials.size(), trials.size());
    const auto sameRow = [&](std::size_t row) { return m_trials[row].number == trials[row].number; };
    if (trials.size() < m_trials.size() || (known > 0 && (!sameRow(0) || !sameRow(known - 1)))) {
        const launch::SweepEnergy energy = m_energy;
        std::set<int> diverged = m_diverged;
        setSweep(m_sweep, trials);
        setEnergy(energy);
        setDiverged(std::move(diverged));
        return;
    }
    const auto first = std::ranges::lower_bound(trials, firstNumber, {}, &sweep::TrialRecord::number) - trials.begin();
    const auto end = std::ranges::upper_bound(trials, lastNumber, {}, &sweep::TrialRecord::number) - trials.begin();
    const auto firstRow = static_cast<int>(first);
    const auto lastKnownRow = static_cast<int>(std::min(end, static_cast<std::ptrdiff_t>(known))) - 1;
    if (firstRow <= lastKnownRow) {
        std::copy(trials.begin() + firstRow, trials.begin() + lastKnownRow + 1, m_trials.begin() + firstRow);
        clearSearchTexts(firstRow, lastKnownRow);
        Q_EMIT dataChanged(index(firstRow, 0), index(lastKnownRow, columnCount() - 1));
    }
    if (trials.size() > known) {
        beginInsertRows({}, static_cast<int>(known), static_cast<int>(trials.size()) - 1);
        m_trials.insert(m_trials.end(), trials.begin() + static_cast<std::ptrdiff_t>(known), trials.end());
        m_searchTexts.resize(m_trials.size());
        endInsertRows();
    }
    addMetricColumns(firstRow, static_cast<int>(end) - 1);
    updateBest();
}

void TrialTableModel::addMetricColumns(int firstRow, int lastRow)
{
    if (firstRow > lastRow)
        return;
    const auto first = m_trials.begin() + firstRow;
    const auto end = m_trials.begin() + lastRow + 1;
    const std::vector<std::string> names = m_columns.newMetrics({first, end});
    if (names.empty())
        return;
    const int before = columnCount();
    beginInsertColumns({}, before, before + TrialTableColumns::countFor(names) - 1);
    m_columns.addMetrics(names);
    endInsertColumns();
}

void TrialTableModel::setMachine(const std::vector<protocol::DeviceStatus> &machine)
{
    const auto name = [](const protocol::DeviceStatus &device) {
        return std::tuple(device.id, device.index, device.simulated);
    };
    const bool isSame = std::ranges::equal(m_machine, machine, {}, name, name);
    m_machine = machine;
    if (isSame || m_trials.empty())
        return;
    const int last = rowCount() - 1;
    clearSearchTexts(0, last);
    const int column = section(Column::Devices);
    Q_EMIT dataChanged(index(0, column), index(last, column));
}

void TrialTableModel::setEnergy(const launch::SweepEnergy &energy)
{
    if (energy == m_energy)
        return;
    m_energy = energy;
    const int column = section(Column::Energy);
    if (!m_trials.empty())
        Q_EMIT dataChanged(index(0, column), index(rowCount() - 1, column));
}

void TrialTableModel::setDiverged(std::set<int> trials)
{
    if (trials == m_diverged)
        return;
    m_diverged = std::move(trials);
    if (m_trials.empty())
        return;
    const int last = rowCount() - 1;
    clearSearchTexts(0, last);
    const int column = section(Column::State);
    Q_EMIT dataChanged(index(0, column), index(last, column));
}

bool TrialTableModel::isDiverged(const sweep::TrialRecord &trial) const
{
    return (trial.objectiveLast && !std::isfinite(trial.objectiveLast->value)) || m_diverged.contains(trial.number);
}

void TrialTableModel::tick()
{
    const auto first = std::ranges::find_if(m_trials, isActive);
    if (first == m_trials.end())
        return;
    auto last = m_trials.end() - 1;
    while (!isActive(*last))
        --last;
    for (const Column kind : {Column::Duration, Column::DeviceTime}) {
        const int column = section(kind);
        Q_EMIT dataChanged(index(static_cast<int>(first - m_trials.begin()), column),
                           index(static_cast<int>(last - m_trials.begin()), column), {Qt::DisplayRole, RawRole});
    }
}

void TrialTableModel::updateFront()
{
    if (m_spec.objectives.empty())
        return;
    std::vector<const sweep::TrialRecord *> trials;
    trials.reserve(m_trials.size());
    for (const sweep::TrialRecord &trial : m_trials)
        trials.push_back(&trial);
    std::set<int> front = sweep::paretoFront(m_spec, trials);
    if (front == m_front)
        return;
    m_front = std::move(front);
    if (!m_trials.empty())
        Q_EMIT dataChanged(index(0, section(Column::Outcome)), index(rowCount() - 1, section(Column::Outcome)),
                           {Qt::DisplayRole, RawRole});
}

/// A probe has none: its trials are judged by their throughput.
int TrialTableModel::best() const
{
    return m_spec.probe ? 0 : bestTrial(m_trials, m_sweep.goal);
}

void TrialTableModel::updateBest()
{
    updateFront();
    const int before = std::exchange(m_best, best());
    if (before == m_best)
        return;
    for (const int number : {before, m_best}) {
        if (const int row = rowOf(number); row >= 0) {
            const QModelIndex cell = index(row, section(rankedColumn(trial(row))));
            Q_EMIT dataChanged(cell, cell, {Qt::DecorationRole, Qt::FontRole, Qt::ToolTipRole});
        }
    }
}

void TrialTableModel::setCurveColors(const std::map<int, QRgb> &colors)
{
    if (colors == m_curveColors)
        return;
    m_curveColors = colors;
    if (!m_trials.empty()) {
        const int column = section(Column::Number);
        Q_EMIT dataChanged(index(0, column), index(rowCount() - 1, column), {Qt::DecorationRole});
    }
}

/// In the color of the trial's curve. Without a curve it is empty, but as wide, so that numbers stay aligned.
QIcon TrialTableModel::swatchOf(int trial) const
{
    if (m_curveColors.empty())
        return trialSwatch(trial);
    const auto found = m_curveColors.find(trial);
    return colorSwatch(found == m_curveColors.end() ? QColor(Qt::transparent) : QColor(found->second));
}

int TrialTableModel::rowOf(int trialNumber) const
{
    const auto found = std::ranges::lower_bound(m_trials, trialNumber, {}, &sweep::TrialRecord::number);
    return found != m_trials.end() && found->number == trialNumber ? static_cast<int>(found - m_trials.begin()) : -1;
}

int TrialTableModel::removedTrials() const
{
    return static_cast<int>(std::ranges::count_if(m_trials, sweep::isRemoved));
}

std::optional<double> TrialTableModel::seconds(const sweep::TrialRecord &trial) const
{
    return sweep::runningSeconds(trial, m_clock());
}

std::optional<double> TrialTableModel::deviceSeconds(const sweep::TrialRecord &trial) const
{
    const std::optional<double> running = trial.devices.empty() ? std::nullopt : seconds(trial);
    return running ? std::optional(*running * static_cast<double>(trial.devices.size())) : std::nullopt;
}

std::optional<series::Energy> TrialTableModel::energyOf(const sweep::TrialRecord &trial) const
{
    return m_energy.ofTrial(trial.number, trial.attempts);
}

int TrialTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}

int TrialTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_columns.count();
}

const QString &TrialTableModel::searchText(int row) const
{
    QString &text = m_searchTexts[static_cast<std::size_t>(row)];
    if (!text.isNull())
        return text;
    const sweep::TrialRecord &trial = this->trial(row);
    text = u"\n"_s;
    for (int section = 0; section < columnCount(); ++section) {
        const Column kind = columnKind(section);
        if (isSearched(kind))
            text += this->text(trial, section) + u'\n';
    }
    text += reasonText(trial.reason) + u'\n' + QString::fromStdString(trial.mark.note);
    for (const std::string &device : trial.devices)
        text += u'\n' + QString::fromStdString(device);
    text = text.toLower();
    return text;
}

bool TrialTableModel::makeSearchTexts(int most) const
{
    for (std::size_t row = 0; row < m_searchTexts.size(); ++row) {
        if (!m_searchTexts[row].isNull())
            continue;
        if (most-- == 0)
            return true;
        searchText(static_cast<int>(row));
    }
    return false;
}

void TrialTableModel::clearSearchTexts(int firstRow, int lastRow)
{
    std::fill(m_searchTexts.begin() + firstRow, m_searchTexts.begin() + lastRow + 1, QString());
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
        if (kind == Column::State && trial.state == sweep::TrialState::Completed && isDiverged(trial))
            return QIcon(u":/icons/severity-warning.svg"_s);
        if (kind == Column::State)
            return stateIcon(trial);
        if (kind == Column::Number)
            return swatchOf(trial.number);
        if (kind == Column::Star)
            return symbolIcon(trial.mark.starred ? u"starred"_s : u"star"_s,
                              trial.mark.starred ? QPalette::Link : QPalette::Mid);
        if (kind == rankedColumn(trial) && trial.number == m_best)
            return symbolIcon(u"best"_s, QPalette::Text);
        return {};
    case Qt::AccessibleTextRole:
        if (kind == Column::Star)
            return trial.mark.starred ? tr("Starred") : tr("Not starred");
        return text(trial, index.column());
    case Qt::FontRole:
        if (kind == rankedColumn(trial) && trial.number == m_best)
            return emphasisFont(QGuiApplication::font());
        return {};
    case Qt::TextAlignmentRole: {
        if (isWords(kind))
            return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        const bool words = kind == Column::Parameter && raw(trial, index.column()).typeId() == QMetaType::QString;
        return QVariant((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

/// Decides by the first trial that has this parameter: all values have the same kind.
bool TrialTableModel::hasWords(int section) const
{
    const auto has = [&](const sweep::TrialRecord &trial) { return raw(trial, section).isValid(); };
    const auto first = std::ranges::find_if(m_trials, has);
    return first != m_trials.end() && raw(*first, section).typeId() == QMetaType::QString;
}

QVariant TrialTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return m_columns.title(section);
    case Qt::ToolTipRole:
        return m_columns.toolTip(section);
    case Qt::TextAlignmentRole: {
        const Column kind = columnKind(section);
        const bool words = isWords(kind) || (kind == Column::Parameter && hasWords(section));
        return QVariant((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    default:
        return {};
    }
}

QVariant TrialTableModel::raw(const sweep::TrialRecord &trial, int section) const
{
    switch (columnKind(section)) {
    case Column::Number:
        return trial.number;
    case Column::State:
        return static_cast<int>(trial.state);
    case Column::Parameter: {
        const sweep::ParameterValue *value = sweep::find(trial.parameters, m_columns.parameterName(section));
        return value ? toVariant(*value) : QVariant();
    }
    case Column::ObjectiveBest:
        return trial.objectiveBest ? trial.objectiveBest->value : QVariant();
    case Column::Mean:
        return trial.pointMean ? trial.pointMean->value : QVariant();
    case Column::Outcome:
        return outcomeText(trial);
    case Column::DeviceTime: {
        const std::optional<double> time = deviceSeconds(trial);
        return time ? *time / secondsPerHour : QVariant();
    }
    case Column::Energy: {
        const std::optional<series::Energy> energy = energyOf(trial);
        return energy ? energy->joules / series::joulesPerKilowattHour : QVariant();
    }
    case Column::ObjectiveLast:
        return trial.objectiveLast ? trial.objectiveLast->value : QVariant();
    case Column::Duration: {
        const std::optional<double> duration = seconds(trial);
        return duration ? *duration : QVariant();
    }
    case Column::Attempts:
        return trial.attempts;
    case Column::Devices:
        return trial.devices.empty() ? QVariant() : devicesText(trial.devices, m_machine);
    case Column::Cause:
        return trial.reason ? shortReasonText(trial.reason) : QVariant();
    case Column::Star:
        return trial.mark.starred;
    case Column::Tags:
        return trial.mark.tags.empty() ? QVariant() : joinedTags(trial);
    case Column::Note:
        return trial.mark.note.empty() ? QVariant() : QString::fromStdString(trial.mark.note);
    case Column::BestStep:
        return trial.objectiveBest ? QVariant::fromValue<qlonglong>(trial.objectiveBest->step) : QVariant();
    case Column::Step:
        return trial.attempts > 0 ? QVariant::fromValue<qlonglong>(trial.step) : QVariant();
    case Column::Started:
        return trial.started ? QVariant::fromValue<qlonglong>(*trial.started) : QVariant();
    case Column::Ranks:
        return trial.ranks;
    case Column::Seed:
        return QVariant::fromValue<qulonglong>(trial.seed);
    case Column::Choice:
        return trial.chosen ? reasonText(trial.chosen) : QVariant();
    case Column::Metric:
    case Column::MetricLow:
    case Column::MetricHigh:
        return metricValue(trial, section);
    }
    return {};
}

/// Invalid if the trial has not reported the metric, or only NaN.
QVariant TrialTableModel::metricValue(const sweep::TrialRecord &trial, int section) const
{
    const sweep::MetricValue *metric = sweep::find(trial.metrics, m_columns.metricName(section));
    if (metric == nullptr)
        return {};
    const Column kind = columnKind(section);
    const double range = kind == Column::MetricLow ? metric->lowest : metric->highest;
    return kind == Column::Metric ? QVariant(metric->last) : std::isnan(range) ? QVariant() : QVariant(range);
}

QString TrialTableModel::metricToolTip(const sweep::TrialRecord &trial, int section) const
{
    const sweep::MetricValue *metric = sweep::find(trial.metrics, m_columns.metricName(section));
    if (metric == nullptr)
        return tr("This trial has not reported %1").arg(QString::fromStdString(m_columns.metricName(section)));
    const QString last = tr("%1 at step %L2").arg(exactText(metric->last)).arg(metric->step);
    return std::isnan(metric->lowest)
               ? last
               : tr("%1\nmin %2, max %3").arg(last, exactText(metric->lowest), exactText(metric->highest));
}

QString TrialTableModel::text(const sweep::TrialRecord &trial, int section) const
{
    switch (columnKind(section)) {
    case Column::State:
        return isDiverged(trial) ? tr("%1, diverged").arg(stateText(trial)) : stateText(trial);
    case Column::Parameter: {
        const sweep::ParameterValue *value = sweep::find(trial.parameters, m_columns.parameterName(section));
        return value ? parameterText(*value) : u"–"_s;
    }
    case Column::ObjectiveBest:
        return trial.objectiveBest ? numberText(trial.objectiveBest->value) : u"–"_s;
    case Column::Outcome:
        return outcomeText(trial);
    case Column::Mean:
        return trial.pointMean ? meanText(trial.pointMean->value, trial.pointMean->error, trial.pointMean->runs)
                               : u"–"_s;
    case Column::DeviceTime: {
        const std::optional<double> time = deviceSeconds(trial);
        return time ? durationText(*time) : u"–"_s;
    }
    case Column::Energy: {
        const std::optional<series::Energy> energy = energyOf(trial);
        return energy ? energyText(energy->joules) : u"–"_s;
    }
    case Column::ObjectiveLast:
        return trial.objectiveLast ? numberText(trial.objectiveLast->value) : u"–"_s;
    case Column::Duration: {
        const std::optional<double> duration = seconds(trial);
        return duration ? durationText(*duration) : u"–"_s;
    }
    case Column::Cause:
        return shortReasonText(trial.reason);
    case Column::Note:
        return QString::fromStdString(trial.mark.note).section(QLatin1Char('\n'), 0, 0);
    case Column::BestStep:
        return trial.objectiveBest ? QLocale().toString(static_cast<qlonglong>(trial.objectiveBest->step)) : u"–"_s;
    case Column::Step:
        return trial.attempts > 0 ? QLocale().toString(static_cast<qlonglong>(trial.step)) : u"–"_s;
    case Column::Started:
        return trial.started ? dateTimeText(*trial.started) : u"–"_s;
    case Column::Star:
        return {};
    case Column::Metric:
    case Column::MetricLow:
    case Column::MetricHigh: {
        const QVariant value = metricValue(trial, section);
        return value.isValid() ? numberText(value.toDouble()) : u"–"_s;
    }
    case Column::Number:
    case Column::Attempts:
    case Column::Devices:
    case Column::Tags:
    case Column::Ranks:
    case Column::Seed:
    case Column::Choice:
        break;
    }
    return raw(trial, section).toString();
}

QString TrialTableModel::outcomeText(const sweep::TrialRecord &trial) const
{
    return m_front.contains(trial.number) ? tr("Pareto front")
           : trial.violation > 0          ? tr("violates a constraint")
                                          : QString();
}

QString TrialTableModel::energyToolTip(const sweep::TrialRecord &trial) const
{
    if (const std::optional<series::Energy> energy = energyOf(trial))
        return sentenceText(methodText(energy->method));
    return trial.attempts > 0 ? tr("Unknown while the trial runs, or if its devices were not measured") : QString();
}

QString TrialTableModel::durationToolTip(const sweep::TrialRecord &trial)
{
    if (!trial.started)
        return {};
    const QString start = dateTimeText(trial.attemptStarted.value_or(*trial.started));
    const QString span =
        trial.ended ? tr("%1 to %2").arg(start, dateTimeText(*trial.ended)) : tr("Since %1").arg(start);
    return trial.attempts > 1 ? tr("Attempt %1: %2\nFirst attempt started %3")
                                    .arg(trial.attempts)
                                    .arg(span, dateTimeText(*trial.started))
                              : span;
}

QString TrialTableModel::toolTip(const sweep::TrialRecord &trial, int section) const
{
    const auto atStep = [](const std::optional<sweep::ObjectiveValue> &objective) {
        return objective ? tr("%1 at step %L2").arg(exactText(objective->value)).arg(objective->step) : QString();
    };
    switch (columnKind(section)) {
    case Column::Number:
        return tr("Trial %1, ranks: %2, seed: %3").arg(trial.number).arg(trial.ranks).arg(trial.seed);
    case Column::Parameter: {
        const sweep::ParameterValue *value = sweep::find(trial.parameters, m_columns.parameterName(section));
        return value ? exactText(*value)
                     : tr("This trial has no %1").arg(QString::fromStdString(m_columns.parameterName(section)));
    }
    case Column::ObjectiveBest: {
        const QString best = atStep(trial.objectiveBest);
        return trial.number == m_best ? tr("%1\nBest of this sweep").arg(best) : best;
    }
    case Column::Outcome:
        return trial.violation > 0 ? tr("Violates a constraint on results") : QString();
    case Column::Mean:
        return trial.pointMean ? tr("%1 of %Ln completed trial(s)", nullptr, trial.pointMean->runs)
                                     .arg(exactText(trial.pointMean->value))
                               : QString();
    case Column::ObjectiveLast:
        return atStep(trial.objectiveLast);
    case Column::Duration:
        return durationToolTip(trial);
    case Column::Energy:
        return energyToolTip(trial);
    case Column::State:
    case Column::Cause:
        return reasonText(trial.reason);
    case Column::Choice:
        return reasonText(trial.chosen);
    case Column::Devices:
        return deviceIds(trial);
    case Column::Star:
        return trial.mark.starred ? tr("Click to remove the star") : tr("Click to star");
    case Column::Note:
        return QString::fromStdString(trial.mark.note);
    case Column::Tags:
        return joinedTags(trial);
    case Column::Metric:
    case Column::MetricLow:
    case Column::MetricHigh:
        return metricToolTip(trial, section);
    case Column::Attempts:
    case Column::BestStep:
    case Column::Step:
    case Column::Started:
    case Column::Ranks:
    case Column::Seed:
    case Column::DeviceTime:
        return {};
    }
    return {};
}

}  // namespace sweepscope::ui
