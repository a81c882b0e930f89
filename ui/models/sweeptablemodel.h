#pragma once

#include "ui/models/sweeplistmodel.h"

#include <QAbstractTableModel>

namespace sweepscope::ui {

/// The sweeps of a SweepListModel as a table: one row each, with their progress.
class SweepTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column { Name, State, Progress, Best, Course, Started, Duration };
    static constexpr int columns = 7;
    enum Role {
        SortRole = Qt::UserRole + 50,  ///< sort key of the column
        SummaryRole,                   ///< SweepSummary
        IdRole,                        ///< qint64
        StateRole,                     ///< sweep::SweepState as int
        ArchivedRole,                  ///< "archived" or "listed"
    };

    explicit SweepTableModel(SweepListModel *sweeps, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const QModelIndex &source, Column column) const;
    QVariant sortValue(const QModelIndex &source, Column column) const;
    QString toolTip(const QModelIndex &source, Column column) const;

    SweepListModel *m_sweeps;
};

}  // namespace sweepscope::ui
