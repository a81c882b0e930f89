// What stands in the cells of the table of trials.
#include "ui/models/devicenames.h"
#include "ui/models/reasontext.h"
#include "ui/models/trialtablemodel.h"
#include "ui/models/valuetext.h"
#include "ui/theme/stateappearance.h"

#include <QLocale>

#include <cmath>

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

/// A GPU as drivers call it, which does not change when others come and go.
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
        return trial.devices.empty() ? QVariant() : devicesText(trial.devices, m_machine);
    case Column::Cause:
        return trial.reason ? reasonText(trial.reason) : QVariant();
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
    case Column::Metric:
    case Column::MetricLow:
    case Column::MetricHigh:
        return metricValue(trial, section);
    }
    return {};
}

/// Nothing where the trial has not reported it, or no number of it.
QVariant TrialTableModel::metricValue(const sweep::TrialRecord &trial, int section) const
{
    const sweep::MetricValue *metric = sweep::find(trial.metrics, metricName(section));
    if (metric == nullptr)
        return {};
    const Column kind = columnKind(section);
    const double range = kind == Column::MetricLow ? metric->lowest : metric->highest;
    return kind == Column::Metric ? QVariant(metric->last) : std::isnan(range) ? QVariant() : QVariant(range);
}

QString TrialTableModel::metricToolTip(const sweep::TrialRecord &trial, int section) const
{
    const sweep::MetricValue *metric = sweep::find(trial.metrics, metricName(section));
    if (metric == nullptr)
        return tr("This trial has not reported %1").arg(QString::fromStdString(metricName(section)));
    const QString last = tr("%1 at step %L2").arg(exactText(metric->last)).arg(metric->step);
    return std::isnan(metric->lowest)
               ? last
               : tr("%1\nlowest %2, highest %3").arg(last, exactText(metric->lowest), exactText(metric->highest));
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
        return reasonText(trial.reason);
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
        return objective ? tr("%1 at step %L2").arg(exactText(objective->value)).arg(objective->step) : QString();
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
        return reasonText(trial.reason);
    case Column::Devices:
        return deviceIds(trial);
    case Column::Star:
        return trial.mark.starred ? tr("Click to take the star away") : tr("Click to give it a star");
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
        return {};
    }
    return {};
}

}  // namespace sweepscope::ui
