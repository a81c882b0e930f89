#include "ui/models/trialtablecolumns.h"

#include "exporting/sweepexport.h"
#include "sweep/metricvalue.h"

#include <QCoreApplication>

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int columnsBeforeParameters = 2;
constexpr int columnsAfterParameters = 19;
constexpr int columnsOfMetric = 3;
/// More than these make a table unreadable; the others can be selected.
constexpr std::ptrdiff_t mostUsualMetrics = 6;

struct TrialTableColumnsWords {
    Q_DECLARE_TR_FUNCTIONS(sweepscope::ui::TrialTableColumns)
};

}  // namespace

TrialTableColumns::TrialTableColumns(const sweep::SweepRecord &sweep)
    : m_parameters(sweep.parameterNames), m_objective(QString::fromStdString(sweep.objective)), m_goal(sweep.goal)
{}

int TrialTableColumns::countBeforeMetrics() const
{
    return columnsBeforeParameters + static_cast<int>(m_parameters.size()) + columnsAfterParameters;
}

int TrialTableColumns::count() const
{
    return countBeforeMetrics() + countFor(m_metrics);
}

int TrialTableColumns::countFor(const std::vector<std::string> &metrics)
{
    return columnsOfMetric * static_cast<int>(metrics.size());
}

TrialColumn TrialTableColumns::kind(int section) const
{
    const auto parameters = static_cast<int>(m_parameters.size());
    if (section < columnsBeforeParameters)
        return static_cast<TrialColumn>(section);
    if (section < columnsBeforeParameters + parameters)
        return TrialColumn::Parameter;
    if (section >= countBeforeMetrics())
        return static_cast<TrialColumn>(static_cast<int>(TrialColumn::Metric)
                                        + (section - countBeforeMetrics()) % columnsOfMetric);
    return static_cast<TrialColumn>(static_cast<int>(TrialColumn::ObjectiveBest) + section - columnsBeforeParameters
                                    - parameters);
}

int TrialTableColumns::section(TrialColumn column) const
{
    const auto place = static_cast<int>(column);
    if (column <= TrialColumn::Parameter)
        return place;
    return place - 1 + static_cast<int>(m_parameters.size());
}

int TrialTableColumns::parameterSection(const QString &name) const
{
    const auto found = std::ranges::find(m_parameters, name.toStdString());
    return found == m_parameters.end() ? -1 : columnsBeforeParameters + static_cast<int>(found - m_parameters.begin());
}

const std::string &TrialTableColumns::parameterName(int section) const
{
    return m_parameters[static_cast<std::size_t>(section - columnsBeforeParameters)];
}

const std::string &TrialTableColumns::metricName(int section) const
{
    return m_metrics[static_cast<std::size_t>((section - countBeforeMetrics()) / columnsOfMetric)];
}

int TrialTableColumns::metricSection(const QString &name, TrialColumn which) const
{
    const auto found = std::ranges::find(m_metrics, name.toStdString());
    return found == m_metrics.end() ? -1
                                    : section(which) + columnsOfMetric * static_cast<int>(found - m_metrics.begin());
}

bool TrialTableColumns::isUsualMetric(int section) const
{
    const auto tells = [](const std::string &name) { return !sweep::isAboutSteps(name); };
    const std::string &name = metricName(section);
    const auto place = std::ranges::find(m_metrics, name);
    return kind(section) == TrialColumn::Metric && tells(name)
           && std::count_if(m_metrics.begin(), place, tells) < mostUsualMetrics;
}

bool TrialTableColumns::isWords(TrialColumn column)
{
    return column == TrialColumn::State || column == TrialColumn::Devices || column == TrialColumn::Cause
           || column == TrialColumn::Star || column == TrialColumn::Tags || column == TrialColumn::Note
           || column == TrialColumn::Choice || column == TrialColumn::Outcome;
}

std::vector<std::string> TrialTableColumns::newMetrics(std::span<const sweep::TrialRecord> trials) const
{
    std::vector<std::string> names;
    std::unordered_set<std::string_view> known;  // filled when the first metric is not in its expected place
    for (const sweep::TrialRecord &trial : trials) {
        const std::vector<sweep::MetricValue> &metrics = trial.metrics;
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            if (m_metrics.size() + names.size() >= exporting::mostMetricNames)
                return names;
            const std::string &name = metrics[i].name;
            // Trials of one sweep almost always report the same metrics in the same order.
            const bool isAtItsPlace = (i < m_metrics.size() && m_metrics[i] == name)
                                      || (m_metrics.empty() && i < names.size() && names[i] == name);
            if (isAtItsPlace)
                continue;
            if (known.empty())
                known.insert(m_metrics.begin(), m_metrics.end());
            if (known.insert(name).second)
                names.push_back(name);
        }
    }
    return names;
}

void TrialTableColumns::addMetrics(const std::vector<std::string> &names)
{
    m_metrics.insert(m_metrics.end(), names.begin(), names.end());
}

bool TrialTableColumns::hasMostMetrics() const
{
    return m_metrics.size() >= exporting::mostMetricNames;
}

QString TrialTableColumns::title(int section) const
{
    switch (kind(section)) {
    case TrialColumn::Number:
        return TrialTableColumnsWords::tr("Trial");
    case TrialColumn::State:
        return TrialTableColumnsWords::tr("State");
    case TrialColumn::Parameter:
        return QString::fromStdString(parameterName(section));
    case TrialColumn::ObjectiveBest:
        return m_objective.isEmpty() ? TrialTableColumnsWords::tr("Best")
                                     : TrialTableColumnsWords::tr("Best %1").arg(m_objective);
    case TrialColumn::ObjectiveLast:
        return TrialTableColumnsWords::tr("Last");
    case TrialColumn::Duration:
        return TrialTableColumnsWords::tr("Duration");
    case TrialColumn::Attempts:
        return TrialTableColumnsWords::tr("Attempts");
    case TrialColumn::Devices:
        return TrialTableColumnsWords::tr("Devices");
    case TrialColumn::Cause:
        return TrialTableColumnsWords::tr("Reason");
    case TrialColumn::Star:
        return TrialTableColumnsWords::tr("Star");
    case TrialColumn::Tags:
        return TrialTableColumnsWords::tr("Tags");
    case TrialColumn::Note:
        return TrialTableColumnsWords::tr("Note");
    case TrialColumn::BestStep:
        return TrialTableColumnsWords::tr("Best at step");
    case TrialColumn::Step:
        return TrialTableColumnsWords::tr("Step");
    case TrialColumn::Started:
        return TrialTableColumnsWords::tr("Started");
    case TrialColumn::Ranks:
        return TrialTableColumnsWords::tr("Ranks");
    case TrialColumn::Seed:
        return TrialTableColumnsWords::tr("Seed");
    case TrialColumn::Choice:
        return TrialTableColumnsWords::tr("Choice");
    case TrialColumn::Mean:
        return m_objective.isEmpty() ? TrialTableColumnsWords::tr("Mean")
                                     : TrialTableColumnsWords::tr("Mean %1").arg(m_objective);
    case TrialColumn::Outcome:
        return TrialTableColumnsWords::tr("Outcome");
    case TrialColumn::DeviceTime:
        return TrialTableColumnsWords::tr("Device time");
    case TrialColumn::Energy:
        return TrialTableColumnsWords::tr("Energy");
    case TrialColumn::Metric:
        return std::ranges::find(m_parameters, metricName(section)) == m_parameters.end()
                   ? QString::fromStdString(metricName(section))
                   : TrialTableColumnsWords::tr("%1 (reported)").arg(QString::fromStdString(metricName(section)));
    case TrialColumn::MetricLow:
        return TrialTableColumnsWords::tr("Min %1").arg(QString::fromStdString(metricName(section)));
    case TrialColumn::MetricHigh:
        return TrialTableColumnsWords::tr("Max %1").arg(QString::fromStdString(metricName(section)));
    }
    return {};
}

QString TrialTableColumns::toolTip(int section) const
{
    const QString goal = m_goal == sweep::Goal::Minimize ? TrialTableColumnsWords::tr("lower is better")
                                                         : TrialTableColumnsWords::tr("higher is better");
    switch (kind(section)) {
    case TrialColumn::ObjectiveBest:
        return TrialTableColumnsWords::tr("Best value of %1 so far, reported by rank 0 (%2)").arg(m_objective, goal);
    case TrialColumn::ObjectiveLast:
        return TrialTableColumnsWords::tr("Last value of %1").arg(m_objective);
    case TrialColumn::Duration:
        return TrialTableColumnsWords::tr("Running time without pauses, over all resumed attempts");
    case TrialColumn::Attempts:
        return TrialTableColumnsWords::tr("Attempts so far");
    case TrialColumn::Cause:
        return TrialTableColumnsWords::tr("Reason why a trial waits, failed, was stopped or lost");
    case TrialColumn::Star:
        return TrialTableColumnsWords::tr("Starred trials. Click to star a trial.");
    case TrialColumn::BestStep:
        return TrialTableColumnsWords::tr("Step of the best value");
    case TrialColumn::Step:
        return TrialTableColumnsWords::tr("Last reported step");
    case TrialColumn::Choice:
        return TrialTableColumnsWords::tr("How the search chose the parameters");
    case TrialColumn::Mean:
        return TrialTableColumnsWords::tr("Mean of the best %1 of all completed trials with these parameters, and its "
                                          "standard error (%2)")
            .arg(m_objective, goal);
    case TrialColumn::Outcome:
        return TrialTableColumnsWords::tr(
            "Trials that satisfy all constraints and that no other trial beats in every objective");
    case TrialColumn::DeviceTime:
        return TrialTableColumnsWords::tr("Duration times the number of devices");
    case TrialColumn::Energy:
        return TrialTableColumnsWords::tr("Energy of the GPUs, over all attempts");
    case TrialColumn::Metric:
        return TrialTableColumnsWords::tr("Last value of %1").arg(QString::fromStdString(metricName(section)));
    case TrialColumn::MetricLow:
        return TrialTableColumnsWords::tr("Minimum of %1 so far").arg(QString::fromStdString(metricName(section)));
    case TrialColumn::MetricHigh:
        return TrialTableColumnsWords::tr("Maximum of %1 so far").arg(QString::fromStdString(metricName(section)));
    default:
        return {};
    }
}

QString TrialTableColumns::id(int section) const
{
    switch (kind(section)) {
    case TrialColumn::Number:
        return u"trial"_s;
    case TrialColumn::State:
        return u"state"_s;
    case TrialColumn::Parameter:
        return u"parameter."_s + QString::fromStdString(parameterName(section));
    case TrialColumn::ObjectiveBest:
        return u"best"_s;
    case TrialColumn::ObjectiveLast:
        return u"last"_s;
    case TrialColumn::Duration:
        return u"duration"_s;
    case TrialColumn::Attempts:
        return u"attempts"_s;
    case TrialColumn::Devices:
        return u"devices"_s;
    case TrialColumn::Cause:
        return u"why"_s;
    case TrialColumn::Star:
        return u"star"_s;
    case TrialColumn::Tags:
        return u"tags"_s;
    case TrialColumn::Note:
        return u"note"_s;
    case TrialColumn::BestStep:
        return u"best-step"_s;
    case TrialColumn::Step:
        return u"step"_s;
    case TrialColumn::Started:
        return u"started"_s;
    case TrialColumn::Ranks:
        return u"ranks"_s;
    case TrialColumn::Seed:
        return u"seed"_s;
    case TrialColumn::Choice:
        return u"choice"_s;
    case TrialColumn::Mean:
        return u"mean"_s;
    case TrialColumn::Outcome:
        return u"outcome"_s;
    case TrialColumn::DeviceTime:
        return u"device-time"_s;
    case TrialColumn::Energy:
        return u"energy"_s;
    case TrialColumn::Metric:
    case TrialColumn::MetricLow:
    case TrialColumn::MetricHigh:
        return QString::fromStdString(exportNames(section).front());
    }
    return {};
}

std::vector<std::string> TrialTableColumns::exportNames(int section) const
{
    switch (kind(section)) {
    case TrialColumn::Parameter:
        return {exporting::parameterColumn(parameterName(section))};
    case TrialColumn::ObjectiveBest:
        return {"objective", "objective_best"};
    case TrialColumn::ObjectiveLast:
        return {"objective", "objective_last"};
    case TrialColumn::Duration:
        return {"seconds"};
    case TrialColumn::Devices:
        return {"devices", "simulated"};
    case TrialColumn::Cause:
        return {"exit_cause"};
    case TrialColumn::Star:
        return {"starred"};
    case TrialColumn::BestStep:
        return {"objective_best_step"};
    case TrialColumn::Step:
        return {"objective_last_step"};
    case TrialColumn::Started:
        return {"start", "end"};
    case TrialColumn::Choice:
        return {"chosen", "why"};
    case TrialColumn::Mean:
        return {"objective_mean", "objective_error", "objective_runs"};
    case TrialColumn::Outcome:
        return {"pareto_front", "violation"};
    case TrialColumn::DeviceTime:
        return {"device_hours"};
    case TrialColumn::Energy:
        return {"energy_kwh", "energy_method"};
    case TrialColumn::Number:
    case TrialColumn::State:
    case TrialColumn::Attempts:
    case TrialColumn::Tags:
    case TrialColumn::Note:
    case TrialColumn::Ranks:
    case TrialColumn::Seed:
        return {id(section).toStdString()};
    case TrialColumn::Metric:
        return {exporting::metricColumn(metricName(section), exporting::MetricColumn::Last)};
    case TrialColumn::MetricLow:
        return {exporting::metricColumn(metricName(section), exporting::MetricColumn::Lowest)};
    case TrialColumn::MetricHigh:
        return {exporting::metricColumn(metricName(section), exporting::MetricColumn::Highest)};
    }
    return {};
}

}  // namespace sweepscope::ui
