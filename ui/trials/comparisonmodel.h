#pragma once

#include "base/clock.h"
#include "sweep/records.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QIcon>
#include <QStringList>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sweepscope::ui {

/// A trial of another sweep than the others.
struct KeptTrial {
    sweep::TrialRecord trial;
    const sweep::SweepRecord *sweep = nullptr;
    std::optional<QRgb> tint{};  ///< of its curve
};

/// A few trials side by side, a column for each: their results, metrics, and the parameters in which they differ.
class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit ComparisonModel(WallClock clock = wallNow, QObject *parent = nullptr);

    /// `tints`: of the trials' curves, in place of their own colors; may be empty. `kept` come after the others.
    /// `bestOfSweep`: the number of the sweep's best trial, which may be another one; 0: none.
    void setTrials(const sweep::SweepRecord &sweep, std::vector<sweep::TrialRecord> trials,
                   const std::map<int, QRgb> &tints = {}, const std::vector<KeptTrial> &kept = {}, int bestOfSweep = 0);
    /// Whether parameters and metrics that are equal in all trials have no row, but are in equalValues(). Counts from the
    /// next setTrials().
    void setOnlyDifferences(bool only) { m_isOnlyDifferences = only; }
    const std::vector<sweep::TrialRecord> &trials() const { return m_trials; }
    qint64 sweepOf(int column) const { return m_origins[static_cast<std::size_t>(column)].sweepId; }
    /// Parameters, then metrics, with the same value in all trials: "batch 16".
    const QStringList &equalValues() const { return m_equal; }
    /// Whether all parameters, and no metrics, are among these.
    bool isEveryParameterEqual() const { return m_equalParameters == m_parameters.size(); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        QString title;
        QStringList texts;     ///< one per trial
        QStringList toolTips;  ///< may be empty
        int best = -1;         ///< the column of the best value; -1 if there is none
        int trophy = -1;       ///< the column of the sweep's best trial; -1 if it is not compared
        bool isState = false;  ///< the texts are states
        bool isWords = false;  ///< aligned to the left
    };
    void addResults(int bestOfSweep);
    void addMetrics(bool aboutSteps);
    void addReasons();
    void addParameters();
    /// Adds a row, or folds it if it is equal in all trials. `exact`: the values.
    void addRow(Row row, const QStringList &exact);
    void markBest(Row &row, const std::string &metric);

    struct Origin {
        qint64 sweepId = 0;
        QString name;              ///< of another sweep; empty for the model's
        bool isComparable = true;  ///< it has the same objective and goal
    };

    WallClock m_clock;
    sweep::SweepRecord m_sweep;
    std::vector<sweep::TrialRecord> m_trials;
    std::vector<Origin> m_origins;          ///< of each trial
    std::vector<std::string> m_parameters;  ///< of all sweeps
    std::vector<QIcon> m_swatches;          ///< of each trial, in the color of its curve
    std::vector<Row> m_rows;
    QStringList m_equal;
    std::size_t m_equalParameters = 0;
    bool m_isOnlyDifferences = true;
};

}  // namespace sweepscope::ui
