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

    painter->setPen(palette.color(QPalette::Text));
    painter->drawText(QRect(inside.left(), inside.top(), name, inside.height()), Qt::AlignRight | Qt::AlignVCenter,
                      metrics.elidedText(index.data().toString(), Qt::ElideMiddle, name));
    painter->setPen(Qt::NoPen);
    QRectF filled = bar;
    filled.setWidth(longest > 0 ? bar.width() * share / longest : 0);
    painter->setBrush(palette.color(QPalette::Link));
    if (filled.width() > 0)
        painter->drawRoundedRect(filled, std::min(3.0, filled.width() / 2), 3);
    painter->setPen(subtleTextColor(palette));
    painter->drawText(QRect(inside.right() - number, inside.top(), number, inside.height()),
                      Qt::AlignRight | Qt::AlignVCenter, u"%1%"_s.arg(100 * share, 0, 'f', 0));
    painter->restore();
}

}  // namespace sweepscope::ui
