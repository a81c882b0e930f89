#include "ui/editor/fieldgrid.h"

#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QWidget>

#include <algorithm>

namespace sweepscope::ui {

namespace {

constexpr int rowSpacing = spacing::tiny;  // in addition to the line that each field reserves for its problem

}  // namespace

FieldGrid::FieldGrid(int columnWidth, int mostColumns) : m_columnWidth(columnWidth), m_mostColumns(mostColumns)
{
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing::medium);
}

FieldGrid::~FieldGrid()
{
    for (const Cell &cell : m_cells)
        delete cell.item;
}

void FieldGrid::addField(QWidget *field, int span)
{
    m_nextSpan = span;
    addWidget(field);
    m_nextSpan = 1;
}

void FieldGrid::addItem(QLayoutItem *item)
{
    m_cells.push_back({item, m_nextSpan});
}

QLayoutItem *FieldGrid::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_cells[static_cast<std::size_t>(index)].item : nullptr;
}

QLayoutItem *FieldGrid::takeAt(int index)
{
    QLayoutItem *item = itemAt(index);
    if (item)
        m_cells.erase(m_cells.begin() + index);
    return item;
}

int FieldGrid::columnsIn(int width) const
{
    return std::clamp((width + spacing()) / (textScaled(m_columnWidth) + spacing()), 1, m_mostColumns);
}

int FieldGrid::heightForWidth(int width) const
{
    return arrange(QRect(0, 0, width, 0), false);
}

QSize FieldGrid::sizeHint() const
{
    const int width = m_mostColumns * (textScaled(m_columnWidth) + spacing()) - spacing();
    return {width, heightForWidth(width)};
}

QSize FieldGrid::minimumSize() const
{
    int width = textScaled(m_columnWidth);
    for (const Cell &cell : m_cells)
        if (!cell.item->isEmpty() && cell.span == 1)
            width = std::max(width, cell.item->minimumSize().width());
    return {width, 0};
}

void FieldGrid::setGeometry(const QRect &rect)
{
    QLayout::setGeometry(rect);
    arrange(rect, true);
}

int FieldGrid::arrange(const QRect &rect, bool apply) const
{
    const int columns = columnsIn(rect.width());
    const int width = (rect.width() - (columns - 1) * spacing()) / columns;
    int column = 0;
    int y = rect.y();
    int rowHeight = 0;
    for (const Cell &cell : m_cells) {
        if (cell.item->isEmpty())
            continue;
        const int span = cell.span == 0 ? columns : std::min(cell.span, columns);
        if (column + span > columns) {
            y += rowHeight + rowSpacing;
            column = 0;
            rowHeight = 0;
        }
        const int cellWidth = span * width + (span - 1) * spacing();
        const int height =
            cell.item->hasHeightForWidth() ? cell.item->heightForWidth(cellWidth) : cell.item->sizeHint().height();
        if (apply)
            cell.item->setGeometry(QRect(rect.x() + column * (width + spacing()), y, cellWidth, height));
        rowHeight = std::max(rowHeight, height);
        column += span;
    }
    return y + rowHeight - rect.y();
}

}  // namespace sweepscope::ui
