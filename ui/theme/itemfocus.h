#pragma once

#include <QStyleOption>

class QPainter;

namespace sweepscope::ui {

/// Paints a frame around the item with the keyboard focus; nothing without focus, or if the user does not use the
/// keyboard.
void paintItemFocus(QPainter *painter, const QStyleOption &option);
/// The same around a whole widget, painted on it or on its viewport.
void paintWidgetFocus(QPainter *painter, const QWidget *widget);

}  // namespace sweepscope::ui
