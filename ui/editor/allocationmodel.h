#pragma once

#include "ui/editor/allocationplanner.h"

#include <QAbstractTableModel>

namespace sweepscope::ui {

/// The first trials of a plan: start time, devices, and how these are connected.
class AllocationModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Trial, Starts, Parameters, Devices, Cores, Group, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setPreview(const AllocationPreview &preview);
    void clear();
    bool hasGroups() const;  ///< a trial has several GPUs

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QList<QStringList> texts() const;  ///< by row
    QString text(const schedule::PlannedTrial &trial, int column) const;
    QString devicesText(const schedule::PlannedTrial &trial) const;

    AllocationPreview m_preview;
};

}  // namespace sweepscope::ui
