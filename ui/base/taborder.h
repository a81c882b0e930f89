#pragma once

class QWidget;

namespace sweepscope::ui {

/// Tab leads through what is inside of `root` as it is read: from the top, each line from the left. The order in which
/// widgets are made and put into each other is no such order, and leaves some of them out.
void orderTabs(QWidget *root);

/// Who comes to the page by a key goes on in this part of it. No focus proxy: that would be where Tab begins too, and
/// what stands before it would never be reached.
void setFirstForKeys(QWidget *page, QWidget *first);
/// Null: there is none.
QWidget *firstForKeys(const QWidget *page);

}  // namespace sweepscope::ui
