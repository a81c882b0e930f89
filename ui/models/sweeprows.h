#pragma once

#include "ui/models/sweeptablemodel.h"

#include <QAbstractProxyModel>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

namespace sweepscope::ui {

/// The sweeps that match a search, sorted, and optionally in groups with the same tag, or the same text in a column: a row
/// for each group, and below it its sweeps, unless it is collapsed. Resets itself when rows come, go or move: a workspace has
/// hundreds of sweeps at most.
class SweepRows : public QAbstractProxyModel {
    Q_OBJECT

public:
    using Column = SweepTableModel::Column;

    explicit SweepRows(SweepTableModel *model, QObject *parent = nullptr);

    void showArchived(bool on);
    /// Each word must be in the name, number, tags, note or state of a sweep.
    void search(const QString &text);
    bool searches() const { return !m_words.isEmpty(); }
    void setGroupedBy(std::optional<Column> column);
    std::optional<Column> groupedBy() const { return m_groupedBy; }
    void setFolded(int row, bool folded);
    bool isFolded(int row) const;
    bool isGroup(int row) const { return m_rows[static_cast<std::size_t>(row)].source < 0; }
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    qint64 sweepAt(int row) const;         ///< 0 for a group's row
    int rowOfSweep(qint64 sweepId) const;  ///< -1 if it is not shown

    QModelIndex mapToSource(const QModelIndex &proxyIndex) const override;
    QModelIndex mapFromSource(const QModelIndex &sourceIndex) const override;
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &) const override { return {}; }
    QModelIndex sibling(int row, int column, const QModelIndex &) const override { return index(row, column); }
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override { return !parent.isValid() && rowCount() > 0; }
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    struct Row {
        int source = -1;  ///< of the model; -1: a group
        QString group;    ///< its text in the column by which rows are grouped
        int members = 0;  ///< of a group

        bool operator==(const Row &) const = default;
    };

    std::vector<Row> arranged() const;
    void rearrange();
    bool matches(int source) const;
    QString cell(int source, Column column) const;
    QStringList groupsOf(int source) const;

    SweepTableModel *m_model;
    QStringList m_words;
    bool m_showsArchived = false;
    std::optional<Column> m_groupedBy;
    std::map<QString, bool> m_folded;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    std::vector<Row> m_rows;
};

}  // namespace sweepscope::ui
