#include "ui/devices/devicerowdelegate.h"

#include "ui/devices/devicerowsmodel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QPainter>

namespace sweepscope::ui {

namespace {

using Column = DeviceRowsModel::Column;

constexpr int barHeight = 10;
constexpr int shortestBar = 8;
constexpr double barRadius = 2;

std::size_t barOf(int column)
{
    return column == static_cast<int>(Column::Memory) ? 1 : 0;
}

}  // namespace

void DeviceRowDelegate::setNumberWidth(int column, int width)
{
    m_numberWidths[barOf(column)] = width;
}

int DeviceRowDelegate::margins()
{
    return 2 * spacing::small;
}

void DeviceRowDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const QPalette &colors = option->palette;
    if (index.data(DeviceRowsModel::ProblemRole).toBool())
        option->palette.setColor(QPalette::Text, problemColor(colors));
    else if (index.data(DeviceRowsModel::UnknownRole).toBool())
        option->palette.setColor(QPalette::Text, subtleTextColor(colors));
    option->palette.setColor(QPalette::HighlightedText, option->palette.color(QPalette::Text));
}

void DeviceRowDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto column = static_cast<Column>(index.column());
    if (column != Column::Gpu && column != Column::Utilization && column != Column::Memory) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QStyleOptionViewItem ground = cell;
    ground.text.clear();
    const QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, cell.widget);
    cell.rect.adjust(spacing::small, 0, -spacing::small, 0);
    painter->save();
    painter->setFont(cell.font);
    if (column == Column::Gpu)
        paintTitle(painter, cell, index);
    else
        paintBar(painter, cell, index);
    painter->restore();
}

void DeviceRowDelegate::paintTitle(QPainter *painter, const QStyleOptionViewItem &cell, const QModelIndex &index)
{
    const QFont font = emphasisFont(cell.font);
    painter->setFont(font);
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(cell.rect, Qt::AlignLeft | Qt::AlignVCenter, cell.text);
    const QRect rest = cell.rect.adjusted(QFontMetrics(font).horizontalAdvance(cell.text) + spacing::small, 0, 0, 0);
    const QString name =
        cell.fontMetrics.elidedText(index.data(DeviceRowsModel::NameRole).toString(), Qt::ElideRight, rest.width());
    if (name.size() < 3)
        return;
    painter->setFont(cell.font);
    painter->setPen(subtleTextColor(cell.palette));
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, name);
}

void DeviceRowDelegate::paintBar(QPainter *painter, const QStyleOptionViewItem &cell, const QModelIndex &index) const
{
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(cell.rect, Qt::AlignRight | Qt::AlignVCenter, cell.text);
    const QVariant share = index.data(DeviceRowsModel::ShareRole);
    const int height = textScaled(barHeight);
    const QRectF track(cell.rect.left(), cell.rect.center().y() - height / 2,
                       cell.rect.width() - m_numberWidths[barOf(index.column())] - spacing::small, height);
    if (!share.isValid() || track.width() < shortestBar)
        return;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(borderColor(cell.palette), 1));
    painter->setBrush(cell.palette.color(QPalette::Base));
    painter->drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), barRadius, barRadius);
    QRectF done = track;
    done.setWidth(track.width() * share.toDouble());
    if (done.width() < 1)
        return;
    painter->setPen(Qt::NoPen);
    painter->setBrush(index.data(DeviceRowsModel::UnknownRole).toBool() ? subtleTextColor(cell.palette)
                                                                        : cell.palette.color(QPalette::Link));
    painter->setClipRect(done);
    painter->drawRoundedRect(track, barRadius, barRadius);
}

}  // namespace sweepscope::ui
