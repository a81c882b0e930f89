#include "ui/theme/itemfocus.h"

#include "ui/theme/palettes.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStyle>
#include <QWidget>

namespace sweepscope::ui {

void paintItemFocus(QPainter *painter, const QStyleOption &option)
{
    if (!option.state.testFlag(QStyle::State_HasFocus) || !option.state.testFlag(QStyle::State_KeyboardFocusChange))
        return;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, false);
    // The view's own palette may have a transparent background, which looks like a dark one.
    painter->setPen(focusColor(QGuiApplication::palette()));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

void paintWidgetFocus(QPainter *painter, const QWidget *widget)
{
    QStyleOption option;
    option.initFrom(widget);
    option.rect = painter->viewport();
    paintItemFocus(painter, option);
}

}  // namespace sweepscope::ui
