#pragma once

#include "ui/logs/sweepsearch.h"

#include <QAbstractTableModel>

#include <vector>

namespace sweepscope::ui {

/// The lines that a SweepSearch has found.
class SweepHitsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Trial, Log, Line, Text, ColumnCount };
    enum Role { MatchStartRole = Qt::UserRole, MatchLengthRole };

    using QAbstractTableModel::QAbstractTableModel;

    void clear();
    void append(const std::vector<SweepHit> &hits);
    const SweepHit &hit(int row) const { return m_hits[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<SweepHit> m_hits;
};

}  // namespace sweepscope::ui
