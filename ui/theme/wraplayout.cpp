#include "ui/theme/wraplayout.h"

#include "ui/theme/spacing.h"

#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <numeric>

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

/// In a line that is `room` wide, without the spacing: the first item that can grow gets the rest. A single one is never
/// wider.
std::vector<int> widthsIn(const std::vector<QLayoutItem *> &line, int room)
{
    std::vector<int> widths;
    for (QLayoutItem *item : line)
        widths.push_back(widthOf(item));
    int left = room - std::accumulate(widths.begin(), widths.end(), 0);
    for (std::size_t i = 0; i < line.size() && left > 0; ++i) {
        if (!canGrow(line[i]))
            continue;
        const int grown = std::min(widths[i] + left, line[i]->maximumSize().width());
        left -= grown - widths[i];
        widths[i] = grown;
    }
    if (line.size() == 1)
        widths.front() = std::min(widths.front(), room);
    return widths;
}

int heightOf(const std::vector<QLayoutItem *> &line, const std::vector<int> &widths)
{
    int height = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
        height = std::max(height, line[i]->hasHeightForWidth() ? line[i]->heightForWidth(widths[i])
                                                               : line[i]->sizeHint().height());
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
    const QMargins margins = contentsMargins();
    const int room = width - margins.left() - margins.right();
    int height = -betweenLines();
    for (const Line &line : linesIn(room))
        height += betweenLines() + heightOf(line, widthsIn(line, roomIn(line, room)));
    return std::max(0, height) + margins.top() + margins.bottom();
}

QSize WrapLayout::minimumSize() const
{
    QSize size;
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo({item->minimumSize().width(), item->sizeHint().height()});
    }
    return size.grownBy(contentsMargins());
}

int WrapLayout::widthOfOneRow() const
{
    int width = -spacing();
    for (const auto &item : m_items)
        width += item->isEmpty() ? 0 : spacing() + widthOf(item.get());
    const QMargins margins = contentsMargins();
    return std::max(0, width) + margins.left() + margins.right();
}

QSize WrapLayout::sizeHint() const
{
    QSize size(-spacing(), 0);
    for (const auto &item : m_items) {
        if (!item->isEmpty())
            size = {size.width() + spacing() + item->sizeHint().width(),
                    std::max(size.height(), item->sizeHint().height())};
    }
    return size.expandedTo({0, 0}).grownBy(contentsMargins());
}

void WrapLayout::setGeometry(const QRect &area)
{
    QLayout::setGeometry(area);
    const QRect inner = area.marginsRemoved(contentsMargins());
    int top = inner.top();
    for (const Line &line : linesIn(inner.width())) {
        const std::vector<int> widths = widthsIn(line, roomIn(line, inner.width()));
        const QRect place(inner.left(), top, inner.width(), heightOf(line, widths));
        int x = inner.left();
        for (std::size_t i = 0; i < line.size(); ++i) {
            line[i]->setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), place,
                                                    {x, place.top(), widths[i], place.height()}));
            x += widths[i] + spacing();
        }
        top += place.height() + betweenLines();
    }
}

/// Lines belong together, also if what is in them is far apart.
int WrapLayout::betweenLines() const
{
    return std::min(spacing(), spacing::small);
}

int WrapLayout::roomIn(const Line &line, int width) const
{
    return width - spacing() * (static_cast<int>(line.size()) - 1);
}

}  // namespace sweepscope::ui
