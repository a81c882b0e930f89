#include "ui/logs/sweephitdelegate.h"

#include "ui/logs/sweephitsmodel.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/spacing.h"

#include <QApplication>
#include <QGuiApplication>
#include <QPainter>

namespace sweepscope::ui {

void SweepHitDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    if (index.column() != SweepHitsModel::Text) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QString text = item.text;
    item.text.clear();
    const QStyle *style = item.widget ? item.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);

    const QRect area = item.rect.adjusted(spacing::small, 0, -spacing::small, 0);
    const int start = index.data(SweepHitsModel::MatchStartRole).toInt();
    const int length = index.data(SweepHitsModel::MatchLengthRole).toInt();
    const QFontMetrics metrics(item.font);
    QColor mark = QGuiApplication::palette().color(QPalette::Highlight);  // a view's own is that of selected rows
    mark.setAlpha(80);                                                    // as in the log
    painter->save();
    painter->setClipRect(area);
    const QRect match(area.left() + metrics.horizontalAdvance(text, start), area.center().y() - metrics.height() / 2,
                      metrics.horizontalAdvance(text.mid(start, length)), metrics.height());
    painter->fillRect(match, mark);
    painter->setFont(item.font);
    painter->setPen(item.palette.color(QPalette::Text));
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                      metrics.elidedText(text, Qt::ElideRight, area.width()));
    painter->restore();
    paintItemFocus(painter, item);
}

}  // namespace sweepscope::ui
