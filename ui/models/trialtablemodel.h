#pragma once

#include "base/clock.h"
#include "launch/energyfile.h"
#include "protocol/devicestatus.h"
#include "sweep/records.h"
#include "ui/models/trialtablecolumns.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QIcon>

#include <map>
#include <set>
#include <vector>

namespace sweepscope::ui {

/// The trials of a sweep, one row each, by number. Contains its own copy of the records: an engine or another source
/// can fill it.
class TrialTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using Column = TrialColumn;
    enum Role {
        RawRole = Qt::UserRole,  ///< raw value (int, double, bool, QString); invalid if there is none. For sorting.
        StateRole,               ///< sweep::TrialState as int
        ProgressRole,            ///< double, 0 to 1, for a running trial; otherwise invalid
    };

    explicit TrialTableModel(WallClock clock = wallNow, QObject *parent = nullptr);

    /// Switches to another sweep, or to none (id 0).
    void setSweep(const sweep::SweepRecord &sweep, std::vector<sweep::TrialRecord> trials);
    /// `trials` contains all trials; those numbered first to last are new or changed.
    void updateTrials(const std::vector<sweep::TrialRecord> &trials, int firstNumber, int lastNumber);
    /// Sets the devices that give devices their names.
    void setMachine(const std::vector<protocol::DeviceStatus> &machine);
    /// Shows the colors of curves next to their trials' numbers; empty: each trial's own color.
    void setCurveColors(const std::map<int, QRgb> &colors);
    /// Of the present sweep.
    void setEnergy(const launch::SweepEnergy &energy);
    /// Trials of the present sweep whose loss diverged according to a finding.
    void setDiverged(std::set<int> trials);
    /// Updates the times of running trials.
    void tick();

    const sweep::SweepRecord &sweep() const { return m_sweep; }
    const std::vector<sweep::TrialRecord> &trials() const { return m_trials; }
    const sweep::TrialRecord &trial(int row) const { return m_trials[static_cast<std::size_t>(row)]; }
    int rowOf(int trialNumber) const;  ///< -1 if there is none
    int bestTrialNumber() const { return m_best; }
    bool hasRepeats() const { return m_spec.repeats > 1; }
    /// Whether the sweep has several objectives, or constraints on results.
    bool hasOutcome() const { return !m_spec.objectives.empty() || !m_spec.outcomeConstraints.empty(); }
    /// By a finding, or because the last value of the objective is NaN or infinite.
    bool isDiverged(const sweep::TrialRecord &trial) const;
    int removedTrials() const;  ///< number of trials removed by edits of the sweep
    /// Seconds since the start of the first attempt; nullopt before it.
    std::optional<double> seconds(const sweep::TrialRecord &trial) const;

    Column columnKind(int section) const { return m_columns.kind(section); }
    static bool isWords(Column column) { return TrialTableColumns::isWords(column); }
    int section(Column column) const { return m_columns.section(column); }
    int parameterSection(const QString &name) const { return m_columns.parameterSection(name); }
    int metricSection(const QString &name, Column which = Column::Metric) const
    {
        return m_columns.metricSection(name, which);
    }
    bool isUsualMetric(int section) const { return m_columns.isUsualMetric(section); }
    bool hasMostMetrics() const { return m_columns.hasMostMetrics(); }
    QString columnId(int section) const { return m_columns.id(section); }
    std::vector<std::string> exportColumns(int section) const { return m_columns.exportNames(section); }

    /// RawRole of a cell.
    QVariant rawValue(int row, int section) const { return raw(trial(row), section); }
    /// Text of all cells in lower case, without what changes with time; for searching words.
    const QString &searchText(int row) const;
    /// Creates it for `most` rows without one; returns false if there are none left. For 10,000 trials it would take
    /// too long while the user types.
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
    QIcon swatchOf(int trial) const;
    std::optional<series::Energy> energyOf(const sweep::TrialRecord &trial) const;
    std::optional<double> deviceSeconds(const sweep::TrialRecord &trial) const;
    QString energyToolTip(const sweep::TrialRecord &trial) const;
    QString outcomeText(const sweep::TrialRecord &trial) const;
    static QString durationToolTip(const sweep::TrialRecord &trial);
    QVariant metricValue(const sweep::TrialRecord &trial, int section) const;
    QString metricToolTip(const sweep::TrialRecord &trial, int section) const;
    void addMetricColumns(int firstRow, int lastRow);
    int best() const;
    void updateBest();
    void updateFront();
    void clearSearchTexts(int firstRow, int lastRow);

    WallClock m_clock;
    sweep::SweepRecord m_sweep;
    TrialTableColumns m_columns;
    std::vector<sweep::TrialRecord> m_trials;
    std::vector<protocol::DeviceStatus> m_machine;
    std::map<int, QRgb> m_curveColors;  ///< of trials, by number
    int m_best = 0;
    sweep::SweepSpec m_spec;
    launch::SweepEnergy m_energy;
    std::set<int> m_diverged;                    ///< by findings
    std::set<int> m_front;                       ///< of several objectives
    mutable std::vector<QString> m_searchTexts;  ///< null: not created yet
};

}  // namespace sweepscope::ui
