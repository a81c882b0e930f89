#include "ui/plot/legenddelegate.h"

#include "ui/plot/legendmodel.h"
#include "ui/theme/fonts.h"
#include "ui/theme/itemfocus.h"
#include "ui/theme/palettes.h"
#include "ui/theme/spacing.h"
#include "ui/theme/stateappearance.h"
#include "ui/theme/textsize.h"

#include <QPainter>

namespace sweepscope::ui {

namespace {

constexpr int rowEdge = 8;
constexpr int swatchRoom = 20;
constexpr int beforeValue = 8;
constexpr int besideName = 6;

}  // namespace

QString LegendDelegate::worstText()
{
    return tr("worst");
}

void LegendDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    const QRect rect = option.rect.adjusted(rowEdge, 0, -rowEdge, 0);
    const QString name = index.data(Qt::DisplayRole).toString();
    if (index.data(LegendModel::HeadingRole).toBool()) {
        painter->setFont(emphasisFont(smallFont(option.font)));
        painter->setPen(subtleTextColor(option.palette));
        painter->drawText(rect.adjusted(0, 0, 0, -2), Qt::AlignLeft | Qt::AlignBottom,
                          painter->fontMetrics().elidedText(name, Qt::ElideMiddle, rect.width()));
        painter->restore();
        return;
    }
    if (index.data(LegendModel::NoteRole).toBool()) {
        painter->setFont(smallFont(option.font));
        painter->setPen(subtleTextColor(option.palette));
        painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(name, Qt::ElideRight, rect.width()));
        painter->restore();
        return;
    }
    const bool isDrawn = !index.data(LegendModel::KeyRole).toString().isEmpty();
    const bool hidden = index.data(LegendModel::HiddenRole).toBool();
    const bool worst = index.data(LegendModel::WorstRole).toBool() && !hidden;
    if ((isDrawn && option.state.testFlag(QStyle::State_MouseOver)) || index.data(LegendModel::EmphasizedRole).toBool())
        painter->fillRect(option.rect, hoverColor(option.palette));
    paintItemFocus(painter, option);
    QColor color = index.data(LegendModel::ColorRole).value<QColor>();
    if (!color.isValid())
        color = option.palette.color(QPalette::Text);
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF dash(rect.left(), rect.center().y() - 1, 14, 3);
    if (hidden) {
        painter->setPen(QPen(subtleTextColor(option.palette), 1));
        painter->drawRoundedRect(dash.adjusted(0.5, 0, -0.5, 0), 1.5, 1.5);
    } else if (isDrawn) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawRoundedRect(dash, 1.5, 1.5);
    }
    // A row that is not drawn has no action, but its text must not look disabled.
    const QColor text =
        hidden ? subtleTextColor(option.palette) : option.palette.color(QPalette::Active, QPalette::Text);
    painter->setPen(text);
    painter->setFont(worst ? emphasisFont(option.font) : option.font);
    const QString value = index.data(LegendModel::ValueRole).toString();
    painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter, value);
    const int valueWidth = painter->fontMetrics().horizontalAdvance(value) + beforeValue;
    const QRect nameRect = rect.adjusted(swatchRoom, 0, -valueWidth, 0);
    const QVariant state = index.data(LegendModel::StateRole);
    const int signWidth = state.isValid() ? textScaled(spacing::iconSize) + besideName : 0;
    const int worstWidth = worst ? QFontMetrics(smallFont(option.font)).horizontalAdvance(worstText()) + besideName : 0;
    const QString shown =
        painter->fontMetrics().elidedText(name, Qt::ElideMiddle, nameRect.width() - worstWidth - signWidth);
    painter->drawText(nameRect, Qt::AlignLeft | Qt::AlignVCenter, shown);
    if (state.isValid()) {
        const int left = nameRect.left() + painter->fontMetrics().horizontalAdvance(shown) + besideName;
        const int size = textScaled(spacing::iconSize);
        stateIcon(state.value<sweep::TrialState>()).paint(painter, left, rect.center().y() - size / 2, size, size);
    }
    if (worst) {
        const int nameWidth = painter->fontMetrics().horizontalAdvance(shown) + besideName;
        painter->setFont(smallFont(option.font));
        painter->setPen(problemColor(option.palette));
        painter->drawText(nameRect.adjusted(nameWidth, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, worstText());
    }
    painter->restore();
}

QSize LegendDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const int line = option.fontMetrics.height();
    const QFontMetrics metrics(emphasisFont(option.font));
    const int worst = index.data(LegendModel::WorstRole).toBool()
                          ? QFontMetrics(smallFont(option.font)).horizontalAdvance(worstText()) + besideName
                          : 0;
    const int sign = index.data(LegendModel::StateRole).isValid() ? textScaled(spacing::iconSize) + besideName : 0;
    const int width = 2 * rowEdge + swatchRoom + metrics.horizontalAdvance(index.data().toString()) + worst + sign
                      + beforeValue + metrics.horizontalAdvance(index.data(LegendModel::ValueRole).toString());
    return {width, index.data(LegendModel::HeadingRole).toBool() ? line + 12 : line + 5};
}

}  // namespace sweepscope::ui
