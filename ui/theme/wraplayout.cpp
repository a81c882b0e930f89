#include "ui/theme/wraplayout.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace sweepscope::ui {

namespace {

bool canGrow(QLayoutItem *item)
{
    const QWidget *widget = item->widget();
    return item->expandingDirections().testFlag(Qt::Horizontal)
           || (widget && widget->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored);
}

/// Returns the size hint of a fixed item, or the minimum of one that can grow.
int widthOf(QLayoutItem *item)
{
    return canGrow(item) ? item->minimumSize().width() : item->sizeHint().width();
}

int heightOf(const std::vector<QLayoutItem *> &line)
{
    int height = 0;
    for (const QLayoutItem *item : line)
        height = std::max(height, item->sizeHint().height());
    return height;
}

}  // namespace

WrapLayout::~WrapLayout() = default;

void WrapLayout::addItem(QLayoutItem *item)
{
    m_items.emplace_back(item);
}

QLayoutItem *WrapLayout::itemAt(int index) const
{
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem *WrapLayout::takeAt(int index)
{
    if (!itemAt(index))
        return nullptr;
    QLayoutItem *taken = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return taken;
}

std::vector<WrapLayout::Line> WrapLayout::linesIn(int width) const
{
    std::vector<Line> lines;
    int used = 0;
    for (const auto &item : m_items) {
        if (item->isEmpty())
            continue;
        const int needed = widthOf(item.get());
        if (lines.empty() || used + spacing() + needed > width) {
            lines.emplace_back();
            used = -spacing();
        }
        lines.back().push_back(item.get());
        used += spacing() + needed;
    }
    return lines;
}

int WrapLayout::heightForWidth(int width) const
{
    int height = -spacing();
    for (const Line &line : linesIn(width))
        height += spacing() + heightOf(line);
    return std::max(0, height);
}

QSize WrapLayout::minimumSize() const
{
    QSize size;
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo({widthOf(item.get()), item->sizeHint().height()});
    }
    return size;
}

int WrapLayout::widthOfOneRow() const
{
    int width = -spacing();
    for (const auto &item : m_items)
        width += item->isEmpty() ? 0 : spacing() + widthOf(item.get());
    return std::max(0, width);
}

QSize WrapLayout::sizeHint() const
{
    QSize size(-spacing(), 0);
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = {size.width() + spacing() + item->sizeHint().width(),
                    std::max(size.height(), item->sizeHint().height())};
    }
    return size;
}

void WrapLayout::setGeometry(const QRect &area)
{
    QLayout::setGeometry(area);
    int top = area.top();
    for (const Line &line : linesIn(area.width())) {
        placeLine(line, {area.left(), top, area.width(), heightOf(line)});
        top += heightOf(line) + spacing();
    }
}

void WrapLayout::placeLine(const Line &line, const QRect &area) const
{
    int left = area.width() - spacing() * (static_cast<int>(line.size()) - 1);
    for (QLayoutItem *item : line)
        left -= widthOf(item);
    int x = area.left();
    for (QLayoutItem *item : line) {
        int width = widthOf(item);
        if (canGrow(item)) {
            const int grown = std::min(width + std::max(0, left), item->maximumSize().width());
            left -= grown - width;
            width = grown;
        }
        item->setGeometry(
            QStyle::visualRect(parentWidget()->layoutDirection(), area, {x, area.top(), width, area.height()}));
        x += width + spacing();
    }
}

}  // namespace sweepscope::ui
