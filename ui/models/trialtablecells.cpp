// What stands in the cells and the header of the table of trials.
#include "exporting/sweepexport.h"
#include "ui/models/trialtablemodel.h"
#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"

#include <QLocale>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

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

QString joinedTags(const sweep::TrialRecord &trial)
{
    QStringList tags;
    for (const std::string &tag : trial.mark.tags)
        tags << QString::fromStdString(tag);
    return tags.join(u", "_s);
}

}  // namespace

bool TrialTableModel::isWords(Column column)
{
    return column == Column::State || column == Column::Devices || column == Column::Cause || column == Column::Star
           || column == Column::Tags || column == Column::Note;
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
    }
    return {};
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
    case Column::Number:
    case Column::Attempts:
    case Column::Devices:
    case Column::Tags:
    case Column::Ranks:
    case Column::Seed:
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
    case Column::Devices:
        return joinedDevices(trial);
    case Column::Star:
        return trial.mark.starred ? tr("Click to take the star away") : tr("Click to give it a star");
    case Column::Note:
        return QString::fromStdString(trial.mark.note);
    case Column::Tags:
        return joinedTags(trial);
    case Column::Attempts:
    case Column::BestStep:
    case Column::Step:
    case Column::Started:
    case Column::Ranks:
    case Column::Seed:
        return {};
    }
    return {};
}

QVariant TrialTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column kind = columnKind(section);
    if (role == Qt::TextAlignmentRole) {
        return QVariant((isWords(kind) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
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
        case Column::Star:
            return tr("Starred trials; click a star to give or take it");
        case Column::BestStep:
            return tr("The step of the best value");
        case Column::Step:
            return tr("The newest step that was reported");
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
    }
    return {};
}

}  // namespace sweepscope::ui
