#pragma once

#include "ui/editor/editabletablemodel.h"

#include <vector>

namespace sweepscope::ui {

/// An EditableTableModel over plain rows; subclasses only define the cells.
template <typename Row>
class RowsModel : public EditableTableModel {
public:
    using EditableTableModel::EditableTableModel;

    const std::vector<Row> &rows() const { return m_rows; }

    /// Sets rows from a file or by undo: emits no edit.
    void setRows(const std::vector<Row> &rows)
    {
        if (rows == m_rows)
            return;
        if (rows.size() == m_rows.size()) {
            m_rows = rows;
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
        beginResetModel();
        m_rows = rows;
        endResetModel();
    }

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

    bool insertRows(int row, int count, const QModelIndex &parent = {}) override
    {
        if (parent.isValid() || count < 1 || row < 0 || row > rowCount())
            return false;
        insert(row, std::vector<Row>(static_cast<std::size_t>(count)));
        return true;
    }

    bool duplicateRow(int row) override
    {
        if (row < 0 || row >= rowCount())
            return false;
        insert(row + 1, {at(row)});
        return true;
    }

    bool removeRows(int row, int count, const QModelIndex &parent = {}) override
    {
        if (parent.isValid() || count < 1 || row < 0 || row + count > rowCount())
            return false;
        beginRemoveRows({}, row, row + count - 1);
        m_rows.erase(m_rows.begin() + row, m_rows.begin() + row + count);
        endRemoveRows();
        Q_EMIT edited(QStringLiteral("remove"));
        return true;
    }

    bool moveRows(const QModelIndex &from, int row, int count, const QModelIndex &to, int before) override
    {
        if (from.isValid() || to.isValid() || count != 1 || row < 0 || row >= rowCount() || before < 0
            || before > rowCount() || !beginMoveRows({}, row, row, {}, before))
            return false;
        Row moved = std::move(at(row));
        m_rows.erase(m_rows.begin() + row);
        m_rows.insert(m_rows.begin() + (before > row ? before - 1 : before), std::move(moved));
        endMoveRows();
        Q_EMIT edited(QStringLiteral("move"));
        return true;
    }

protected:
    Row &at(int row) { return m_rows[static_cast<std::size_t>(row)]; }
    const Row &at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

private:
    void insert(int row, const std::vector<Row> &added)
    {
        beginInsertRows({}, row, row + static_cast<int>(added.size()) - 1);
        m_rows.insert(m_rows.begin() + row, added.begin(), added.end());
        endInsertRows();
        Q_EMIT edited(QStringLiteral("insert"));
    }

    std::vector<Row> m_rows;
};

}  // namespace sweepscope::ui
