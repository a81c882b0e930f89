#include "ui/media/contentmodel.h"

#include <QBrush>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

void ContentModel::setContent(std::shared_ptr<const MediaContent> content, bool isMatrix)
{
    if (content == m_content)
        return;
    beginResetModel();
    m_content = std::move(content);
    m_isMatrix = isMatrix && !m_content->table->columns.empty();
    m_sums.clear();
    for (const auto &row : m_content->table->rows) {
        double sum = 0;
        for (const media::Cell &cell : row)
            sum += cell.number.value_or(0);
        m_sums.push_back(sum);
    }
    endResetModel();
}

int ContentModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_content ? 0 : static_cast<int>(m_content->table->rows.size());
}

int ContentModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_content ? 0
                                          : static_cast<int>(m_content->table->columns.size()) - (m_isMatrix ? 1 : 0);
}

const media::Cell &ContentModel::cellAt(int row, int column) const
{
    return m_content->table
        ->rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column + (m_isMatrix ? 1 : 0))];
}

double ContentModel::shareOf(int row, int column) const
{
    const double sum = m_sums[static_cast<std::size_t>(row)];
    const double share = sum > 0 ? cellAt(row, column).number.value_or(0) / sum : 0;
    return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
}

QVariant ContentModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const media::Cell &cell = cellAt(index.row(), index.column());
    switch (role) {
    case Qt::DisplayRole:
        return QString::fromStdString(cell.text);
    case Qt::TextAlignmentRole:
        return static_cast<int>(m_isMatrix    ? Qt::AlignCenter
                                : cell.number ? Qt::AlignRight | Qt::AlignVCenter
                                              : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::BackgroundRole: {
        if (!m_isMatrix)
            return {};
        QColor color = QGuiApplication::palette().color(QPalette::Highlight);
        color.setAlphaF(static_cast<float>(0.75 * shareOf(index.row(), index.column())));
        return QBrush(color);
    }
    case Qt::ToolTipRole:
        if (!m_isMatrix)
            return {};
        return tr("%1 predicted as %2: %3 (%4%)")
            .arg(headerData(index.row(), Qt::Vertical).toString(),
                 headerData(index.column(), Qt::Horizontal).toString(), QString::fromStdString(cell.text))
            .arg(100 * shareOf(index.row(), index.column()), 0, 'f', 1);
    default:
        return {};
    }
}

QVariant ContentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if ((role != Qt::DisplayRole && role != Qt::ToolTipRole) || !m_content)
        return {};
    if (orientation == Qt::Horizontal)
        return QString::fromStdString(
            m_content->table->columns[static_cast<std::size_t>(section + (m_isMatrix ? 1 : 0))]);
    if (m_isMatrix)
        return QString::fromStdString(m_content->table->rows[static_cast<std::size_t>(section)].front().text);
    return section + 1;
}

}  // namespace sweepscope::ui
