#include "ui/analysis/importancedelegate.h"

#include "ui/analysis/importancemodel.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int rowHeight = 26;
constexpr int barHeight = 10;
constexpr double nameShare = 0.36;
constexpr int widestName = 220;
constexpr double whiskerWidth = 1.2;
constexpr int haloAlpha = 110;

/// Draws an interval as a line with ends, which is visible on the bar and beyond it.
void drawWhisker(QPainter *painter, double from, double to, const QRect &bar, const QPalette &palette)
{
    if (to <= from)
        return;
    const double middle = bar.center().y() + 0.5;
    const double half = bar.height() * 0.3;
    QColor ground = palette.color(QPalette::Base);
    ground.setAlpha(haloAlpha);
    const QLineF lines[] = {
        {from, middle, to, middle}, {from, middle - half, from, middle + half}, {to, middle - half, to, middle + half}};
    for (const QPen &pen : {QPen(ground, whiskerWidth + 2), QPen(palette.color(QPalette::Text), whiskerWidth)}) {
        painter->setPen(pen);
        painter->drawLines(lines, 3);
    }
}

}  // namespace

void ImportanceDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem ground = option;
    initStyleOption(&ground, index);
    ground.text.clear();
    const QStyle *style = option.widget ? option.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
    paintRow(painter, option.rect, index, option.font, option.palette);
}

QSize ImportanceDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const
{
    return {textScaled(160), textScaled(rowHeight)};
}

void ImportanceDelegate::paintRow(QPainter *painter, const QRect &area, const QModelIndex &index, const QFont &font,
                                  const QPalette &palette)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(font);
    const QFontMetrics metrics(font);
    const QRect inside = area.adjusted(spacing::small, 0, -spacing::small, 0);
    const int name = std::min(textScaled(widestName), static_cast<int>(inside.width() * nameShare));
    const int number = metrics.horizontalAdvance(u"100%"_s);
    const QRect bar(inside.left() + name + spacing::small, inside.center().y() - textScaled(barHeight) / 2,
                    std::max(4, inside.width() - name - number - 2 * spacing::small), textScaled(barHeight));
    const double share = index.data(ImportanceModel::ShareRole).toDouble();
    const double longest = index.data(ImportanceModel::LongestRole).toDouble();
    const auto placeOf = [&](double value) { return bar.left() + (longest > 0 ? bar.width() * value / longest : 0); };

    painter->setPen(palette.color(QPalette::Text));
    painter->drawText(QRect(inside.left(), inside.top(), name, inside.height()), Qt::AlignRight | Qt::AlignVCenter,
                      metrics.elidedText(index.data().toString(), Qt::ElideMiddle, name));
    painter->setPen(Qt::NoPen);
    QRectF filled = bar;
    filled.setRight(placeOf(share));
    painter->setBrush(palette.color(QPalette::Link));
    if (filled.width() > 0)
        painter->drawRoundedRect(filled, std::min(3.0, filled.width() / 2), 3);
    drawWhisker(painter, placeOf(index.data(ImportanceModel::LowRole).toDouble()),
                placeOf(index.data(ImportanceModel::HighRole).toDouble()), bar, palette);
    painter->setPen(subtleTextColor(palette));
    painter->drawText(QRect(inside.right() - number, inside.top(), number, inside.height()),
                      Qt::AlignRight | Qt::AlignVCenter, u"%1%"_s.arg(100 * share, 0, 'f', 0));
    painter->restore();
}

}  // namespace sweepscope::ui
