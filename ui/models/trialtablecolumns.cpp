// What the columns of the table of trials are called: to people, in settings and in files.
#include "exporting/sweepexport.h"
#include "ui/models/trialtablemodel.h"

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

bool TrialTableModel::isWords(Column column)
{
    return column == Column::State || column == Column::Devices || column == Column::Cause || column == Column::Star
           || column == Column::Tags || column == Column::Note;
}

/// As the first trial that has this parameter: they are all of one kind.
bool TrialTableModel::hasWords(int section) const
{
    const auto has = [&](const sweep::TrialRecord &trial) { return raw(trial, section).isValid(); };
    const auto first = std::ranges::find_if(m_trials, has);
    return first != m_trials.end() && raw(*first, section).typeId() == QMetaType::QString;
}

QString TrialTableModel::columnId(int section) const
{
    switch (columnKind(section)) {
    case Column::Number:
        return u"trial"_s;
    case Column::State:
        return u"state"_s;
    case Column::Parameter:
        return u"parameter."_s + QString::fromStdString(parameterName(section));
    case Column::ObjectiveBest:
        return u"best"_s;
    case Column::ObjectiveLast:
        return u"last"_s;
    case Column::Duration:
        return u"duration"_s;
    case Column::Attempts:
        return u"attempts"_s;
    case Column::Devices:
        return u"devices"_s;
    case Column::Cause:
        return u"why"_s;
    case Column::Star:
        return u"star"_s;
    case Column::Tags:
        return u"tags"_s;
    case Column::Note:
        return u"note"_s;
    case Column::BestStep:
        return u"best-step"_s;
    case Column::Step:
        return u"step"_s;
    case Column::Started:
        return u"started"_s;
    case Column::Ranks:
        return u"ranks"_s;
    case Column::Seed:
        return u"seed"_s;
    case Column::Metric:
    case Column::MetricLow:
    case Column::MetricHigh:
        return QString::fromStdString(exportColumns(section).front());
    }
    return {};
}

std::vector<std::string> TrialTableModel::exportColumns(int section) const
{
    switch (columnKind(section)) {
    case Column::Parameter:
        return {exporting::parameterColumn(parameterName(section))};
    case Column::ObjectiveBest:
        return {"objective", "objective_best"};
    case Column::ObjectiveLast:
        return {"objective", "objective_last"};
    case Column::Duration:
        return {"seconds"};
    case Column::Devices:
        return {"devices", "simulated"};
    case Column::Cause:
        return {"exit_cause"};
    case Column::Star:
        return {"starred"};
    case Column::BestStep:
        return {"objective_best_step"};
    case Column::Step:
        return {"objective_last_step"};
    case Column::Started:
        return {"start", "end"};
    case Column::Number:
    case Column::State:
    case Column::Attempts:
    case Column::Tags:
    case Column::Note:
    case Column::Ranks:
    case Column::Seed:
        return {columnId(section).toStdString()};
    case Column::Metric:
        return {exporting::metricColumn(metricName(section), exporting::MetricColumn::Last)};
    case Column::MetricLow:
        return {exporting::metricColumn(metricName(section), exporting::MetricColumn::Lowest)};
    case Column::MetricHigh:
        return {exporting::metricColumn(metricName(section), exporting::MetricColumn::Highest)};
    }
    return {};
}

QVariant TrialTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column kind = columnKind(section);
    if (role == Qt::TextAlignmentRole) {
        const bool words = isWords(kind) || (kind == Column::Parameter && hasWords(section));
        return QVariant((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    const QString objective = QString::fromStdString(m_sweep.objective);
    const QString goal = m_sweep.goal == sweep::Goal::Minimize ? tr("lower is better") : tr("higher is better");
    if (role == Qt::ToolTipRole) {
        switch (kind) {
        case Column::ObjectiveBest:
            return tr("Best value of %1 so far, as rank 0 reported it (%2)").arg(objective, goal);
        case Column::ObjectiveLast:
            return tr("Newest value of %1").arg(objective);
        case Column::Duration:
            return tr("Running time without pauses, over all attempts that continue one another");
        case Column::Attempts:
            return tr("Attempts started so far");
        case Column::Cause:
            return tr("Why a trial waits, failed, was stopped or lost");
        case Column::Star:
            return tr("Starred trials; click a star to give or take it");
        case Column::BestStep:
            return tr("The step of the best value");
        case Column::Step:
            return tr("The newest step that was reported");
        case Column::Metric:
            return tr("Newest value of %1").arg(QString::fromStdString(metricName(section)));
        case Column::MetricLow:
            return tr("Lowest value of %1 so far").arg(QString::fromStdString(metricName(section)));
        case Column::MetricHigh:
            return tr("Highest value of %1 so far").arg(QString::fromStdString(metricName(section)));
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
    case Column::Star:
        return tr("Star");
    case Column::Tags:
        return tr("Tags");
    case Column::Note:
        return tr("Note");
    case Column::BestStep:
        return tr("Best at step");
    case Column::Step:
        return tr("Step");
    case Column::Started:
        return tr("Started");
    case Column::Ranks:
        return tr("Ranks");
    case Column::Seed:
        return tr("Seed");
    case Column::Metric:
        return std::ranges::find(m_sweep.parameterNames, metricName(section)) == m_sweep.parameterNames.end()
                   ? QString::fromStdString(metricName(section))
                   : tr("%1 (reported)").arg(QString::fromStdString(metricName(section)));
    case Column::MetricLow:
        return tr("Min %1").arg(QString::fromStdString(metricName(section)));
    case Column::MetricHigh:
        return tr("Max %1").arg(QString::fromStdString(metricName(section)));
    }
    return {};
}

}  // namespace sweepscope::ui
