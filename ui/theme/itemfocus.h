#pragma once

#include <QStyleOption>

class QPainter;

namespace sweepscope::ui {

/// The frame around the item that has the keys; nothing, where it has not got them, or nobody uses keys.
void paintItemFocus(QPainter *painter, const QStyleOption &option);
/// The same around all of a widget, or of its viewport, on which it is painted.
void paintWidgetFocus(QPainter *painter, const QWidget *widget);

}  // namespace sweepscope::ui
