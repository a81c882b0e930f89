#pragma once

#include "ui/models/sweeplistmodel.h"

#include <QAbstractTableModel>

namespace sweepscope::ui {

/// The sweeps of a SweepListModel as a table: one row each, with their progress.
class SweepTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum class Column {
        Name,
        Tags,
        Note,
        State,
        Progress,
        Objective,
        Best,
        Course,
        Started,
        Duration,
        DeviceTime,
        Kind
    };
    static constexpr int columns = 12;
    enum Role {
        SortRole = Qt::UserRole + 50,  ///< sort key of the column
        SummaryRole,                   ///< SweepSummary
        IdRole,                        ///< qint64
        StateRole,                     ///< sweep::SweepState as int
        ArchivedRole,                  ///< bool
        StarredRole,                   ///< bool
        NoteRole,                      ///< all of it; the column has its first line
        IsRunRole,                     ///< bool
    };

    explicit SweepTableModel(SweepListModel *sweeps, QObject *parent = nullptr);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    /// Whether any sweep has tags, and whether any has a note.
    bool hasTags() const;
    bool hasNotes() const;
    /// For settings.
    static QString columnId(int column);
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const sweep::SweepRecord &record(const QModelIndex &source) const { return m_sweeps->record(source.row()); }
    bool anyRecord(bool (*has)(const sweep::SweepRecord &)) const;
    QString text(const QModelIndex &source, Column column) const;
    QVariant sortValue(const QModelIndex &source, Column column) const;
    QString toolTip(const QModelIndex &source, Column column) const;

    SweepListModel *m_sweeps;
};

}  // namespace sweepscope::ui
