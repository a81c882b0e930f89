#include "ui/models/trialtablemodel.h"

#include "exporting/sweepexport.h"
#include "sweep/trialtime.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweepsummary.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"

#include <QGuiApplication>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int columnsBeforeParameters = 2;
constexpr int columnsAfterParameters = 14;
constexpr int columnsOfMetric = 3;
/// More than these make a table that nobody reads; the others can be chosen.
constexpr std::ptrdiff_t mostUsualMetrics = 6;

/// Not what changes all the time, nor long numbers in which anything can be found.
bool isSearched(TrialTableModel::Column column)
{
    return column <= TrialTableModel::Column::ObjectiveLast || column == TrialTableModel::Column::Devices
           || column == TrialTableModel::Column::Tags;
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
    m_searchTexts.assign(m_trials.size(), {});
    m_metricNames.clear();
    m_metricNames = unknownMetrics(0, static_cast<int>(m_trials.size()) - 1);
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
        forgetSearchTexts(firstRow, lastKnownRow);
        Q_EMIT dataChanged(index(firstRow, 0), index(lastKnownRow, columnCount() - 1));
    }
    if (trials.size() > known) {
        beginInsertRows({}, static_cast<int>(known), static_cast<int>(trials.size()) - 1);
        m_trials.insert(m_trials.end(), trials.begin() + static_cast<std::ptrdiff_t>(known), trials.end());
        m_searchTexts.resize(m_trials.size());
        endInsertRows();
    }
    takeMetrics(firstRow, static_cast<int>(end) - 1);
    updateBest();
}

/// Names in these rows that have no columns yet.
std::vector<std::string> TrialTableModel::unknownMetrics(int firstRow, int lastRow) const
{
    std::vector<std::string> names;
    std::unordered_set<std::string_view> known;  // filled when the first one is not where it is expected
    for (int row = firstRow; row <= lastRow; ++row) {
        const std::vector<sweep::MetricValue> &metrics = trial(row).metrics;
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            if (m_metricNames.size() + names.size() >= exporting::mostMetricNames)
                return names;
            const std::string &name = metrics[i].name;
            // Trials of one sweep report the same in the same order, nearly always.
            const bool isAtItsPlace = (i < m_metricNames.size() && m_metricNames[i] == name)
                                      || (m_metricNames.empty() && i < names.size() && names[i] == name);
            if (isAtItsPlace)
                continue;
            if (known.empty())
                known.insert(m_metricNames.begin(), m_metricNames.end());
            if (known.insert(name).second)
                names.push_back(name);
        }
    }
    return names;
}

bool TrialTableModel::hasMostMetrics() const
{
    return m_metricNames.size() >= exporting::mostMetricNames;
}

void TrialTableModel::takeMetrics(int firstRow, int lastRow)
{
    const std::vector<std::string> names = unknownMetrics(firstRow, lastRow);
    if (names.empty())
        return;
    const int before = columnCount();
    beginInsertColumns({}, before, before + columnsOfMetric * static_cast<int>(names.size()) - 1);
    m_metricNames.insert(m_metricNames.end(), names.begin(), names.end());
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
    forgetSearchTexts(0, last);
    const int column = section(Column::Devices);
    Q_EMIT dataChanged(index(0, column), index(last, column));
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

int TrialTableModel::removedTrials() const
{
    return static_cast<int>(std::ranges::count_if(m_trials, sweep::isRemoved));
}

std::optional<double> TrialTableModel::seconds(const sweep::TrialRecord &trial) const
{
    return sweep::runningSeconds(trial, m_clock());
}

TrialTableModel::Column TrialTableModel::columnKind(int section) const
{
    const auto parameters = static_cast<int>(m_sweep.parameterNames.size());
    if (section < columnsBeforeParameters)
        return static_cast<Column>(section);
    if (section < columnsBeforeParameters + parameters)
        return Column::Parameter;
    if (section >= columnsBeforeMetrics())
        return static_cast<Column>(static_cast<int>(Column::Metric)
                                   + (section - columnsBeforeMetrics()) % columnsOfMetric);
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

const std::string &TrialTableModel::metricName(int section) const
{
    return m_metricNames[static_cast<std::size_t>((section - columnsBeforeMetrics()) / columnsOfMetric)];
}

int TrialTableModel::metricSection(const QString &name, Column which) const
{
    const auto found = std::ranges::find(m_metricNames, name.toStdString());
    return found == m_metricNames.end()
               ? -1
               : section(which) + columnsOfMetric * static_cast<int>(found - m_metricNames.begin());
}

bool TrialTableModel::isUsualMetric(int section) const
{
    const auto tells = [](const std::string &name) { return !sweep::isAboutSteps(name); };
    const std::string &name = metricName(section);
    const auto place = std::ranges::find(m_metricNames, name);
    return columnKind(section) == Column::Metric && tells(name)
           && std::count_if(m_metricNames.begin(), place, tells) < mostUsualMetrics;
}

int TrialTableModel::columnsBeforeMetrics() const
{
    return columnsBeforeParameters + static_cast<int>(m_sweep.parameterNames.size()) + columnsAfterParameters;
}

int TrialTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}

int TrialTableModel::columnCount(const QModelIndex &parent) const
{
    if (parent.isValid())
        return 0;
    return columnsBeforeMetrics() + columnsOfMetric * static_cast<int>(m_metricNames.size());
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

void TrialTableModel::forgetSearchTexts(int firstRow, int lastRow)
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
        if (kind == Column::State)
            return stateIcon(trial.state);
        if (kind == Column::Number)
            return trialSwatch(trial.number);
        if (kind == Column::Star)
            return symbolIcon(trial.mark.starred ? u"starred"_s : u"star"_s,
                              trial.mark.starred ? QPalette::Link : QPalette::Mid);
        if (kind == Column::ObjectiveBest && trial.number == m_best)
            return symbolIcon(u"best"_s, QPalette::Text);
        return {};
    case Qt::AccessibleTextRole:
        if (kind == Column::Star)
            return trial.mark.starred ? tr("Starred") : tr("Not starred");
        return text(trial, index.column());
    case Qt::FontRole:
        if (kind == Column::ObjectiveBest && trial.number == m_best)
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

}  // namespace sweepscope::ui
