#pragma once

#include <QList>

class QAction;
class QWidget;

namespace sweepscope::ui {

/// What the program is, which versions it runs on, and under which licences. Not modal.
void showAbout(QWidget *parent);

/// The shortcuts of these actions, and those that have no menu entry. Not modal.
void showShortcuts(const QList<QAction *> &actions, QWidget *parent);

}  // namespace sweepscope::ui
