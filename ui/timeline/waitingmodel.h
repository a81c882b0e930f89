#pragma once

#include "sweep/records.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// The trials of a sweep that wait for devices, and why.
class WaitingModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Trial, Why, Parameters, ColumnCount };
    enum Role { NumberRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Uses the waiting and paused trials of these.
    void setTrials(const std::vector<sweep::TrialRecord> &trials);

    int queued() const;  ///< the number of those that are queued rather than paused

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<sweep::TrialRecord> m_trials;
};

}  // namespace sweepscope::ui
