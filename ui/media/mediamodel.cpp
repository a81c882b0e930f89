#include "ui/media/mediamodel.h"

#include "ui/media/mediawords.h"
#include "ui/theme/trialcolors.h"

#include <QLocale>

#include <algorithm>
#include <utility>

namespace sweepscope::ui {

void MediaModel::setGrid(MediaGrid grid)
{
    // While a trial runs, steps are added at the end, and nothing else changes.
    const bool isLonger = grid.rows == m_grid.rows && !m_grid.steps.empty() && grid.steps.size() >= m_grid.steps.size()
                          && std::equal(m_grid.steps.begin(), m_grid.steps.end(), grid.steps.begin());
    if (!isLonger) {
        beginResetModel();
        m_grid = std::move(grid);
        endResetModel();
        return;
    }
    const int before = columnCount();
    const int after = static_cast<int>(grid.steps.size());
    if (after > before)
        beginInsertColumns({}, before, after - 1);
    m_grid = std::move(grid);
    if (after > before)
        endInsertColumns();
    if (before > 0 && rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, before - 1));
}

PlacedItem MediaModel::itemAt(const QModelIndex &index) const
{
    return index.isValid() ? m_grid.at(index.row(), index.column()) : PlacedItem();
}

int MediaModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_grid.rows.size());
}

int MediaModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_grid.steps.size());
}

QVariant MediaModel::data(const QModelIndex &index, int role) const
{
    if (role != Qt::AccessibleTextRole && role != Qt::ToolTipRole)
        return {};
    const PlacedItem item = itemAt(index);
    return item ? mediaItemText(item) : QVariant();
}

QVariant MediaModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal)
        return role == Qt::DisplayRole ? QVariant(tr("Step %L1").arg(m_grid.steps[static_cast<std::size_t>(section)]))
                                       : QVariant();
    const MediaGrid::Row &row = m_grid.rows[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return mediaRowText(row);
    return role == Qt::DecorationRole ? QVariant(trialSwatch(row.trial)) : QVariant();
}

Qt::ItemFlags MediaModel::flags(const QModelIndex &index) const
{
    return itemAt(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

}  // namespace sweepscope::ui
