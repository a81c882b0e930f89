#pragma once

class QWidget;

namespace sweepscope::ui {

/// Sets the tab order inside `root` to reading order: from top to bottom, each row from left to right. By default it is
/// the order of creation, which also leaves some widgets out.
void orderTabs(QWidget *root);

/// Sets the widget that gets the focus when a shortcut opens the page. It is no focus proxy, because Tab would then
/// start there and never reach the widgets before it.
void setFirstForKeys(QWidget *page, QWidget *first);
/// Null if there is none.
QWidget *firstForKeys(const QWidget *page);

}  // namespace sweepscope::ui
