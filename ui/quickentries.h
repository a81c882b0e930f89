#pragma once

#include "client/engineclient.h"
#include "ui/home/quicksearch.h"

class QAction;

namespace sweepscope::ui {

class MainWindow;

/// Where quick search leads: what the menus do, all sweeps, and the trials of the shown one.
std::vector<QuickEntry> quickEntries(MainWindow *window, client::EngineClient *client, const QList<QAction *> &actions);

}  // namespace sweepscope::ui
