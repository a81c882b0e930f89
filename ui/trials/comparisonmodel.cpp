#include "ui/trials/comparisonmodel.h"

#include "exporting/sweepexport.h"
#include "sweep/failuregroups.h"
#include "sweep/trialtime.h"
#include "ui/models/reasontext.h"
#include "ui/models/sweepsummary.h"
#include "ui/models/usualgoal.h"
#include "ui/models/valuetext.h"
#include "ui/plot/axistickers.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/trialcolors.h"
#include "wording/failuretitle.h"

#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

/// With the same number of decimals, if their sizes allow it.
QStringList textsOf(const std::vector<std::optional<double>> &values)
{
    constexpr int digits = 5;
    std::vector<double> known;
    for (const std::optional<double> &value : values) {
        if (value)
            known.push_back(*value);
    }
    const std::optional<int> decimals = commonDecimals(known, {}, digits);
    QStringList texts;
    for (const std::optional<double> &value : values)
        texts << (!value ? u"–"_s : decimals ? valueText(*value, {}, digits, decimals) : numberText(*value));
    return texts;
}

}  // namespace

ComparisonModel::ComparisonModel(WallClock clock, QObject *parent)
    : QAbstractTableModel(parent), m_clock(std::move(clock))
{}

void ComparisonModel::setTrials(const sweep::SweepRecord &sweep, std::vector<sweep::TrialRecord> trials,
                                const std::map<int, QRgb> &tints, const std::vector<KeptTrial> &kept, int bestOfSweep)
{
    beginResetModel();
    m_sweep = sweep;
    m_trials = std::move(trials);
    m_origins.assign(m_trials.size(), {sweep.id, {}, true});
    m_parameters = sweep.parameterNames;
    for (const auto &[trial, other, tint] : kept) {
        m_trials.push_back(trial);
        m_origins.push_back({other->id, u"%1 #%2"_s.arg(QString::fromStdString(other->name)).arg(other->id),
                             other->objective == sweep.objective && other->goal == sweep.goal});
        for (const std::string &name : other->parameterNames) {
            if (std::ranges::find(m_parameters, name) == m_parameters.end())
                m_parameters.push_back(name);
        }
    }
    std::vector<int> numbers;
    for (const sweep::TrialRecord &trial : m_trials)
        numbers.push_back(trial.number);
    const std::vector<int> colors = distinctColors(numbers);
    m_swatches.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::optional<QRgb> color;
        const std::size_t own = numbers.size() - kept.size();
        if (i >= own)
            color = kept[i - own].tint;
        else if (const auto tint = tints.find(numbers[i]); tint != tints.end())
            color = tint->second;
        m_swatches.push_back(color ? colorSwatch(QColor(*color)) : colorSwatch(colors[i]));
    }
    m_rows.clear();
    m_equal.clear();
    m_equalParameters = 0;
    if (!m_trials.empty()) {
        addParameters();  // the differences are what the user asked for
        m_equalParameters = static_cast<std::size_t>(m_equal.size());
        addResults(bestOfSweep);
        addMetrics(false);
        addMetrics(true);  // metrics of single steps come last
    }
    endResetModel();
}

void ComparisonModel::addResults(int bestOfSweep)
{
    const QString objective = QString::fromStdString(m_sweep.objective);
    Row state{.title = tr("State"), .texts = {}, .toolTips = {}};
    Row best{.title = tr("Best %1").arg(objective), .texts = {}, .toolTips = {}};
    Row last{.title = tr("Last %1").arg(objective), .texts = {}, .toolTips = {}};
    Row duration{.title = tr("Duration"), .texts = {}, .toolTips = {}};
    std::vector<std::optional<double>> bestValues;
    std::vector<std::optional<double>> lastValues;
    std::optional<std::size_t> winner;
    for (std::size_t i = 0; i < m_trials.size(); ++i) {
        const bool counts = m_origins[i].isComparable && sweep::mayBeBest(m_trials[i]);
        if (counts && (!winner || sweep::isBetter(m_trials[i], m_trials[*winner], m_sweep.goal)))
            winner = i;
    }
    for (std::size_t i = 0; i < m_trials.size(); ++i) {
        const sweep::TrialRecord &trial = m_trials[i];
        const bool has = m_origins[i].isComparable;  // otherwise its values are of another metric
        const auto value = [has](const std::optional<sweep::ObjectiveValue> &one) {
            return has && one ? std::optional(one->value) : std::nullopt;
        };
        const auto at = [has](const std::optional<sweep::ObjectiveValue> &one) {
            return has && one ? tr("%1 at step %L2").arg(exactText(one->value)).arg(one->step) : QString();
        };
        state.texts << stateText(trial);
        state.toolTips << reasonText(trial.reason);
        if (winner == i)
            best.best = static_cast<int>(i);
        const bool isOwn = m_origins[i].name.isEmpty();
        if (isOwn && bestOfSweep > 0 && trial.number == bestOfSweep)
            best.trophy = static_cast<int>(i);
        bestValues.push_back(value(trial.objectiveBest));
        best.toolTips << at(trial.objectiveBest);
        if (winner == i)
            best.toolTips.back() += best.trophy == best.best ? tr(", best of the sweep") : tr(", best of these trials");
        lastValues.push_back(value(trial.objectiveLast));
        last.toolTips << at(trial.objectiveLast);
        const std::optional<double> seconds = sweep::runningSeconds(trial, m_clock());
        duration.texts << (seconds ? durationText(*seconds) : u"–"_s);
        duration.toolTips << QString();
    }
    state.isState = true;
    best.texts = textsOf(bestValues);
    last.texts = textsOf(lastValues);
    m_rows.push_back(std::move(state));
    addReasons();
    for (Row *row : {&best, &last, &duration})
        m_rows.push_back(std::move(*row));
}

void ComparisonModel::addMetrics(bool aboutSteps)
{
    for (const std::string &name : exporting::metricNames(m_trials)) {
        if (sweep::isAboutSteps(name) != aboutSteps)
            continue;
        // A parameter may have the same name.
        Row row{.title = tr("Last %1").arg(QString::fromStdString(name)), .texts = {}, .toolTips = {}};
        QStringList exact;
        std::vector<std::optional<double>> values;
        for (const sweep::TrialRecord &trial : m_trials) {
            const sweep::MetricValue *metric = sweep::find(trial.metrics, name);
            values.push_back(metric ? std::optional(metric->last) : std::nullopt);
            exact << (metric ? exactText(metric->last) : QString());
            row.toolTips << (metric ? tr("%1 at step %L2; min %3, max %4")
                                          .arg(exactText(metric->last))
                                          .arg(metric->step)
                                          .arg(exactText(metric->lowest), exactText(metric->highest))
                                    : QString());
        }
        row.texts = textsOf(values);
        markBest(row, name);
        addRow(std::move(row), exact);
    }
}

void ComparisonModel::markBest(Row &row, const std::string &metric)
{
    const std::optional<sweep::Goal> goal = usualGoal(QString::fromStdString(metric));
    std::optional<double> best;
    bool hasWorse = false;
    for (std::size_t i = 0; goal && i < m_trials.size(); ++i) {
        const sweep::MetricValue *value = sweep::find(m_trials[i].metrics, metric);
        if (value == nullptr || !std::isfinite(value->last))
            continue;
        const bool isBetter = best && (*goal == sweep::Goal::Minimize ? value->last < *best : value->last > *best);
        hasWorse = hasWorse || (best && value->last != *best);
        if (!best || isBetter) {
            best = value->last;
            row.best = static_cast<int>(i);
        }
    }
    if (hasWorse)
        row.toolTips[row.best] += tr(", best of these trials");
    else
        row.best = -1;
}

/// Why trials failed or were stopped, if any did.
void ComparisonModel::addReasons()
{
    Row row{.title = tr("Reason"), .texts = {}, .toolTips = {}, .isWords = true};
    for (const sweep::TrialRecord &trial : m_trials) {
        const QString reason = reasonText(trial.reason);
        const std::vector<sweep::FailureGroup> failure = sweep::failureGroups({trial});
        row.texts << (failure.empty() ? reason : QString::fromStdString(wording::failureTitle(failure.front().cause)));
        row.toolTips << reason;
    }
    if (std::ranges::any_of(row.texts, [](const QString &text) { return !text.isEmpty(); }))
        m_rows.push_back(std::move(row));
}

void ComparisonModel::addRow(Row row, const QStringList &exact)
{
    const bool isEqual = std::ranges::all_of(exact, [&](const QString &one) { return one == exact.front(); });
    if (isEqual)
        m_equal << u"%1 %2"_s.arg(row.title, row.texts.front());
    if (!isEqual || !m_isOnlyDifferences)
        m_rows.push_back(std::move(row));
}

void ComparisonModel::addParameters()
{
    for (const std::string &name : m_parameters) {
        Row row{.title = QString::fromStdString(name), .texts = {}, .toolTips = {}};
        QStringList exact;
        for (const sweep::TrialRecord &trial : m_trials) {
            const sweep::ParameterValue *value = sweep::find(trial.parameters, name);
            row.texts << (value ? parameterText(*value) : u"–"_s);
            exact << (value ? exactText(*value) : QString());
        }
        row.toolTips = exact;
        addRow(std::move(row), exact);
    }
}

int ComparisonModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparisonModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}

QVariant ComparisonModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.texts[index.column()];
    case Qt::ToolTipRole:
        return row.toolTips[index.column()];
    case Qt::FontRole:
        return row.best == index.column() ? emphasisFont(QGuiApplication::font()) : QVariant();
    case Qt::DecorationRole:
        if (row.isState)
            return stateIcon(m_trials[static_cast<std::size_t>(index.column())].state);
        return row.trophy == index.column() ? symbolIcon(u"best"_s, QPalette::Text) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant((row.isState || row.isWords ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return (role == Qt::DisplayRole || role == Qt::ToolTipRole) && section < rowCount()
                   ? m_rows[static_cast<std::size_t>(section)].title
                   : QVariant();
    if (section >= columnCount())
        return {};
    const int number = m_trials[static_cast<std::size_t>(section)].number;
    const QString &origin = m_origins[static_cast<std::size_t>(section)].name;
    if (role == Qt::DisplayRole)
        return origin.isEmpty() ? tr("Trial %1").arg(number) : tr("%1 · trial %2").arg(origin).arg(number);
    if (role == Qt::ToolTipRole && !origin.isEmpty())
        return tr("Trial %1 of %2").arg(number).arg(origin);
    if (role == Qt::DecorationRole)
        return m_swatches[static_cast<std::size_t>(section)];
    return {};
}

}  // namespace sweepscope::ui
