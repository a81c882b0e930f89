#pragma once

#include "ui/media/mediagrid.h"

#include <QAbstractTableModel>

namespace sweepscope::ui {

/// A row for each trial and a column for each step; cells are items of one name.
class MediaModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Keeps rows and steps that stay, so that selection and scroll position do.
    void setGrid(MediaGrid grid);
    const MediaGrid &grid() const { return m_grid; }
    /// Without an item if the trial has recorded none at that step.
    PlacedItem itemAt(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    MediaGrid m_grid;
};

}  // namespace sweepscope::ui
