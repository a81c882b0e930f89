#include "ui/home/sweepitemdelegate.h"

#include "ui/home/sweepbar.h"
#include "ui/models/sweeplistmodel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/textsize.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>

namespace sweepscope::ui {
using namespace Qt::StringLiterals;

namespace {

constexpr int barInItem = 4;
constexpr int outerMargin = 2;
constexpr int leastForTags = 36;

}  // namespace

void SweepItemDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hovered = option.state.testFlag(QStyle::State_MouseOver);
    const QRect card = option.rect.adjusted(spacing::small, outerMargin, -spacing::small, -outerMargin);
    if (selected || hovered) {
        QPainterPath shape;
        shape.addRoundedRect(card, spacing::cornerRadius, spacing::cornerRadius);
        painter->fillPath(shape, selected ? QGuiApplication::palette().color(QPalette::Base)
                                          : hoverColor(QGuiApplication::palette()));
        if (selected) {
            painter->setPen(borderColor(option.palette));
            painter->drawPath(shape);
            painter->setClipPath(shape);
            painter->fillRect(QRect(card.left(), card.top(), 3, card.height()),
                              QGuiApplication::palette().color(QPalette::Highlight));
            painter->setClipping(false);
        }
    }

    const QFont nameFont = emphasisFont(option.font);
    const QFont detailFont = smallFont(option.font);
    const QFontMetrics nameMetrics(nameFont);
    const QFontMetrics detailMetrics(detailFont);
    const QRect inner = card.adjusted(spacing::medium, spacing::small, -spacing::small, -spacing::small);

    const int icon = textScaled(spacing::iconSize);
    const QRect iconArea(inner.left(), inner.top() + (nameMetrics.height() - icon) / 2, icon, icon);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, iconArea);

    const QString number = u"#%1"_s.arg(index.data(SweepListModel::IdRole).toLongLong());
    QRect line(inner.left(), inner.top(), inner.width(), nameMetrics.height());
    painter->setFont(detailFont);
    painter->setPen(subtleTextColor(option.palette));
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, number);
    line.adjust(icon + spacing::small, 0, -detailMetrics.horizontalAdvance(number) - spacing::small, 0);
    if (index.data(SweepListModel::StarredRole).toBool()) {
        const QRect star(line.right() + 1 - icon, iconArea.top(), icon, icon);
        symbolIcon(u"starred"_s).paint(painter, star);
        line.setRight(star.left() - spacing::tiny);
    }
    painter->setFont(nameFont);
    painter->setPen(option.palette.color(QPalette::WindowText));
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      nameMetrics.elidedText(index.data().toString(), Qt::ElideMiddle, line.width()));

    const auto drawDetail = [&](const QRect &area, const QString &text) {
        painter->setFont(detailFont);
        painter->setPen(subtleTextColor(option.palette));
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                          detailMetrics.elidedText(text, Qt::ElideRight, area.width()));
    };
    const int belowName = inner.top() + nameMetrics.height();
    const QRect state(line.left(), belowName, inner.right() - line.left(), detailMetrics.height());
    drawDetail(state, u"%1 · %2"_s.arg(index.data(SweepListModel::StateTextRole).toString(),
                                       index.data(SweepListModel::StartedRole).toString()));
    const QRectF bar(inner.left(), state.bottom() + spacing::tiny + 2, inner.width(), barInItem);
    paintSweepBar(painter, bar, index.data(SweepListModel::SummaryRole).value<SweepSummary>(), option.palette);

    const QRect detail(inner.left(), qRound(bar.bottom()) + spacing::tiny, inner.width(), detailMetrics.height());
    const QString text = index.data(SweepListModel::DetailRole).toString();
    drawDetail(detail, text);
    const QString tags = index.data(SweepListModel::TagsRole).toString();
    const int room = detail.width() - detailMetrics.horizontalAdvance(text) - spacing::large;
    if (!tags.isEmpty() && room >= textScaled(leastForTags)) {
        painter->setPen(subtleTextColor(option.palette));
        painter->drawText(detail, Qt::AlignRight | Qt::AlignVCenter,
                          detailMetrics.elidedText(tags, Qt::ElideRight, room));
    }
    QStyleOption focus(option);
    focus.rect = card;
    paintItemFocus(painter, focus);
    painter->restore();
}

QSize SweepItemDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    const int text =
        QFontMetrics(emphasisFont(option.font)).height() + 2 * QFontMetrics(smallFont(option.font)).height() + 1;
    return {160, text + barInItem + 2 * spacing::tiny + 2 + 2 * spacing::small + 2 * outerMargin};
}

}  // namespace sweepscope::ui
