#pragma once

#include "sweep/records.h"

#include <QString>

#include <span>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// The content of a column of the trial table. In this order, with one column for each parameter, and at the end three
/// for each metric other than the objective. A view may reorder and hide columns.
enum class TrialColumn {
    Number,
    State,
    Parameter,
    ObjectiveBest,
    ObjectiveLast,
    Duration,
    Attempts,
    Devices,
    Cause,
    Star,
    Tags,
    Note,
    BestStep,
    Step,
    Started,
    Ranks,
    Seed,
    Choice,   ///< how a search chose the point
    Mean,     ///< of the runs of the point
    Outcome,  ///< whether it is on the Pareto front, or violates a constraint
    DeviceTime,
    Energy,
    Metric,
    MetricLow,
    MetricHigh,
};

/// The columns of a sweep's trial table, with their names in the window, in settings and in exported files. Columns for
/// metrics are added as trials report them.
class TrialTableColumns {
public:
    TrialTableColumns() = default;
    explicit TrialTableColumns(const sweep::SweepRecord &sweep);

    int count() const;
    TrialColumn kind(int section) const;
    int section(TrialColumn column) const;            ///< the first one of parameters or metrics
    int parameterSection(const QString &name) const;  ///< -1 if there is none
    int metricSection(const QString &name, TrialColumn which = TrialColumn::Metric) const;  ///< -1 if there is none
    const std::string &parameterName(int section) const;
    const std::string &metricName(int section) const;
    /// For columns of metrics: shown unless hidden by the user.
    bool isUsualMetric(int section) const;
    /// Whether it is left-aligned text; all others contain numbers, or may do so.
    static bool isWords(TrialColumn column);

    /// Returns metrics that `trials` reported and that have no columns yet, in order of appearance; limited to the
    /// maximum of a table.
    std::vector<std::string> newMetrics(std::span<const sweep::TrialRecord> trials) const;
    static int countFor(const std::vector<std::string> &metrics);
    void addMetrics(const std::vector<std::string> &names);
    /// Whether no more metrics get columns.
    bool hasMostMetrics() const;

    QString title(int section) const;
    QString toolTip(int section) const;
    /// Identifies a column in settings, in all versions: "best", "parameter.lr".
    QString id(int section) const;
    /// Names of the columns in exported files that correspond to this one.
    std::vector<std::string> exportNames(int section) const;

private:
    int countBeforeMetrics() const;

    std::vector<std::string> m_parameters;
    std::vector<std::string> m_metrics;  ///< in order of first appearance
    QString m_objective;
    sweep::Goal m_goal = sweep::Goal::Minimize;
};

}  // namespace sweepscope::ui
