#pragma once

#include "base/clock.h"
#include "protocol/devicestatus.h"
#include "sweep/records.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// The trials of one sweep, one row each, in order of their number. Holds its own copy of the records: it can be filled
/// from an engine or from anything else.
class TrialTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// In this order, with one column for each parameter, and at the end three for each metric beside the objective: those
    /// come as trials report them. A view may show them in another order, and leave some out.
    enum class Column {
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
    enum Role {
        RawRole =
            Qt::UserRole,  ///< the value itself (int, double, bool, QString); invalid where there is none. For sorting.
        StateRole,         ///< int of sweep::TrialState
        ProgressRole,      ///< double, 0 to 1, of a running trial; invalid otherwise
    };

    explicit TrialTableModel(WallClock clock = wallNow, QObject *parent = nullptr);

    /// Another sweep, or none (id 0).
    void setSweep(const sweep::SweepRecord &sweep, std::vector<sweep::TrialRecord> trials);
    /// `trials` are all of them; those numbered first to last are new or different.
    void updateTrials(const std::vector<sweep::TrialRecord> &trials, int firstNumber, int lastNumber);
    /// By which devices are named.
    void setMachine(const std::vector<protocol::DeviceStatus> &machine);
    /// Running trials have become older.
    void tick();

    const sweep::SweepRecord &sweep() const { return m_sweep; }
    const std::vector<sweep::TrialRecord> &trials() const { return m_trials; }
    const sweep::TrialRecord &trial(int row) const { return m_trials[static_cast<std::size_t>(row)]; }
    int rowOf(int trialNumber) const;  ///< -1 when there is none
    int bestTrialNumber() const { return m_best; }
    int removedTrials() const;  ///< by edits of the sweep
    /// Seconds from the first attempt's start; empty before it.
    std::optional<double> seconds(const sweep::TrialRecord &trial) const;

    Column columnKind(int section) const;
    /// Read from the left; everything else is a number, or may be one.
    static bool isWords(Column column);
    int section(Column column) const;                 ///< of the first one of a parameter or a metric
    int parameterSection(const QString &name) const;  ///< -1 when there is none
    int metricSection(const QString &name, Column which = Column::Metric) const;  ///< -1 when there is none
    /// Of the metrics' columns: shown without being asked for.
    bool isUsualMetric(int section) const;
    /// No further metric gets columns, whatever trials report.
    bool hasMostMetrics() const;
    /// A name that stays: what is kept about columns goes by it. "best", "parameter.lr".
    QString columnId(int section) const;

    /// How files of exported trials call what the column shows; several where it shows several.
    std::vector<std::string> exportColumns(int section) const;
    /// RawRole of a cell.
    QVariant rawValue(int row, int section) const { return raw(trial(row), section); }
    /// All that stands in the row but what changes with time, in lower case: what words are looked for in.
    const QString &searchText(int row) const;
    /// Makes it for `most` rows that have none; false: all have one. For 10,000 trials it takes longer than somebody who types
    /// should wait.
    bool makeSearchTexts(int most) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QVariant raw(const sweep::TrialRecord &trial, int section) const;
    bool hasWords(int section) const;
    QString text(const sweep::TrialRecord &trial, int section) const;
    QString toolTip(const sweep::TrialRecord &trial, int section) const;
    static QString durationToolTip(const sweep::TrialRecord &trial);
    const std::string &parameterName(int section) const;
    const std::string &metricName(int section) const;
    QVariant metricValue(const sweep::TrialRecord &trial, int section) const;
    QString metricToolTip(const sweep::TrialRecord &trial, int section) const;
    int columnsBeforeMetrics() const;
    void takeMetrics(int firstRow, int lastRow);
    std::vector<std::string> unknownMetrics(int firstRow, int lastRow) const;
    void updateBest();
    void forgetSearchTexts(int firstRow, int lastRow);

    WallClock m_clock;
    sweep::SweepRecord m_sweep;
    std::vector<sweep::TrialRecord> m_trials;
    std::vector<protocol::DeviceStatus> m_machine;
    std::vector<std::string> m_metricNames;  ///< in the order in which they were met first
    int m_best = 0;
    mutable std::vector<QString> m_searchTexts;  ///< null: not made yet
};

}  // namespace sweepscope::ui
