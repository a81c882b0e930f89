#pragma once

#include "sweep/records.h"

#include <QString>

#include <span>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// What a column of the table of trials shows. In this order, with one column for each parameter, and at the end three for
/// each metric other than the objective. A view may show them in another order, and leave some out.
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
    Metric,
    MetricLow,
    MetricHigh,
};

/// The columns of a sweep's table of trials: which there are, and what they are called in the window, in settings and in
/// exported files. Those of metrics are added as trials report them.
class TrialTableColumns {
public:
    TrialTableColumns() = default;
    explicit TrialTableColumns(const sweep::SweepRecord &sweep);

    int count() const;
    TrialColumn kind(int section) const;
    int section(TrialColumn column) const;            ///< of the first one of a parameter or a metric
    int parameterSection(const QString &name) const;  ///< -1 when there is none
    int metricSection(const QString &name, TrialColumn which = TrialColumn::Metric) const;  ///< -1 when there is none
    const std::string &parameterName(int section) const;
    const std::string &metricName(int section) const;
    /// Of the metrics' columns: shown unless hidden by the user.
    bool isUsualMetric(int section) const;
    /// Read from the left; all others hold numbers, or may do so.
    static bool isWords(TrialColumn column);

    /// Metrics that `trials` reported and that have no columns yet, in the order in which they were met; at most as many
    /// as a table may have.
    std::vector<std::string> newMetrics(std::span<const sweep::TrialRecord> trials) const;
    static int countFor(const std::vector<std::string> &metrics);
    void addMetrics(const std::vector<std::string> &names);
    /// Further metrics get no columns.
    bool hasMostMetrics() const;

    QString title(int section) const;
    QString toolTip(int section) const;
    /// Identifies a column in settings, in every version: "best", "parameter.lr".
    QString id(int section) const;
    /// The names of the columns in exported files that hold what this one shows.
    std::vector<std::string> exportNames(int section) const;

private:
    int countBeforeMetrics() const;

    std::vector<std::string> m_parameters;
    std::vector<std::string> m_metrics;  ///< in the order in which they were met first
    QString m_objective;
    sweep::Goal m_goal = sweep::Goal::Minimize;
};

}  // namespace sweepscope::ui
