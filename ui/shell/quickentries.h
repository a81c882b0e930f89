#pragma once

#include "protocol/engineclient.h"
#include "ui/home/quicksearch.h"

class QAction;

namespace sweepscope::ui {

class Navigator;
class SelectionModel;

/// Where quick search leads: what the menus do, all sweeps and their trials. Those of the shown sweep come with their
/// parameters, those of the others with their sweep.
std::vector<QuickEntry> quickEntries(Navigator *navigator, SelectionModel *selection, protocol::EngineClient *client,
                                     const QList<QAction *> &actions);

}  // namespace sweepscope::ui
