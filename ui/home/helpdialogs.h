#pragma once

#include <QList>

class QAction;
class QWidget;

namespace sweepscope::ui {

/// Shows version, libraries and licences. Not modal.
void showAbout(QWidget *parent);

/// Shows the shortcuts of these actions, and those without a menu entry. Not modal.
void showShortcuts(const QList<QAction *> &actions, QWidget *parent);

}  // namespace sweepscope::ui
